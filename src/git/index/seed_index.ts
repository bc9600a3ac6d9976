/** Prepares a copied index for snapshots: no entry is hidden, and none is missing. */
import type { TreePath } from "../../base/paths.ts";
import { join } from "node:path";
import { splitNul, toNulInput } from "../git.ts";
import { findGone } from "../trees/odd_files.ts";
import type { Repository } from "../repository.ts";
import { isSettingOn } from "../settings.ts";
import type { IndexEntry } from "./young_files.ts";

/**
 * Clears `assume-unchanged`, and `skip-worktree` outside sparse patterns, so that files marked with
 * them are looked at like all others.
 */
export async function clearHidingBits(
  repo: Repository,
  indexFile: string,
  entries: readonly Pick<IndexEntry, "tag" | "path">[],
): Promise<void> {
  const marked = (pattern: RegExp) =>
    entries.filter(({ tag }) => pattern.test(tag)).map(({ path }) => path);
  await clearBit(repo, { indexFile, bit: "--no-assume-unchanged", paths: marked(/[a-z]/) });
  const skipped = marked(/s/i);
  if (skipped.length === 0) return;
  const sparse = await readSparsePaths(repo, indexFile);
  const paths: string[] = [];
  for (const path of skipped) {
    if (sparse === null || sparse.has(path) || await exists(join(repo.worktree, path))) {
      paths.push(path);
    }
  }
  await clearBit(repo, { indexFile, bit: "--no-skip-worktree", paths });
}

/** Tracked paths that the sparse patterns include; null where the checkout is not sparse. */
async function readSparsePaths(repo: Repository, indexFile: string): Promise<Set<string> | null> {
  if (!(await isSettingOn(repo, "core.sparseCheckout"))) return null;
  const patterns = join(repo.gitDir, "info", "sparse-checkout");
  // Sparse patterns are written like ignore files; what they "ignore" is what is checked out.
  const args = ["ls-files", "-z", "--cached", "--ignored", `--exclude-from=${patterns}`];
  const result = await repo.git.run(args, { indexFile });
  return result.code === 0 ? new Set(splitNul(result.stdout)) : new Set();
}

interface ClearOptions {
  readonly indexFile: string;
  readonly bit: string;
  readonly paths: readonly TreePath[];
}

async function clearBit(repo: Repository, options: ClearOptions): Promise<void> {
  if (options.paths.length === 0) return;
  const args = ["update-index", "-z", options.bit, "--stdin"];
  await repo.git.bytes(args, { indexFile: options.indexFile, stdin: toNulInput(options.paths) });
}

/**
 * Adds files that the person's index tracks and the private one lacks: ignored files that were
 * force-added after the private index was made.
 *
 * @param known the files of the private index.
 * @returns the files that were added, as they are on the disk.
 */
export async function trackMissing(
  repo: Repository,
  indexFile: string,
  known: ReadonlySet<TreePath>,
): Promise<ReadonlySet<TreePath>> {
  const real = await repo.git.run(["ls-files", "-z"]);
  if (real.code !== 0) return new Set(); // The person's index is damaged; the private one still stands.
  const unknown = [...new Set(splitNul(real.stdout))].filter((path) => !known.has(path));
  // Paths that a link or a folder has replaced would make the whole batch fail.
  const gone = await findGone(repo, unknown);
  const missing = unknown.filter((path) => !gone.has(path));
  if (missing.length === 0) return new Set();
  const added = await repo.git.run(["update-index", "-z", "--add", "--replace", "--stdin"], {
    indexFile,
    stdin: toNulInput(missing),
  });
  return new Set(added.code === 0 ? missing : []);
}

async function exists(path: TreePath): Promise<boolean> {
  return await Deno.lstat(path).then(() => true, () => false);
}
