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

/** What a command line or a tool call names: a range, else a commit, else the index or the worktree. */
export function chooseChange({ range, commit, isStaged, base = null }: {
  readonly range?: string | undefined;
  readonly commit?: string | undefined;
  readonly isStaged: boolean;
  readonly base?: string | null | undefined;
}): ChangeRequest {
  if (range !== undefined) return { kind: "range", range };
  if (commit !== undefined) return { kind: "commit", commit, base };
  return { kind: isStaged ? "staged" : "worktree", base };
}

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
    if (commit === null) return { problem: refuseName(request.commit, "--commit") };
    const parent = request.base ?? await resolveCommit(repo, `${commit}^1`);
    const before = parent === null ? null : await resolveCommit(repo, parent);
    if (parent !== null && before === null) return { problem: refuseName(parent, "--base") };
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
    return {
      problem: request.base === null
        ? makeProblem("no_commit", "There is no commit yet to compare with", {
          hint: "Commit once (git commit), or name a base: --base REF.",
        })
        : refuseName(request.base, "--base"),
    };
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
  const parts = /^(.*?)(\.\.\.?)(.*)$/.exec(range);
  const [from = "", to = ""] = [parts?.[1], parts?.[3]];
  const [before, after] = [
    await resolveCommit(repo, from || "HEAD"),
    await resolveCommit(repo, to || "HEAD"),
  ];
  if (parts === null || before === null || after === null) {
    return { problem: refuseName(range, "RANGE") };
  }
  const base = parts[2] === "..."
    ? await repo.git.lineOrNull(["merge-base", before, after]) ?? before
    : before;
  return {
    base: await readTree(repo, base),
    tree: await readTree(repo, after),
    label: `${after.slice(0, SHORT)} against ${base.slice(0, SHORT)}`,
    commit: after,
    namedBase: before,
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

function refuseName(name: string, option: string): Problem {
  return makeProblem("unknown_commit", `"${name}" names no commit of this repository`, {
    at: option,
    hint: "git log --oneline shows the commits; a shallow clone needs git fetch --unshallow.",
  });
}
