/**
 * Makes the tip of a branch say of its verification what is true of it, after hooks amended a commit or put another on
 * it: an amended commit keeps the words about the files that it had before.
 */
import { CodeIntelError } from "../../base/errors.ts";
import { moveBranch, toCommitMessage, writeCommit } from "./new_commit.ts";
import type { Repository } from "../repository.ts";
import { readTip } from "../repository.ts";

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
export async function restate(
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
  const trailers = right.map((line) => toTrailer(line));
  const text = own === "" ? message : toCommitMessage(own, trailers);
  try {
    const written = await writeCommit(repo, { ...found, message: text });
    if (written.kind === "refused") return null;
    const { commit } = written;
    const reason = "code-intel: says how a commit that a hook changed was verified";
    const moved = await moveBranch(repo, { branch, commit, expected: tip, reason });
    return moved.kind === "moved" && await readTip(repo, branch) === commit ? commit : null;
  } catch (failure) {
    // The commit is made: what its message says is told, and stops nothing.
    if (!(failure instanceof CodeIntelError)) throw failure;
    return null;
  }
}

function toTrailer(line: string): readonly [name: string, value: string] {
  const colon = line.indexOf(":");
  return [line.slice(0, colon).trim(), line.slice(colon + 1)];
}
