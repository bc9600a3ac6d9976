/** Index files that live for one operation: trees are built in them, not in the person's index. */
import { join } from "node:path";
import { toNulInput } from "../git.ts";
import { openOwnFolder } from "./private_index.ts";
import type { Repository } from "../repository.ts";

/** Runs `action` with the path of an index file that does not exist yet, and removes it after. */
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

/** A file to put into a tree; null takes it out. */
export interface TreeEdit {
  readonly path: string;
  readonly entry: { readonly mode: string; readonly oid: string } | null;
}

/** Writes a tree that is another one with some files changed. */
export async function editTree(
  repo: Repository,
  tree: string,
  edits: readonly TreeEdit[],
): Promise<string> {
  if (edits.length === 0) return await repo.git.line(["rev-parse", `${tree}^{tree}`]);
  return await withScratchIndex(repo, async (indexFile) => {
    await repo.git.bytes(["read-tree", tree], { indexFile });
    await applyEdits(repo, indexFile, edits);
    return await repo.git.line(["write-tree"], { indexFile });
  });
}

/** Applies edits to an index; removals come first, so that a file can give way to a folder. */
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
  await repo.git.bytes(args, { indexFile, stdin: toNulInput(lines) });
}
