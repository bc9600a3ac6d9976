/**
 * Writes a commit with its message and moves a branch to it. Notes beside it recognise the own commit after a kill, and
 * a commit that a hook changed gets its trailers again.
 */
import { openOwnFolder } from "../index/own_store.ts";
import { join } from "node:path";
import { readControlText } from "../../base/files/control_file.ts";
import { writeOwnFile } from "../../base/files/own_folder.ts";
import type { Repository } from "../repository.ts";
import { readTip } from "../repository.ts";
import { CodeIntelError } from "../../base/errors.ts";
import type { Problem } from "../../base/problem.ts";
import { makeProblem } from "../../base/problem.ts";
import type { Words } from "../../base/text/words.ts";
import { SAME_CALL, say } from "../../base/text/words.ts";
import { decode } from "../git.ts";
import { makeHookProblem } from "./hooks.ts";
import { makeIdentityProblem } from "../locks.ts";
import { isSettingOn } from "../settings.ts";

/** A commit that is about to become the tip of a branch. */
export interface CommitIntent {
  readonly commit: string;
  /** Tree that was to be committed; hooks may have made another one of it. */
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
}

/** A merge that is about to become the tip of its base. */
export interface MergeIntent {
  readonly taskBranch: string;
  readonly taskTip: string;
  readonly base: string;
  readonly commit: string;
  /** Commit that index and files belonged to before the merge. */
  readonly from: string;
}

/** The notes, by the name of their file. */
export interface Intents {
  readonly commit: CommitIntent;
  readonly merge: MergeIntent;
}

/** Writes a note over the former one of the same kind, whose work is finished by then. */
export async function saveIntent<Kind extends keyof Intents>(
  repo: Repository,
  kind: Kind,
  intent: Intents[Kind],
): Promise<void> {
  const folder = await openOwnFolder(repo);
  await writeOwnFile(join(folder, `last-${kind}.json`), JSON.stringify(intent));
}

/** Reads a note; null when there is none or it cannot be read. */
export function loadIntent<Kind extends keyof Intents>(
  repo: Repository,
  kind: Kind,
): Intents[Kind] | null {
  try {
    const path = join(repo.gitDir, "code-intel", `last-${kind}.json`);
    const intent = JSON.parse(readControlText(path, "memory") ?? "null") as Intents[Kind] | null;
    return typeof intent?.commit === "string" ? intent : null;
  } catch {
    return null; // Without a note the state of the refs alone decides.
  }
}

const RESERVED = /^[ \t]*code-intel-[\w-]+[ \t]*:.*(?:\n[ \t]+\S.*)*/gim;

/** Lines of a message that look like the program's own trailers, with their continuation lines. */
export function listReserved(message: string): readonly string[] {
  return message.match(RESERVED) ?? [];
}

/** A commit as git keeps it. */
export interface RawCommit {
  readonly tree: string;
  readonly parents: readonly string[];
  /** Name, address and time, as git writes them. */
  readonly author: string;
  readonly message: string;
}

/** Reads a commit. */
export async function readCommit(repo: Repository, commit: string): Promise<RawCommit> {
  const raw = await repo.git.text(["cat-file", "commit", commit]);
  const gap = raw.indexOf("\n\n");
  const headers = raw.slice(0, gap).split("\n");
  const read = (name: string) =>
    headers.flatMap((line) => line.startsWith(`${name} `) ? [line.slice(name.length + 1)] : []);
  return {
    tree: read("tree")[0] ?? "",
    parents: read("parent"),
    author: read("author")[0] ?? "",
    message: raw.slice(gap + 2),
  };
}

/**
 * Gives the tip the program's trailers of `message` in the place of those that it has. Answers the tip that says them;
 * null where the branch cannot be brought to one.
 */
