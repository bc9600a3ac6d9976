/** Reads what a session did to the files that evidence names. */
import type { TreePath } from "../base/paths.ts";
import { readRegularText } from "../base/files/regular_file.ts";
import { LIMITS } from "../base/settings/limits.ts";
import type { LineChanges, LineRange } from "../git/trees/changed_lines.ts";
import type { Trees } from "../ledger/trees.ts";
import type { OwnWork } from "./own_work.ts";
import { dropEffectless, findOwnWork } from "./own_work.ts";
import type { FileFacts } from "./location.ts";

/** Two states of the files, to be compared. */
export interface ComparedStates {
  /**
   * The states of the files; null where nobody keeps them: then only place and length are checked.
   */
  readonly trees: Pick<Trees, "changes" | "changedLines" | "readText"> | null;
  readonly toAbsolute: (path: TreePath) => string;
  readonly baselineTree: string | null;
  readonly currentTree: string | null;
}

/** A file with what tells work in it. */
export interface KnownFile extends FileFacts {
  /** Text of the file; null when there is no such file. */
  readonly text: string | null;
  /** Lines that the session wrote; empty where that is not known. */
  readonly created: readonly LineRange[];
  /** Where the session did more than move, indent or comment; null where all of its changes count. */
  readonly own: OwnWork | null;
}

/** What is known of each of these files. */
export async function readFacts(
  input: ComparedStates,
  paths: readonly TreePath[],
): Promise<ReadonlyMap<string, KnownFile>> {
  const { trees, baselineTree, currentTree } = input;
  if (paths.length === 0) return new Map();
  if (trees === null || baselineTree === null || currentTree === null) {
    return readFactsAlone(input, paths);
  }
  const changes = await trees.changedLines(baselineTree, currentTree, paths);
  const oldNames = new Set([...changes.values()].map(({ change }) => change.from));
  const facts = await Promise.all(paths.map(async (path) => {
    const text = await trees.readText(currentTree, path);
    const isOldName = text === null && oldNames.has(path);
    const change = changes.get(path);
    const own = text === null || change === undefined
      ? null
      : await readOwnWork({ trees, baselineTree }, text, change);
    return [path, { ...toFileFacts(text, change, { isOldName }), own }] as const;
  }));
  return new Map(facts);
}

/** Compares a changed file with its text at the baseline; a new file is all own work. */
async function readOwnWork(
  { trees, baselineTree }: {
    readonly trees: Pick<Trees, "readText">;
    readonly baselineTree: string;
  },
  after: string,
  { change, hunks, isBinary }: LineChanges,
): Promise<OwnWork | null> {
  if (isBinary || (change.kind !== "modified" && change.kind !== "renamed")) return null;
  const before = await trees.readText(baselineTree, change.from ?? change.path);
  if (before === null) return null;
  const compared = { path: change.path, before, after, hunks };
  return await dropEffectless(findOwnWork(compared), compared);
}

function toFileFacts(
  text: string | null,
  change: LineChanges | undefined,
  options: { readonly isOldName: boolean },
): Omit<KnownFile, "own"> {
  const isSubmodule = change?.change.newMode === "160000";
  const changed = change?.ranges.map(({ start, end }) => [start, end] as const) ?? [];
  return {
    text,
    created: change?.ranges ?? [],
    exists: text !== null || isSubmodule,
    lines: text === null ? 0 : countLines(text),
    // Under its old name, a renamed file is deleted.
    change: options.isOldName ? "deleted" : change?.change.kind ?? null,
    modeChanged: change?.change.modeChanged ?? false,
    // The commit of a submodule is one entry without lines, as a binary file is.
    isBinary: isSubmodule || (change?.isBinary ?? false),
    changed,
    removedAt: change?.removals ?? [],
  };
}

/** Number of lines as an editor counts them: a final line break starts no new line. */
function countLines(text: string): number {
  if (text === "") return 0;
  const breaks = text.split("\n").length - 1;
  return text.endsWith("\n") ? breaks : breaks + 1;
}

function readFactsAlone(
  input: ComparedStates,
  paths: readonly TreePath[],
): ReadonlyMap<string, KnownFile> {
  const facts = paths.map((path) => {
    const absolute = input.toAbsolute(path);
    const bounds = { within: input.toAbsolute("."), maxBytes: LIMITS.wholeFileBytes.value };
    const text = readRegularText(absolute, bounds) ?? null;
    const lines = text === null ? 0 : countLines(text);
    // What changed is not known, so only existence, place and length are checked.
    return [path, {
      text,
      created: [],
      exists: text !== null,
      lines,
      change: text === null ? "deleted" : "modified",
      modeChanged: false,
      isBinary: false,
      changed: [[1, lines]],
      removedAt: [],
      own: null,
    }] as const;
  });
  return new Map<string, KnownFile>(facts);
}
