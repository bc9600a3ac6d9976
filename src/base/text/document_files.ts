/**
 * Which files of a project are documents: by their endings, and by the globs of `document_search` in
 * `context.yml`. Step 3, the impact of a change and the set-up ask the same. Pure.
 */
import { parseGlob } from "./glob.ts";

/** Which files belong to package managers, by their names: manifests and lock files. Pure. */
const PACKAGE_FILES =
  /(?:^|\/)(?:package(?:-lock)?\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-(?:lock|workspace)\.yaml|bun\.lockb?|deno\.(?:jsonc?|lock)|Cargo\.(?:toml|lock)|go\.(?:mod|sum|work|work\.sum)|pyproject\.toml|poetry\.lock|uv\.lock|pdm\.lock|Pipfile(?:\.lock)?|requirements[^/]*\.txt|composer\.(?:json|lock)|Gemfile(?:\.lock)?|mix\.(?:exs|lock)|pubspec\.(?:yaml|lock)|Package\.(?:swift|resolved)|packages\.lock\.json|[^/]+\.csproj|pom\.xml|gradle\.lockfile|libs\.versions\.toml|flake\.lock|Podfile(?:\.lock)?)$/;

/** Whether a package manager writes in a file. */
export function isPackageFile(path: string): boolean {
  return PACKAGE_FILES.test(path);
}

/** The lines round the block; clients leave such comments out of what the model reads. */
export const OWN_BLOCK = {
  begin: "<!-- code-intel:begin (written by `code-intel init`) -->",
  end: "<!-- code-intel:end -->",
} as const;

/** Other versions may say something else behind the first words. */
const BLOCK = /^<!-- code-intel:begin\b[\s\S]*?^<!-- code-intel:end -->/gm;

/** The text with every line of the block empty, so that all other lines keep their numbers. */
export function blankOwnBlock(text: string): string {
  return text.replace(BLOCK, (block) => block.replace(/[^\r\n]+/g, ""));
}

/** What `context.yml` says about the documents that are searched. */
export interface DocumentPatterns {
  readonly include_patterns: readonly string[];
  readonly exclude_patterns: readonly string[];
}

/** Tells documents, and names the globs that cannot be read; they fit nothing. */
export interface DocumentTest {
  readonly test: (path: string) => boolean;
  readonly faults: readonly {
    readonly at: string;
    readonly glob: string;
    readonly reason: string;
  }[];
}

/** Endings of documents. */
const ENDINGS = ["md", "mdx", "markdown", "rst", "adoc", "txt"];
/** All documents, as a setting names them. */
export const DOCUMENT_GLOB = `**/*.{${ENDINGS.join()}}`;
const DOCUMENT = new RegExp(`\\.(?:${ENDINGS.join("|")})$`, "i");
/** Texts that programs read. */
const DATA =
  /(?:^|\/)(?:CMakeLists|robots|(?:[\w.-]*[_-])?(?:requirements|constraints)(?:[_-][\w.-]*)?)\.txt$|(?:^|\/)requirements\/[^/]+\.txt$/i;

/** Whether a file is a document by its name. */
export function isDocument(path: string): boolean {
  return DOCUMENT.test(path) && !DATA.test(path);
}

/** Reads the globs: a document that one of the first list takes (all where it is empty) and none of the second. */
export function compileDocumentTest(patterns: DocumentPatterns): DocumentTest {
  const faults: { at: string; glob: string; reason: string }[] = [];
  const read = (globs: readonly string[], key: string) =>
    globs.flatMap((glob, position) => {
      const parsed = parseGlob(glob);
      if (parsed.kind === "glob") return [parsed.test];
      faults.push({ at: `document_search.${key}.${position}`, glob, reason: parsed.reason });
      return [];
    });
  const included = read(patterns.include_patterns, "include_patterns");
  const excluded = read(patterns.exclude_patterns, "exclude_patterns");
  const isAll = patterns.include_patterns.length === 0;
  const test = (path: string) =>
    isDocument(path) && (isAll || included.some((fits) => fits(path))) &&
    !excluded.some((fits) => fits(path));
  return { test, faults };
}
