/** Finds the two trees of a change that somebody names: what would be committed, the index, a commit, or a range. */
import type { Problem } from "../base/problem.ts";
import { makeProblem } from "../base/problem.ts";
import type { Repository } from "../git/repository.ts";
import { readHead, readTree } from "../git/repository.ts";
import { diffTrees } from "../git/trees/changes.ts";
import type { Trees } from "../ledger/trees.ts";
import type { Change } from "./change.ts";

/** What is to be proven. */
export type ChangeRequest =
  | { readonly kind: "worktree" | "staged"; readonly base: string | null }
  | { readonly kind: "commit"; readonly commit: string; readonly base: string | null }
  | { readonly kind: "range"; readonly range: string };

/** A change with its names. */
export interface NamedChange extends Change {
  /** What was compared, such as `the worktree against origin/main (1a2b3c4)`. */
  readonly label: string;
  /** True where the worktree holds the tree with the change. */
  readonly isInWorktree: boolean;
  /** The commit that is proven; null for what is not committed. */
  readonly commit: string | null;
  /** The commit that was named as the base of a range, which need not be where the change left it; null for other changes. */
  readonly namedBase: string | null;
}

/** The change, or why it cannot be read. */
export type ReadChange =
  | { readonly kind: "change"; readonly change: NamedChange }
  | { readonly kind: "refused"; readonly problem: Problem };

/** The private index of proofs. */
const INDEX = "prove";
const SHORT = 10;

/** Reads a change of a repository. */
export async function readChange(
  place: { readonly repo: Repository; readonly trees: Trees },
  request: ChangeRequest,
  options: { readonly maxFileMb: number },
): Promise<ReadChange> {
  const sides = await readSides(place, request, options);
  if ("problem" in sides) return { kind: "refused", problem: sides.problem };
  const { base, tree, label, commit, namedBase = null } = sides;
  const files = base === tree ? [] : await diffTrees(place.repo, base, tree);
  const isInWorktree = request.kind === "worktree";
  return { kind: "change", change: { base, tree, files, label, isInWorktree, commit, namedBase } };
}

type Sides =
  | {
    readonly base: string;
    readonly tree: string;
    readonly label: string;
    readonly commit: string | null;
    readonly namedBase?: string;
  }
  | { readonly problem: Problem };

async function readSides(
  { repo, trees }: { readonly repo: Repository; readonly trees: Trees },
  request: ChangeRequest,
  { maxFileMb }: { readonly maxFileMb: number },
): Promise<Sides> {
  if (request.kind === "range") return await readRange(repo, request.range);
  if (request.kind === "commit") {
    const commit = await resolveCommit(repo, request.commit);
    if (commit === null) return refuseName(request.commit, "--commit");
    const parent = request.base ?? await resolveCommit(repo, `${commit}^1`);
    const before = parent === null ? null : await resolveCommit(repo, parent);
    if (parent !== null && before === null) return refuseName(parent, "--base");
    if (before === null && await isCutOff(repo, commit)) {
      const message = `The parent of ${commit.slice(0, SHORT)} is not in this shallow clone`;
      const hint = "git fetch --deepen=1 brings it; or name what to compare with: --base REF.";
      return refuse("parent_missing", message, "--commit", hint);
    }
    return {
      base: before === null ? await readEmptyTree(repo) : await readTree(repo, before),
      tree: await readTree(repo, commit),
      label: `${commit.slice(0, SHORT)} against ${before?.slice(0, SHORT) ?? "nothing"}`,
      commit,
    };
  }
  const base = request.base === null ? await findBase(repo) : {
    commit: await resolveCommit(repo, request.base),
    name: request.base,
  };
  if (base.commit === null) {
    const hint = "Commit once (git commit), or name a base: --base REF.";
    return request.base === null
      ? refuse("no_commit", "There is no commit yet to compare with", "--base", hint)
      : refuseName(request.base, "--base");
  }
  const isStaged = request.kind === "staged";
  const tree = isStaged
    ? await repo.git.line(["write-tree"])
    : await trees.write({ sessionId: INDEX, maxFileMb });
  const what = isStaged ? "the index" : "the worktree";
  return {
    base: await readTree(repo, base.commit),
    tree,
    label: `${what} against ${base.name} (${base.commit.slice(0, SHORT)})`,
    commit: null,
  };
}

async function readRange(repo: Repository, range: string): Promise<Sides> {
  const [, from = "", dots, to = ""] = /^(.*?)(\.\.\.?)(.*)$/.exec(range) ?? [];
  if (dots === undefined) {
    if (await resolveCommit(repo, range) === null) return refuseName(range, "RANGE");
    const hint = `Its own change: --commit ${range}. What came since: --base ${range}.`;
    return refuse("no_range", `"${range}" is a commit, not a range`, "RANGE", hint);
  }
  const empty = await readEmptyTree(repo);
  const before = from === empty ? null : await resolveCommit(repo, from || "HEAD");
  const after = await resolveCommit(repo, to || "HEAD");
  if (after === null || (before === null && from !== empty)) return refuseName(range, "RANGE");
  const own = { tree: await readTree(repo, after), commit: after };
  const name = after.slice(0, SHORT);
  if (before === null) return { ...own, base: empty, label: `${name} against nothing` };
  const base = dots === "..."
    ? await repo.git.lineOrNull(["merge-base", before, after]) ?? before
    : before;
  return {
    ...{ ...own, base: await readTree(repo, base), namedBase: before },
    label: `${name} against ${base.slice(0, SHORT)}`,
  };
}

/** Where the branch left its upstream; HEAD where it has none. */
async function findBase(
  repo: Repository,
): Promise<{ readonly commit: string | null; readonly name: string }> {
  const { commit } = await readHead(repo);
  if (commit === null) return { commit: null, name: "HEAD" };
  const words = ["rev-parse", "--abbrev-ref", "--symbolic-full-name", "@{upstream}"];
  const upstream = await repo.git.lineOrNull(words);
  const base = upstream === null
    ? null
    : await repo.git.lineOrNull(["merge-base", "HEAD", upstream]);
  return base === null || upstream === null
    ? { commit, name: "HEAD" }
    : { commit: base, name: upstream };
}

async function resolveCommit(repo: Repository, name: string): Promise<string | null> {
  if (name.startsWith("-")) return null;
  return await repo.git.lineOrNull(["rev-parse", "--verify", "--quiet", `${name}^{commit}`]);
}

async function readEmptyTree(repo: Repository): Promise<string> {
  return await repo.git.line(["mktree"]);
}

/** Whether a commit has parents that a shallow clone does not hold. */
async function isCutOff(repo: Repository, commit: string): Promise<boolean> {
  const [head = ""] = (await repo.git.text(["cat-file", "commit", commit])).split("\n\n");
  return head.includes("\nparent ");
}

function refuse(code: string, message: string, at: string, hint: string): { problem: Problem } {
  return { problem: makeProblem(code, message, { at, hint }) };
}

function refuseName(name: string, option: string) {
  const hint = "git log --oneline shows the commits; a shallow clone needs git fetch --unshallow.";
  return refuse("unknown_commit", `"${name}" names no commit of this repository`, option, hint);
}
