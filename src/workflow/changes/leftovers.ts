/** What a session left behind in the files that it is to commit: gathered for step 17, and shown with its lines. */
import { BoundedMap } from "../../base/bounded_map.ts";
import type { ProjectPath } from "../../base/paths.ts";
import { toJsonBytes } from "../../base/text/json_bytes.ts";
import type { AddedText, Leftover } from "../../evidence/mod.ts";
import { findLeftovers } from "../../evidence/mod.ts";
import type { LineChanges } from "../../git/mod.ts";
import type { Trees } from "../../ledger/mod.ts";
import type { Bench } from "../desk.ts";

/** More files are hardly written by hand (guessed). */
const MOST_FILES = 500;
/** Longer texts are generated (guessed). */
const MOST_CHARS = 1024 * 1024;

/** The first look, the review and step 17 ask about the same trees. */
const known = new BoundedMap<string, readonly Leftover[]>(16);

/** What was left behind between two trees, in these files of the session. */
export async function listLeftovers(
  { trees, paths }: Pick<Bench, "trees" | "paths">,
  { from, to, changes }: {
    readonly from: string | null;
    readonly to: string | null;
    readonly changes: readonly { readonly path: ProjectPath }[];
  },
): Promise<readonly Leftover[]> {
  if (trees === null || from === null || to === null || from === to) return [];
  const wanted = changes.slice(0, MOST_FILES).map(({ path }) => paths.toWorktree(path))
    .flatMap((resolved) => resolved.kind === "path" ? resolved.path : []);
  if (wanted.length === 0) return [];
  const key = [from, to, ...wanted].join("\0");
  const before = known.get(key);
  if (before !== undefined) return before;
  const lines = await trees.changedLines(from, to, wanted);
  const files = await Promise.all(
    [...lines.values()].map((one) => readAdded(trees, one, from, to)),
  );
  const found = findLeftovers(
    files.map((file) => ({ ...file, path: paths.toProject(file.path) })),
  );
  known.set(key, found);
  return found;
}

async function readAdded(
  trees: Pick<Trees, "readText">,
  { change, ranges, isBinary }: LineChanges,
  from: string,
  to: string,
): Promise<AddedText> {
  const { path, kind } = change;
  const old = kind === "added" ? null : await trees.readText(from, change.from ?? path);
  const now = kind === "deleted" || isBinary ? null : await trees.readText(to, path);
  const isRead = now !== null && now.length <= MOST_CHARS;
  return { path, before: kind === "added" ? null : old ?? "", after: isRead ? now : null, ranges };
}

const NOTE =
  "Left behind, as it seems. For each: discard the file, or send findings: [{id, reason}] with why it stays.";

/** The same for a reply, as far as the bytes go; empty where nothing was left. */
export function toLeftoverFields(
  leftovers: readonly Leftover[],
  maxBytes: number,
): Readonly<Record<string, unknown>> {
  if (leftovers.length === 0) return {};
  let room = maxBytes;
  const shown = leftovers.map(({ id, what, hunk }) => {
    room -= toJsonBytes({ id, what, hunk });
    return room < 0 ? { id, what } : { id, what, hunk };
  });
  return { leftovers: shown, leftovers_note: NOTE };
}
