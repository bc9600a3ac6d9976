/**
 * Which files of a project are documents: by their endings, and by the globs of `document_search` in
 * `context.yml`. Step 3, the impact of a change and the set-up ask the same. Pure.
 */
import { parseGlob } from "./glob.ts";

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
export function toDocumentTest(patterns: DocumentPatterns): DocumentTest {
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