export async function rewriteTrailers(
  repo: Repository,
  { branch, tip, message }: {
    readonly branch: string;
    readonly tip: string;
    readonly message: string;
  },
): Promise<string | null> {
  const found = await readCommit(repo, tip);
  const right = listReserved(message);
  if (listReserved(found.message).join("\n") === right.join("\n")) return tip;
  const own = found.message.replaceAll(RESERVED, "").trim();
  const trailers = right.map((line) => parseTrailer(line));
  const text = own === "" ? message : formatCommitMessage(own, trailers);
  try {
    const written = await writeCommit(repo, { ...found, message: text });
    if (written.kind === "refused") return null;
    const { commit } = written;
    const reason = "code-intel: says how a commit that a hook changed was verified";
    const moved = await moveBranch(repo, { branch, commit, expected: tip, reason });
    return moved.kind === "moved" && await readTip(repo, branch) === commit ? commit : null;
  } catch (failure) {
    // The commit is made: what its message says is reported, and stops nothing.
    if (!(failure instanceof CodeIntelError)) throw failure;
    return null;
  }
}

function parseTrailer(line: string): readonly [name: string, value: string] {
  const colon = line.indexOf(":");
  return [line.slice(0, colon).trim(), line.slice(colon + 1)];
}

/** A refusal that changed nothing. */
export interface GitRefusal {
  /** Distinguishes a refusal from results that changed something. */
  readonly kind: "refused";
  /** Why it was refused, and the next step. */
  readonly problem: Problem;
}

/** Content of a commit. */
export interface CommitContent {
  /** Object id of the tree. */
  readonly tree: string;
  /** Parent commits; the branch that goes on comes first. */
  readonly parents: readonly string[];
  /** The whole message, trailers included. */
  readonly message: string;
  /** Who wrote it and when, as git keeps that; default: the user, now. */
  readonly author?: string;
}

/** Makes a refusal from the parts of a problem. */
export function refuseWith(code: string, message: string, hint: Words): GitRefusal {
  return { kind: "refused", problem: makeProblem(code, message, { hint }) };
}

/** Appends trailers to a message, so that `git interpret-trailers` reads them back. */
export function formatCommitMessage(
  message: string,
  trailers: readonly (readonly [name: string, value: string])[],
): string {
  const body = message.replaceAll("\r\n", "\n").replaceAll("\0", "").trim();
  if (trailers.length === 0) return `${body}\n`;
  const lines = trailers.map(([name, value]) => `${name}: ${value.replaceAll(/\s+/g, " ").trim()}`);
  // Trailers are added to a block that is there already; otherwise a blank line starts one.
  const last = body.split("\n\n").at(-1) ?? "";
  const hasBlock = body.includes("\n\n") &&
    last.split("\n").every((line) => /^[A-Za-z0-9-]+: \S/.test(line));
  return `${body}${hasBlock ? "\n" : "\n\n"}${lines.join("\n")}\n`;
}

/** Writes a commit in the user's name, signed where they sign theirs; no branch moves. */
export async function writeCommit(
  repo: Repository,
  content: CommitContent,
): Promise<{ readonly kind: "written"; readonly commit: string } | GitRefusal> {
  const isSigned = await isSettingOn(repo, "commit.gpgSign");
  const args = [
    "commit-tree",
    content.tree,
    ...content.parents.flatMap((parent) => ["-p", parent]),
    ...(isSigned ? ["-S"] : []),
    "-F",
    "-",
  ];
  try {
    const env = parseAuthor(content.author);
    const result = await repo.git.run(args, { stdin: content.message, env });
    if (result.code === 0) return { kind: "written", commit: decode(result.stdout).trim() };
    if (
      /identity unknown|tell me who you are|empty ident|user\.useConfigOnly/i.test(result.stderr)
    ) {
      return { kind: "refused", problem: makeIdentityProblem() };
    }
    if (isSigned) return refuseSigning(result.stderr);
    throw new CodeIntelError("git_failed", `Cannot write the commit: ${result.stderr.trim()}`, {
      hint: "Check that the git folder can be written and has free space.",
    });
  } catch (cause) {
    const isTimeout = cause instanceof CodeIntelError && cause.code === "timed_out";
    if (isTimeout && isSigned) return refuseSigning("the signing program did not end");
    throw cause;
  }
}

