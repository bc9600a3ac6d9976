/** Opens a folder of real code: a real index of it in a temporary place, its texts and its revision. */
import { languageOfPath } from "../../src/language/languages.ts";
import { listProjectFiles } from "../../src/git/trees/file_lists.ts";
import { basename, join } from "node:path";
import { openRepository } from "../../src/git/repository.ts";
import type { CodeIndex } from "../../src/index/index_api.ts";
import type { SymbolHit } from "../../src/index/read/view.ts";
import { openIndex } from "../harness/open_index.ts";
import { requireOutput } from "../harness/run.ts";

/** A file to analyse. */
export interface CorpusFile {
  /** Relative to the folder, with `/`. */
  readonly path: string;
  /** Its language. */
  readonly language: string;
  /** Its text. */
  readonly text: string;
}

/** Larger files are left out of the index too. */
const MAX_FILE_BYTES = 1024 * 1024;

/** The files of a folder in the order of their paths. */
export async function* readCorpus(folder: string): AsyncGenerator<CorpusFile> {
  for (const path of (await listFiles(folder, "")).sort()) {
    const language = languageOfPath(path)?.name;
    if (language === undefined) continue;
    const bytes = await Deno.readFile(`${folder}/${path}`);
    if (bytes.length > MAX_FILE_BYTES || bytes.subarray(0, 8_000).includes(0)) continue;
    yield { path, language, text: new TextDecoder().decode(bytes) };
  }
}

/** Paths below `folder`, relative to it; `under` is empty or ends with `/`. */
export async function listFiles(folder: string, under: string): Promise<string[]> {
  const found: string[] = [];
  for await (const entry of Deno.readDir(`${folder}/${under}`)) {
    if (entry.name === ".git" || entry.name === "node_modules") continue;
    if (entry.isDirectory) found.push(...await listFiles(folder, `${under}${entry.name}/`));
    else if (entry.isFile) found.push(`${under}${entry.name}`);
  }
  return found;
}

/** A folder of code with its index. */
export interface Checkout {
  /** Absolute path. */
  readonly folder: string;
  /** Its last part, for tables. */
  readonly name: string;
  /** Commit that is checked out, or `none`; with ` (changed)` when files differ from it. */
  readonly revision: string;
  /** Lines of the files that are compared, by path. */
  readonly lines: ReadonlyMap<string, readonly string[]>;
  /** Language of each of them. */
  readonly languages: ReadonlyMap<string, string>;
  /** Paths whose tree has errors. */
  readonly partial: ReadonlySet<string>;
  /** What is imported: path, line and local name, joined by blanks. */
  readonly imports: ReadonlySet<string>;
  /** All definitions in these files, by path and line. */
  readonly symbols: readonly SymbolHit[];
  readonly index: CodeIndex;
}

/** Languages of programs: what is compared. Markup, data and style sheets have no definitions to agree on. */
const CODE =
  /^(?:Python|PHP|JavaScript|TypeScript|TSX|Go|Rust|Java|Kotlin|Scala|C|C\+\+|C#|Ruby|Swift|Lua|Bash|Elixir|Haskell|Zig|Dart)$/;

/** Indexes `folder` under `scratch`, runs `work` on it, and closes it whatever happens. */
export async function withCheckout<T>(
  folder: string,
  scratch: string,
  work: (checkout: Checkout) => Promise<T>,
): Promise<T> {
  const root = await Deno.realPath(folder);
  const found = await openRepository(root);
  // A folder inside a repository is a project of its own here.
  const repo = found !== null && found.worktree === root ? found : null;
  const index = openIndex({
    projectRoot: root,
    folder: scratch,
    listFiles: (options) => repo === null ? listFiles(root, "") : listProjectFiles(repo, options),
    listDependsOn: repo === null ? [] : [join(repo.gitDir, "index")],
  });
  try {
    await index.sync();
    const files = (await index.read((view) => view.listFiles()))
      .filter(({ language, parser }) => parser === "tree-sitter" && CODE.test(language ?? ""));
    const lines = new Map<string, readonly string[]>();
    for (const { path } of files) {
      const text = await Deno.readTextFile(join(root, path));
      lines.set(path, text.split("\n"));
    }
    const symbols = (await index.read((view) => view.listSymbols(".")))
      .filter(({ path }) => lines.has(path));
    const imports = await index.read((view) =>
      [...lines.keys()].flatMap((path) =>
        view.listImports(path).map(({ line, alias }) => `${path} ${line} ${alias}`)
      )
    );
    return await work({
      folder: root,
      name: basename(root),
      revision: repo === null ? "none" : await readRevision(root),
      lines,
      languages: new Map(files.map(({ path, language }) => [path, language ?? ""])),
      partial: new Set(files.filter(({ isPartial }) => isPartial).map(({ path }) => path)),
      imports: new Set(imports),
      symbols,
      index,
    });
  } finally {
    await index.close();
  }
}

/** Commit that is checked out at `root`; with ` (changed)` when files differ from it. */
export async function readRevision(root: string): Promise<string> {
  const git = (...args: readonly string[]) => requireOutput("git", args, { cwd: root });
  const changed = await git("status", "--porcelain", "--untracked-files=no");
  return `${await git("rev-parse", "HEAD")}${changed === "" ? "" : " (changed)"}`;
}

/** Name of the language's parser in ctags; undefined where it has none. */
export function ctagsNameOf(path: string): string | undefined {
  return languageOfPath(path)?.ctags;
}
