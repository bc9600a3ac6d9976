/** Reads what a session did to the files that evidence names. */
import type { TreePath } from "../base/paths.ts";
import { readRegularText } from "../base/files/regular_file.ts";
import { LIMITS } from "../base/settings/limits.ts";
import type { LineChanges, LineRange } from "../git/trees/changed_lines.ts";
import type { Trees } from "../ledger/trees.ts";
import type { OwnWork } from "./own_work.ts";
import { dropEffectless, findNewStatements } from "./own_work.ts";
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
export async function readFileFacts(
  { trees, toAbsolute, baselineTree, currentTree }: ComparedStates,
  paths: readonly TreePath[],
): Promise<ReadonlyMap<string, KnownFile>> {
  if (paths.length === 0) return new Map();
  if (trees === null || baselineTree === null || currentTree === null) {
    return new Map(paths.map((path) => {
      const bounds = { within: toAbsolute("."), maxBytes: LIMITS.wholeFileBytes.value };
      const text = readRegularText(toAbsolute(path), bounds) ?? null;
      const facts = computeFacts(text, undefined);
      // What changed is not known, so only existence, place and length are checked.
      const change = text === null ? "deleted" : "modified";
      return [path, { ...facts, change, changed: [{ start: 1, end: facts.lines }] }];
    }));
  }
  const changes = await trees.changedLines(baselineTree, currentTree, paths);
  const oldNames = new Set([...changes.values()].map(({ change }) => change.from));
  const facts = await Promise.all(paths.map(async (path) => {
    const text = await trees.readText(currentTree, path);
    const lines = changes.get(path);
    const known = computeFacts(text, lines);
    // Under its old name, a renamed file is deleted.
    const change = text === null && oldNames.has(path) ? "deleted" : known.change;
    const before = text === null || lines === undefined
      ? null
      : await readBefore(trees, baselineTree, lines);
    if (text === null || lines === undefined || before === null) {
      return [path, { ...known, change }] as const;
    }
    const compared = { path, before, after: text, hunks: lines.hunks };
    const own = await dropEffectless(findNewStatements(compared), compared);
    return [path, { ...known, change, own }] as const;
  }));
  return new Map(facts);
}

/** The text of a changed file at the baseline; null for a new file, which is all own work. */
async function readBefore(
  trees: Pick<Trees, "readText">,
  baselineTree: string,
  { change: { kind, path, from }, isBinary }: LineChanges,
): Promise<string | null> {
  const isCompared = !isBinary && (kind === "modified" || kind === "renamed");
  return isCompared ? await trees.readText(baselineTree, from ?? path) : null;
}

function computeFacts(text: string | null, lines: LineChanges | undefined): KnownFile {
  const { change, isBinary = false, ranges = [], removals = [] } = lines ?? {};
  // The commit of a submodule is one entry without lines, as a binary file is.
  const isSubmodule = change?.newMode === "160000";
  return {
    text,
    created: ranges,
    exists: text !== null || isSubmodule,
    lines: countLines(text ?? ""),
    change: change?.kind ?? null,
    modeChanged: change?.modeChanged ?? false,
    isBinary: isSubmodule || isBinary,
    changed: ranges,
    removedAt: removals,
    own: null,
  };
}

/** Number of lines as an editor counts them: a final line break starts no new line. */
function countLines(text: string): number {
  return text === "" ? 0 : text.replace(/\n$/, "").split("\n").length;
}
