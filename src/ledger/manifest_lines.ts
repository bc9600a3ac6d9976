/** Finds changed lines between two manifests, in the form in which git gives them for two trees. */
import type { TreePath } from "../base/paths.ts";
import type { LineChanges } from "../git/trees/changed_lines.ts";
import type { Change } from "../git/trees/changes.ts";
import { diffLines } from "./line_diff.ts";
import type { ManifestChange, ManifestEntry } from "./manifest.ts";

/** Where contents come from, and which files are compared. */
export interface LineOptions {
  /** The content of an entry; null where it is not kept. */
  readonly read: (path: TreePath, entry: ManifestEntry) => Promise<Uint8Array | null>;
  /** Only these files; default all. */
  readonly paths?: readonly TreePath[];
}

const MODES: Readonly<Record<ManifestEntry["kind"], string>> = {
  file: "100644",
  executable: "100755",
  link: "120000",
  large: "100644",
};
const NO_MODE = "000000";
/** As git does: a file with a zero byte among its first bytes is no text. */
const SNIFFED_BYTES = 8_000;

/** The changed files without lines; a deleted and a new file with the same content are a rename. */
export function toChanges(changes: readonly ManifestChange[]): readonly Change[] {
  const renames = findRenames(changes);
  const oldNames = new Set(renames.values());
  return changes.filter(({ path }) => !oldNames.has(path))
    .map((change) => toChange(change, renames.get(change.path)));
}

/**
 * Changed lines by present path. A file whose old content was not kept counts as rewritten, like a
 * new one; a deleted and a new file with the same content are a rename.
 */
export async function toLineChanges(
  changes: readonly ManifestChange[],
  options: LineOptions,
): Promise<ReadonlyMap<string, LineChanges>> {
  const renames = findRenames(changes);
  const oldNames = new Set(renames.values());
  const wanted = options.paths === undefined ? null : new Set(options.paths);
  const result = new Map<string, LineChanges>();
  for (const change of changes) {
    const from = renames.get(change.path);
    const isWanted = wanted === null || wanted.has(change.path) ||
      (from !== undefined && wanted.has(from));
    if (!isWanted || oldNames.has(change.path)) continue;
    const lines = from === undefined ? await compare(change, options) : NO_LINES;
    result.set(change.path, { change: toChange(change, from), ...lines });
  }
  return result;
}

const NO_LINES = { ranges: [], removals: [], hunks: [], isBinary: false } as const;

async function compare(
  { path, before, now }: ManifestChange,
  { read }: LineOptions,
): Promise<Omit<LineChanges, "change">> {
  if (now === null) return NO_LINES;
  // A file that becomes a link, or the other way round, counts as a removed file and a new one.
  const old = before !== null && (before.kind === "link") === (now.kind === "link") ? before : null;
  if (old?.content === now.content) return NO_LINES;
  const [was, is] = [old === null ? null : await read(path, old), await read(path, now)];
  if (is === null || isBinary(is) || (was !== null && isBinary(was))) {
    return { ...NO_LINES, isBinary: true };
  }
  const decoder = new TextDecoder();
  const text = was === null ? "" : decoder.decode(was);
  return { ...diffLines(text, decoder.decode(is)), isBinary: false };
}

function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, SNIFFED_BYTES).includes(0);
}

/** Old names by new ones; where several files have one content, the first ones are taken. */
function findRenames(changes: readonly ManifestChange[]): ReadonlyMap<string, string> {
  const gone = new Map<string, string[]>();
  for (const { path, before, now } of changes) {
    if (now !== null || before === null || before.sizeBytes === 0) continue;
    gone.set(before.content, [...gone.get(before.content) ?? [], path]);
  }
  const renames = new Map<string, string>();
  for (const { path, before, now } of changes) {
    const from = before === null && now !== null ? gone.get(now.content)?.shift() : undefined;
    if (from !== undefined) renames.set(path, from);
  }
  return renames;
}

function toChange({ path, before, now }: ManifestChange, from: string | undefined): Change {
  const oldMode = before === null ? NO_MODE : MODES[before.kind];
  const newMode = now === null ? NO_MODE : MODES[now.kind];
  const isType = before !== null && now !== null &&
    (before.kind === "link") !== (now.kind === "link");
  const kind = from !== undefined
    ? "renamed"
    : before === null
    ? "added"
    : now === null
    ? "deleted"
    : isType
    ? "type"
    : "modified";
  return {
    path,
    kind,
    modeChanged: before !== null && now !== null && oldMode !== newMode,
    oldMode,
    newMode,
    oldOid: before?.content ?? "",
    newOid: now?.content ?? "",
    ...(from === undefined ? {} : { from }),
  };
}
