/**
 * Which test files run together in one module. Each module of `deno test` is a world of its own: it loads the
 * program and warms it up, which costs most files more than their tests do. So there are as few modules as keep two cores
 * busy to the end.
 */

import { QUICK } from "./run.ts";

/** Test files that run one after the other in one module. */
export interface TestGroup {
  /** Name of the module, after the folder of its tests. */
  readonly name: string;
  /** Paths from the top of the repository, sorted. */
  readonly files: readonly string[];
}

/** Folders that share modules. */
interface Share {
  readonly name: string;
  /** Below `tests/`; a file belongs to the first share that has a folder above it. */
  readonly folders: readonly string[];
  /** Number of its modules; default one. */
  readonly count?: number;
}

/**
 * What takes long, the longest first: what begins late leaves the other cores idle. Tests that need all
 * grammars are together, and so are those that load the model.
 */
const LONG: readonly Share[] = [
  { name: "vectors", folders: ["index/vectors", "embedding"] },
  {
    name: "languages",
    folders: [
      "index",
      "analysis",
      "resolve",
      "ranking",
      "explore",
      "language",
      "impact",
      "syntax",
      "backends",
      "evidence",
    ],
  },
  { name: "workflow", folders: ["workflow"], count: 2 },
  { name: "e2e", folders: ["e2e"] },
  { name: "cli", folders: ["cli"] },
  { name: "git", folders: ["git", "ledger"] },
  { name: "project", folders: ["project"] },
  { name: "mcp", folders: ["mcp"] },
  { name: "hostile", folders: ["hostile", "faults", "escape"] },
];

/** Slow files that share modules, those that take longest first; each of the others has its own, mostly since it measures its process. */
const SLOW_SHARED: readonly Share[] = [
  { name: "workflow", folders: ["workflow"] },
  { name: "e2e", folders: ["e2e"], count: 2 },
  { name: "escape", folders: ["escape"] },
  { name: "hostile", folders: ["hostile"] },
  { name: "vectors", folders: ["index/vectors", "embedding", "request"] },
  { name: "cli", folders: ["cli", "project"] },
  // Of quick files alone: the slow ones of these folders measure their process.
  { name: "languages", folders: [] },
  { name: "short", folders: ["bench", "git", "mcp", "model"] },
  { name: "impact", folders: ["impact"] },
];

/** The slow files with a module of their own that take longest: one that began last kept one core busy while the others rested. */
const LONGEST = [
  "tests/faults/kill_slow.ts",
  "tests/faults/soak_slow.ts",
  "tests/faults/random_walk_slow.ts",
  "tests/faults/kill_effects_slow.ts",
  "tests/index/many_files_slow.ts",
];

/** Deals slow test files out, those that take long first. Quick ones among them join the modules of their folders. */
export function toSlowGroups(files: readonly string[]): readonly TestGroup[] {
  const shares = Map.groupBy(files.toSorted(), (path) =>
    toShareName(path, SLOW_SHARED) ??
      (QUICK.test(path) ? toShareName(path, LONG) ?? SHORT : ""));
  const shared = SLOW_SHARED.flatMap(({ name, count = 1 }) =>
    deal(name, shares.get(name) ?? [], count)
  );
  const own = shares.get("") ?? [];
  const long = LONGEST.filter((file) => own.includes(file));
  const others = own.filter((file) => !long.includes(file));
  return [...shared, ...[...long, ...others].map(toOwnGroup)];
}

function toOwnGroup(file: string): TestGroup {
  return {
    name: file.replace(/^tests\//, "").replace(/\.ts$/, "").replaceAll("/", "_"),
    files: [file],
  };
}

/** The files of all other folders share modules of this name. */
const SHORT = "short";
const MAX_FILES_SHORT = 80;

/** Deals test files out, those that take long first. */
export function toGroups(files: readonly string[]): readonly TestGroup[] {
  const shares = Map.groupBy(files.toSorted(), (path) => toShareName(path, LONG) ?? SHORT);
  const long = LONG.flatMap(({ name, count = 1 }) => deal(name, shares.get(name) ?? [], count));
  const short = shares.get(SHORT) ?? [];
  return [...long, ...deal(SHORT, short, Math.ceil(short.length / MAX_FILES_SHORT))];
}

function toShareName(path: string, shares: readonly Share[]): string | undefined {
  return shares.find(({ folders }) => folders.some((folder) => path.startsWith(`tests/${folder}/`)))
    ?.name;
}

function deal(name: string, files: readonly string[], count: number): TestGroup[] {
  return Array.from({ length: Math.min(count, files.length) }, (_, at) => ({
    name: `${name}_${at + 1}`,
    files: files.filter((_file, index) => index % count === at),
  }));
}
