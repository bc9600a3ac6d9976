/** What keeps git from working: locks, an operation under way in the worktree, and a missing name of the user. */
import { either, SAME_CALL, say } from "../base/text/words.ts";
import type { Problem } from "../base/problem.ts";
import { makeProblem } from "../base/problem.ts";
import type { Repository } from "./repository.ts";
import { readSettings } from "./settings.ts";
import { join, relative } from "node:path";
import { CodeIntelError } from "../base/errors.ts";

/** The refusal of a commit for which git lacks a name or an address; null when it knows both. */
export async function checkIdentity(repo: Repository): Promise<Problem | null> {
  if (await isPlainlyKnown(repo)) return null;
  const results = await Promise.all(
    ["GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT"].map((name) => repo.git.run(["var", name])),
  );
  return results.every((result) => result.code === 0) ? null : makeIdentityProblem();
}

/** Variables by which a name or an address is given. */
const VARIABLES = /^(?:GIT_(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL)|EMAIL)$/;

/**
 * Whether the settings have a name and an address, and nothing else gives others: then git has
 * nothing to object. Every other case is for git to judge.
 */
async function isPlainlyKnown(repo: Repository): Promise<boolean> {
  if (Object.keys(Deno.env.toObject()).some((name) => VARIABLES.test(name))) return false;
  const values = new Map((await readSettings(repo)).map(({ key, value }) => [key, value ?? ""]));
  if ([...values.keys()].some((key) => /^(?:author|committer)\./.test(key))) return false;
  return ["user.name", "user.email"].every((key) => /[\p{L}\p{N}]/u.test(values.get(key) ?? ""));
}

/** The refusal for a git that does not know who commits. */
export function makeIdentityProblem(): Problem {
  return makeProblem("git_identity_missing", "git does not know who commits: no name or address", {
    hint: say`${
      either({ agent: "Ask the person to run", person: "Run" })
    }: git config user.name "NAME" && git config user.email "ADDRESS"`,
  });
}

/** An operation that is under way in a worktree. */
export interface GitOperation {
  /** With its article: `a rebase`. */
  readonly name: string;
  /** Commands of git that end it. */
  readonly ways: readonly string[];
}

const BISECT = "a bisect";

/** The file by which git knows that an operation is under way; the first that exists counts. */
const OPERATIONS: readonly (readonly [file: string, name: string, ways: readonly string[]])[] = [
  ["rebase-merge", "a rebase", listWaysOut("rebase", "--continue", "--skip", "--abort")],
  ["rebase-apply/applying", "`git am`", listWaysOut("am", "--continue", "--skip", "--abort")],
  ["rebase-apply", "a rebase", listWaysOut("rebase", "--continue", "--skip", "--abort")],
  ["MERGE_HEAD", "a merge", listWaysOut("merge", "--continue", "--abort")],
  [
    "CHERRY_PICK_HEAD",
    "a cherry-pick",
    listWaysOut("cherry-pick", "--continue", "--skip", "--abort"),
  ],
  ["REVERT_HEAD", "a revert", listWaysOut("revert", "--continue", "--skip", "--abort")],
  ["sequencer", "a cherry-pick or revert of several commits", [
    ...listWaysOut("cherry-pick", "--continue", "--abort"),
    ...listWaysOut("revert", "--continue", "--abort"),
  ]],
  ["BISECT_LOG", BISECT, listWaysOut("bisect", "reset")],
];

function listWaysOut(command: string, ...endings: readonly string[]): readonly string[] {
  return endings.map((ending) => `git ${command} ${ending}`);
}

/** The operation that is under way in the worktree; null for none. */
export async function findOperation(
  { gitDir }: Pick<Repository, "gitDir">,
): Promise<GitOperation | null> {
  for (const [file, name, ways] of OPERATIONS) {
    const isThere = await Deno.lstat(join(gitDir, file)).then(() => true, () => false);
    if (isThere) return { name, ways };
  }
  return null;
}

