/** What a push brings to a remote, from the lines that git gives to its hook. */
import type { Repository } from "../repository.ts";

const NONE = /^0+$/;
/** What is no work of its own: marks on commits, and words beside them. */
const PASSED_OVER = /^refs\/(?:tags|notes)\//;

/**
 * The ranges of commits that a push brings, as `BASE..COMMIT`.
 *
 * @param text Lines `LOCAL_REF COMMIT REMOTE_REF COMMIT_THERE` of git. Without a line HEAD is taken: another hook may have read them.
 */
export async function listPushedRanges(repo: Repository, text: string): Promise<readonly string[]> {
  const rows = text.split("\n").map((line) => line.trim().split(/\s+/))
    .filter((row) => row.length === 4);
  const pushed = rows.length === 0 ? [["HEAD", "HEAD", "", "0"]] : rows;
  const ranges: string[] = [];
  for (const [, commit = "", ref = "", there = ""] of pushed) {
    if (NONE.test(commit) || PASSED_OVER.test(ref)) continue;
    const base = await findBase(repo, commit, there);
    if (base !== null && base !== commit) ranges.push(`${base}..${commit}`);
  }
  return [...new Set(ranges)];
}

/**
 * Where what is new begins: in what the remote has below this name, else before the first commit that no remote has.
 * A history that begins there is compared with its first commit, and that one with the empty tree. Null for nothing new.
 */
async function findBase(repo: Repository, commit: string, there: string): Promise<string | null> {
  const ask = async (...words: readonly string[]) => await repo.git.lineOrNull(words);
  const shared = NONE.test(there) ? null : await ask("merge-base", there, commit);
  if (shared !== null) return shared;
  const fresh = await ask("rev-list", "--topo-order", commit, "--not", "--remotes");
  const first = fresh?.split("\n").at(-1) ?? "";
  if (first === "") return null;
  const parent = await ask("rev-parse", "--verify", "--quiet", `${first}^1`);
  if (parent !== null) return parent;
  return fresh === first ? await repo.git.line(["mktree"]) : first;
}
