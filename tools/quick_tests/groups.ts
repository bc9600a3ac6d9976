/**
 * Which test files run together in one module. Each module of `deno test` is a world of its own: it loads the
 * program, warms it up and compiles the patterns of the grammars anew, which costs most files more than their tests do.
 */

/** Test files that run one after the other in one module. */
export interface TestGroup {
  /** Name of the module, after the folder of its tests. */
  readonly name: string;
  /** Paths from the top of the repository, sorted. */
  readonly files: readonly string[];
}

/** Folders below `tests/` whose files take long, longest first: what begins late leaves the other cores idle. */
const LONG = ["e2e", "cli", "workflow", "faults", "escape", "index", "mcp", "git", "evidence"];

/** Most files of a module, so that there are enough of them for all cores: */
const MAX_FILES_LONG = 5;
const MAX_FILES = 16;

/** Deals test files out, folder by folder, those that take long first. */
export function toGroups(files: readonly string[]): readonly TestGroup[] {
  const folders = Map.groupBy(files.toSorted(), toFolder);
  return [...folders]
    .toSorted(([a], [b]) => toRank(a) - toRank(b) || (a < b ? -1 : 1))
    .flatMap(([folder, members]) => deal(folder, members));
}

/** `workflow` of `tests/workflow/desk_test.ts`; empty for a file of `tests/` itself. */
function toFolder(path: string): string {
  return path.split("/").slice(1, -1).at(0) ?? "";
}

function toRank(folder: string): number {
  const at = LONG.indexOf(folder);
  return at < 0 ? LONG.length : at;
}

function deal(folder: string, files: readonly string[]): TestGroup[] {
  const most = LONG.includes(folder) ? MAX_FILES_LONG : MAX_FILES;
  const count = Math.ceil(files.length / most);
  return Array.from({ length: count }, (_, at) => ({
    name: `${folder === "" ? "top" : folder}_${at + 1}`,
    files: files.filter((_file, index) => index % count === at),
  }));
}