/** The ways out as one text: `` `git merge --continue` or `git merge --abort` ``. */
export function formatWaysOut({ ways }: GitOperation): string {
  return ways.map((way) => `\`${way}\``).join(" or ");
}

/**
 * Refuses while an operation is under way, as git itself refuses to switch branches: a commit or a merge between its
 * steps would become part of it.
 *
 * @throws {CodeIntelError} `git_under_way`
 */
export async function expectNoOperation(repo: Repository): Promise<void> {
  const operation = await findOperation(repo);
  // Git commits and switches in the middle of a bisect too.
  if (operation === null || operation.name === BISECT) return;
  throw new CodeIntelError("git_under_way", `In this worktree ${operation.name} is under way`, {
    hint: say`Ask the person to end it (${formatWaysOut(operation)}), then ${SAME_CALL} again.`,
    details: { operation: operation.name },
  });
}

/** What is about to be written, beside HEAD and the index. */
export interface WriteScope {
  /** Branches that move, appear or go. */
  readonly branches?: readonly string[];
  /** True where a branch is deleted, for which git also locks the packed refs. */
  readonly isDeleting?: boolean;
}

/** A lock is waited for until it is so old: most are held for some milliseconds (git's own patience is one second). */
const PATIENCE_MS = 3_000;
const PAUSE_MS = 50;

/**
 * Waits for a young lock to go. Refuses while a lock stays, or in the middle of a rebase, a merge
 * and the like.
 *
 * @throws {CodeIntelError} `git_locked`, `git_under_way`
 */
export async function expectUnlocked(repo: Repository, parts: WriteScope = {}): Promise<void> {
  await expectNoOperation(repo);
  const paths = listLockPaths(repo, parts);
  const endMs = performance.now() + PATIENCE_MS;
  for (;;) {
    const lock = await findLock(paths);
    if (lock === null) return;
    if (performance.now() >= endMs || lock.ageMs > PATIENCE_MS) {
      throw makeLockedError(repo, lock.path);
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/** Where git locks HEAD, the index and branches, whichever way the repository stores its refs. */
function listLockPaths(
  { gitDir, commonDir }: Repository,
  { branches = [], isDeleting = false }: WriteScope,
): readonly string[] {
  return [
    join(gitDir, "index.lock"),
    join(gitDir, "HEAD.lock"),
    ...branches.map((branch) => join(commonDir, "refs/heads", `${branch}.lock`)),
    ...(isDeleting ? [join(commonDir, "packed-refs.lock")] : []),
    ...[gitDir, commonDir].map((folder) => join(folder, "reftable/tables.list.lock")),
  ];
}

async function findLock(
  paths: readonly string[],
): Promise<{ readonly path: string; readonly ageMs: number } | null> {
  for (const path of paths) {
    const info = await Deno.lstat(path).catch(() => null);
    if (info !== null) return { path, ageMs: Date.now() - (info.mtime?.getTime() ?? 0) };
  }
  return null;
}

/** The refusal beside a lock that stays, with what to do about it. */
function makeLockedError({ worktree }: Repository, path: string): CodeIntelError {
  const inside = relative(worktree, path);
  const shown = inside.startsWith("..") ? path : inside;
  return new CodeIntelError("git_locked", `Another git holds the lock "${shown}"`, {
    hint:
      say`Wait until that git is done (a commit that waits for its message, a git of the editor). Where none runs, a killed git left the file: ask the person to remove "${shown}". Then ${SAME_CALL} again.`,
    details: { lock: path },
  });
}

/** Adds what is done already to the failure of the rest, so that nobody takes it for undone. */
export function addCompleted(made: string, failure: unknown): unknown {
  if (!(failure instanceof CodeIntelError) || failure.details.made !== undefined) return failure;
  const { code, message, hint, details } = failure;
  const more = { ...details, made };
  return new CodeIntelError(code, `${made}. ${message}`, { hint, details: more, cause: failure });
}
