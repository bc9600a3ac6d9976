/**
 * Index files for single operations: trees are built in them, and the user's index is not
 * touched.
 */
import { openOwnFolder } from "./own_store.ts";
import type { TreePath } from "../../base/paths.ts";
import { join } from "node:path";
import { joinNul } from "../git.ts";
import type { Repository } from "../repository.ts";
import { readTree } from "../repository.ts";
import { buildTreeEntry, diffTrees } from "../trees/changes.ts";

/**
 * Runs `action` with the path of an index file that does not exist yet, and removes the file
 * afterwards.
 */
export async function withScratchIndex<T>(
  repo: Repository,
  action: (indexFile: string) => Promise<T>,
): Promise<T> {
  const folder = await openOwnFolder(repo);
  const indexFile = join(folder, `scratch-${crypto.randomUUID().slice(0, 13)}.index`);
  try {
    return await action(indexFile);
  } finally {
    await Deno.remove(indexFile).catch(() => {});
    await Deno.remove(`${indexFile}.lock`).catch(() => {});
  }
}

/** A file to put into a tree; null removes it. */
export interface TreeEdit {
  readonly path: TreePath;
  readonly entry: { readonly mode: string; readonly oid: string } | null;
}

/**
 * Writes a tree that differs from another one in some files.
 *
 * @param likely trees that may be the result: where one is, nothing has to be written.
 */
export async function editTree(
  repo: Repository,
  tree: string,
  edits: readonly TreeEdit[],
  likely: readonly string[] = [],
): Promise<string> {
  if (edits.length === 0) return await readTree(repo, tree);
  for (const one of likely) {
    if (await leadsTo(repo, { tree, edits, likely: one })) return await readTree(repo, one);
  }
  return await withScratchIndex(repo, async (indexFile) => {
    await repo.git.bytes(["read-tree", tree], { indexFile });
    await applyEdits(repo, indexFile, edits);
    return await repo.git.line(["write-tree"], { indexFile });
  });
}

/** Whether the edits are the only difference between two trees. */
async function leadsTo(
  repo: Repository,
  options: { readonly tree: string; readonly edits: readonly TreeEdit[]; readonly likely: string },
): Promise<boolean> {
  const changes = await diffTrees(repo, options.tree, options.likely, { withoutRenames: true });
  const wanted = new Map(options.edits.map(({ path, entry }) => [path, formatEntryKey(entry)]));
  return changes.length === wanted.size &&
    changes.every(({ path, newMode, newOid }) =>
      wanted.get(path) === formatEntryKey(buildTreeEntry(newMode, newOid))
    );
}

function formatEntryKey(entry: TreeEdit["entry"]): string {
  return entry === null ? "" : `${entry.mode} ${entry.oid}`;
}

/**
 * Applies edits to an index; removals come first, so that a folder can take the place of a file.
 */
export async function applyEdits(
  repo: Repository,
  indexFile: string,
  edits: readonly TreeEdit[],
): Promise<void> {
  const zero = "0".repeat(repo.objectFormat === "sha256" ? 64 : 40);
  const lines = [...edits]
    .sort((one, other) => Number(one.entry !== null) - Number(other.entry !== null))
    .map(({ path, entry }) =>
      entry === null ? `0 ${zero}\t${path}` : `${entry.mode} ${entry.oid}\t${path}`
    );
  const args = ["update-index", "-z", "--replace", "--index-info"];
  await repo.git.bytes(args, { indexFile, stdin: joinNul(lines) });
}