function parseAuthor(author = ""): Readonly<Record<string, string>> {
  const [, name, email, date] = /^(.*) <(.*)> (\d+ [-+]\d+)$/.exec(author) ?? [];
  if (name === undefined || email === undefined || date === undefined) return {};
  return { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_AUTHOR_DATE: `@${date}` };
}

function refuseSigning(output: string): GitRefusal {
  return refuseWith(
    "git_signing_failed",
    `The commit could not be signed: ${output.trim().slice(-1000)}`,
    say`Nothing was committed and nothing is lost: ask the person to unlock or repair the signing key, then ${SAME_CALL} again.`,
  );
}

/** Moving a branch to a new commit. */
export interface BranchMove {
  readonly branch: string;
  readonly commit: string;
  /** The tip that the branch must still have. */
  readonly expected: string;
  /** Message for the reflog. */
  readonly reason: string;
  /** How long git waits for the lock of the branch, in milliseconds; default {@link REF_LOCK_TIMEOUT_MS}. */
  readonly lockTimeoutMs?: number;
}

/** The outcome of {@link moveBranch}. */
export type MoveResult =
  | { readonly kind: "moved" }
  /** Somebody else moved the branch meanwhile. */
  | { readonly kind: "lost_race" }
  /** The repository refuses: by a hook, missing rights, or a lock that does not go away. */
  | { readonly kind: "rejected"; readonly problem: Problem };

/**
 * How long git waits for the lock of a branch: a git that outlived a killed process may hold it
 * longer than git's own 100 ms.
 */
const REF_LOCK_TIMEOUT_MS = 3_000;

const ABORTED = /aborted by (?:the reference-transaction )?hook/;

/**
 * Moves a branch to the session's commit or merge, with the project's hooks, if it still has the
 * expected tip.
 */
export async function moveBranch(repo: Repository, move: BranchMove): Promise<MoveResult> {
  const ref = `refs/heads/${move.branch}`;
  const reason = move.reason.replaceAll(/\s+/g, " ").slice(0, 200);
  const { lockTimeoutMs = REF_LOCK_TIMEOUT_MS } = move;
  const patience = ["-c", `core.filesRefLockTimeout=${lockTimeoutMs}`];
  const args = [...patience, "update-ref", "-m", reason, ref, move.commit, move.expected];
  const result = await repo.git.run(args, { hooks: "of_ref" });
  if (result.code === 0) return { kind: "moved" };
  if (/but expected|reference already exists|unable to resolve reference/.test(result.stderr)) {
    return { kind: "lost_race" };
  }
  if (ABORTED.test(result.stderr)) {
    // What git adds says nothing that the name of the hook does not.
    const said = result.stderr.split("\n").filter((line) => !ABORTED.test(line)).join("\n");
    return { kind: "rejected", problem: makeHookProblem("reference-transaction", said) };
  }
  const message = `The branch "${move.branch}" cannot be moved: ${result.stderr.trim()}`;
  return {
    kind: "rejected",
    problem: makeProblem("branch_update_rejected", message, {
      hint: say`Ask the person to look at the branch and its lock file, then ${SAME_CALL} again.`,
    }),
  };
}

/**
 * Moves a branch back from a commit that index and files cannot follow, so that nothing was changed. False where the
 * branch cannot be moved either.
 */
export async function rollBackBranch(
  repo: Repository,
  { branch, commit, to }: { readonly branch: string; readonly commit: string; readonly to: string },
): Promise<boolean> {
  const reason = "code-intel: taken back, the index cannot follow";
  const move = { branch, commit: to, expected: commit, reason };
  return (await moveBranch(repo, move)).kind === "moved";
}
