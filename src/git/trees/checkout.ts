/**
 * Writes a tree into an empty folder of the program, as a clone of it would look: a repository of its own that reads
 * the project's objects. The project's worktree, index, refs and list of worktrees are not touched.
 */
import { join } from "node:path";
import { makeIoError } from "../../base/errors.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import { checkOwnFolder, writeOwnFile } from "../../base/files/own_folder.ts";
import { readControlTextIfUsable } from "../../base/files/control_file.ts";
import { splitNul } from "../git.ts";
import { withScratchIndex } from "../index/scratch_index.ts";
import type { Repository } from "../repository.ts";
import { listRefs, openRepository, readTree } from "../repository.ts";

/** What is checked out, and where. */
export interface CheckoutOptions {
  readonly tree: string;
  /** Commit that HEAD names in the checkout; null leaves it on a branch without a commit. */
  readonly head: string | null;
  /** Absolute path of an empty folder of the program. */
  readonly folder: string;
  /** Folder of the program that `folder` lies in, itself no link. */
  readonly below: string;
  readonly signal?: AbortSignal;
}

/**
 * Writes the files of a tree. No hook runs; of filters only those that the configuration names for these files, as at
 * every checkout. A submodule is written where the worktree has the commit of it; else it stays an empty folder.
 *
 * @returns null, or why the tree is not written, as the end of a sentence.
 * @throws {CodeIntelError} `git_failed`, `timed_out`, `cancelled`, `io_failed`, `disk_full`, `own_path_refused`.
 */
export async function writeCheckout(
  repo: Repository,
  options: CheckoutOptions,
): Promise<string | null> {
  const { tree, folder, below, signal } = options;
  const rows = splitNul(await repo.git.bytes(["ls-tree", "-r", "-l", "-z", "--full-tree", tree]));
  const refusal = findRefusal(rows);
  if (refusal !== null) return refusal;
  checkOwnFolder(folder, { below });
  return await withScratchIndex(repo, async (indexFile) => {
    const shared = { indexFile, ...(signal === undefined ? {} : { signal }) };
    await repo.git.bytes(["read-tree", tree], shared);
    await repo.git.bytes(["checkout-index", "--all", "--quiet", `--prefix=${folder}/`], {
      ...shared,
      timeoutMs: LIMITS.gitTimeoutMs.value,
    });
    await makeGitFolder(repo, options);
    await Deno.copyFile(indexFile, join(folder, ".git", "index"));
    for (const row of rows) {
      const [, oid, path] = /^160000 commit (\w+) .*\t(.*)$/s.exec(row) ?? [];
      if (oid === undefined || path === undefined) continue;
      const own = await openRepository(join(repo.worktree, path)).catch(() => null);
      const commit = own === null || own.worktree === repo.worktree
        ? null
        : await readTree(own, oid).catch(() => null);
      if (own === null || commit === null) continue;
      const at = { folder: join(folder, path), below: folder };
      const refusal = await writeCheckout(own, { ...options, ...at, tree: commit, head: oid });
      if (refusal !== null) return `its submodule ${path}: ${refusal}`;
    }
    return null;
  });
}

/** Counts the files and bytes of a tree against the bounds. */
function findRefusal(rows: readonly string[]): string | null {
  let bytes = 0;
  for (const row of rows) bytes += Number(/^\S+ \S+ \S+ +(\d+)\t/.exec(row)?.[1] ?? 0);
  const [maxFiles, maxMb] = [LIMITS.checkoutFiles.value, LIMITS.checkoutMb.value];
  if (rows.length > maxFiles) return `it has ${rows.length} files, more than ${maxFiles}`;
  const mb = Math.ceil(bytes / 1024 / 1024);
  return mb > maxMb ? `it has ${mb} MiB, more than ${maxMb}` : null;
}

/**
 * Gives the files of a checkout that are as in the worktree the times that they have there: what was built of them counts
 * as new then, and what was built of others as old.
 */
export async function keepTimes(
  repo: Repository,
  { tree, folder }: Pick<CheckoutOptions, "tree" | "folder">,
): Promise<void> {
  const list = async (...args: readonly string[]) =>
    splitNul(await repo.git.bytes([...args, tree]));
  const others = new Set(await list("diff", "--name-only", "-z", "--no-renames", "--no-ext-diff"));
  for (const path of await list("ls-tree", "-r", "-z", "--name-only", "--full-tree")) {
    if (others.has(path)) continue;
    const { isFile, mtime } = await Deno.lstat(join(repo.worktree, path)).catch(() => GONE);
    if (isFile && mtime !== null) await Deno.utime(join(folder, path), mtime, mtime);
  }
}

const GONE = { isFile: false, mtime: null };

/** Sections of the settings that tests ask for; no address in them is used by this program. */
const KEPT = /^\[(?:remote|branch|submodule|filter|lfs|user)\b.*\n(?:(?!\[).*\n?)*/gim;

/** The least that git takes for a repository; tests of a project may ask git for files, commits and tags. */
async function makeGitFolder(
  repo: Repository,
  { folder, head, below }: CheckoutOptions,
): Promise<void> {
  const git = join(folder, ".git");
  for (const path of ["objects/info", "objects/pack", "refs/heads", "refs/tags"]) {
    await Deno.mkdir(join(git, path), { recursive: true }).catch((cause) => {
      throw makeIoError(`make the folder "${git}"`, cause);
    });
  }
  const kept = (name: string) =>
    readControlTextIfUsable(join(repo.commonDir, name), "memory", { within: repo.commonDir });
  const isSha256 = repo.objectFormat === "sha256";
  const own = kept("config") ?? "";
  const config = `[core]\n\trepositoryformatversion = ${isSha256 ? 1 : 0}\n\tbare = false\n` +
    (isSha256 ? "[extensions]\n\tobjectformat = sha256\n" : "") + (own.match(KEPT) ?? []).join("");
  const refs = await listRefs(repo, "refs/");
  const files = {
    HEAD: head === null ? "ref: refs/heads/main\n" : `${head}\n`,
    config,
    "objects/info/alternates": `${join(repo.commonDir, "objects")}\n`,
    "packed-refs": [...refs].map(([name, oid]) => `${oid} ${name}\n`).join(""),
    shallow: kept("shallow"),
  };
  for (const [name, text] of Object.entries(files)) {
    if (text !== undefined) await writeOwnFile(join(git, name), text, { below });
  }
}
