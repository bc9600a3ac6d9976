/** What a session left behind in the files that it is to commit: gathered for step 17, and shown with its lines. */
import { BoundedMap } from "../../base/once.ts";
import type { PathNames, ProjectPath, TreePath } from "../../base/paths.ts";
import { measureJson } from "../../base/text/json_record.ts";
import type { AddedText, Leftover } from "./find_leftovers.ts";
import { findLeftoverLines, findLeftovers } from "./find_leftovers.ts";
import type { LineChanges } from "../../git/trees/changed_lines.ts";
import { languageOfPath } from "../../language/languages.ts";
import { splitComments } from "../../language/mask.ts";
import type { Trees } from "../../ledger/trees.ts";

/** More files are hardly written by hand (guessed). */
const MOST_FILES = 500;
/** Longer texts are generated (guessed). */
const MOST_CHARS = 1024 * 1024;

/** The first look, the review and step 17 ask about the same trees. */
const known = new BoundedMap<string, readonly Leftover[]>(16);

/** What was left behind between two trees, in these files of the session. */
export async function listLeftovers(
  { trees, paths }: { readonly trees: Trees; readonly paths: PathNames },
  { from, to, changes }: {
    readonly from: string | null;
    readonly to: string | null;
    readonly changes: readonly { readonly path: ProjectPath }[];
  },
): Promise<readonly Leftover[]> {
  if (from === null || to === null || from === to) return [];
  const wanted = changes.slice(0, MOST_FILES).map(({ path }) => paths.toWorktree(path))
    .flatMap((resolved) => resolved.kind === "path" ? resolved.path : []);
  if (wanted.length === 0) return [];
  const key = [from, to, ...wanted].join("\0");
  const before = known.get(key);
  if (before !== undefined) return before;
  const files = await readFiles(trees, { from, to, paths: wanted });
  const found = await findLeftovers(
    files.map((file) => ({ ...file, path: paths.toProject(file.path) })),
  );
  known.set(key, found);
  return found;
}

/**
 * Those of the files of which, since the last look, nothing but what step 17 names as left behind was taken out: whole
 * lines, or the comment at the end of one.
 *
 * @param states `start` is the state at the start of the session, which says what it left behind.
 */
export async function findTakenOut(
  trees: Pick<Trees, "changes" | "changedLines" | "readText">,
  { start, from, to, paths }: {
    readonly start: string;
    readonly from: string;
    readonly to: string;
    readonly paths: readonly TreePath[];
  },
): Promise<ReadonlySet<TreePath>> {
  if (paths.length === 0 || from === to) return new Set();
  const changed = (await trees.changes(start, from)).map(({ path }) => path);
  const files = await readFiles(trees, { from: start, to: from, paths: changed });
  const lines = Map.groupBy(await findLeftoverLines(files), ({ path }) => path);
  const found = new Set<TreePath>();
  for (const path of paths) {
    const before = files.find((file) => file.path === path)?.after ?? null;
    const after = await trees.readText(to, path);
    const named = new Set(lines.get(path)?.map(({ line }) => line));
    if (before === null || after === null || named.size === 0) continue;
    if (isTakenOut(path, { before, after, named })) found.add(path);
  }
  return found;
}

function isTakenOut(
  path: string,
  { before, after, named }: {
    readonly before: string;
    readonly after: string;
    readonly named: ReadonlySet<number>;
  },
): boolean {
  const language = languageOfPath(path);
  const code = language === undefined ? [] : splitComments(before, language).code.split("\n");
  const now = after.split("\n");
  let at = 0;
  for (const [index, line] of before.split("\n").entries()) {
    const rest = code[index]?.trimEnd() ?? "";
    const isLeft = now[at] === line ||
      (named.has(index + 1) && rest !== "" && now[at]?.trimEnd() === rest);
    if (isLeft) at++;
    else if (!named.has(index + 1)) return false;
  }
  return at === now.length;
}

async function readFiles(
  trees: Pick<Trees, "changedLines" | "readText">,
  { from, to, paths }: {
    readonly from: string;
    readonly to: string;
    readonly paths: readonly TreePath[];
  },
): Promise<readonly (AddedText & { readonly path: TreePath })[]> {
  const lines = await trees.changedLines(from, to, paths);
  return await Promise.all([...lines.values()].map((one) => readAdded(trees, one, from, to)));
}

async function readAdded(
  trees: Pick<Trees, "readText">,
  { change, ranges, isBinary }: LineChanges,
  from: string,
  to: string,
): Promise<AddedText & { readonly path: TreePath }> {
  const { path, kind } = change;
  const old = kind === "added" ? null : await trees.readText(from, change.from ?? path);
  const now = kind === "deleted" || isBinary ? null : await trees.readText(to, path);
  const isRead = now !== null && now.length <= MOST_CHARS;
  return { path, before: kind === "added" ? null : old ?? "", after: isRead ? now : null, ranges };
}

const NOTE =
  "Left behind, as it seems. For each: take exactly it out, discard the file, or send findings: [{id, reason}] with why it stays.";

/** The same for a reply, as far as the bytes go; empty where nothing was left. */
export function buildLeftoverFields(
  leftovers: readonly Leftover[],
  maxBytes: number,
): Readonly<Record<string, unknown>> {
  if (leftovers.length === 0) return {};
  let room = maxBytes;
  const shown = leftovers.map(({ id, what, hunk }) => {
    room -= measureJson({ id, what, hunk });
    return room < 0 ? { id, what } : { id, what, hunk };
  });
  return { leftovers: shown, leftovers_note: NOTE };
}
