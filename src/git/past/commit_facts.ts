/** Asks git for what is not kept of commits: who made them, and their messages whole. */
import type { TreePath } from "../../base/paths.ts";
import { CodeIntelError } from "../../base/errors.ts";
import { clip, clipLine } from "../../base/text/clip.ts";
import { decode } from "../git.ts";
import type { Repository } from "../repository.ts";
import type { BlameOptions } from "./blame.ts";

/** Who made a commit, when and why. */
export interface CommitFacts {
  readonly id: string;
  /** Name of the author on one line. */
  readonly author: string;
  /** Seconds since 1970, as the committer's clock had them. */
  readonly atSeconds: number;
  readonly message: string;
}

const MAX_AUTHOR_CHARS = 80;
const MAX_MESSAGE_CHARS = 4_000;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
// Two NUL at its begin tell a commit from all that a message or a name may hold.
const FORMAT = "--format=tformat:%x00%x00%H%x00%an%x00%ct%x00%B%x00";

/**
 * The facts of commits by their ids; those that git cannot tell are left out.
 *
 * @throws {CodeIntelError} `cancelled`, `git_missing`.
 */
export async function readCommitFacts(
  repo: Repository,
  ids: readonly string[],
  options: BlameOptions,
): Promise<ReadonlyMap<string, CommitFacts>> {
  if (ids.length === 0) return new Map();
  const stdin = ids.map((id) => `${id}\n`).join("");
  const args = ["rev-list", "--no-walk=unsorted", "--ignore-missing", "--stdin", FORMAT];
  const output = await ask(repo, args, { ...options, stdin });
  const facts = new Map<string, CommitFacts>();
  const fields = (output ?? "").split("\0");
  for (let at = 2; at + 3 < fields.length; at++) {
    const [id = "", author = "", seconds = "", message = ""] = fields.slice(at, at + 4);
    if (fields[at - 1] !== "" || !/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(id)) continue;
    facts.set(id, {
      id,
      author: clipLine(author, MAX_AUTHOR_CHARS),
      atSeconds: Number(seconds) || 0,
      message: clip(message.trim(), MAX_MESSAGE_CHARS),
    });
    at += 3;
  }
  return facts;
}

/**
 * The last commit that changed a file, under its present name; null where there is none or git cannot tell in time.
 *
 * @throws {CodeIntelError} `cancelled`, `git_missing`.
 */
export async function findLastCommit(
  repo: Repository,
  path: TreePath,
  options: BlameOptions,
): Promise<string | null> {
  const args = ["--literal-pathspecs", "rev-list", "--max-count=1", "HEAD", "--", path];
  const id = (await ask(repo, args, options))?.trim();
  return id === undefined || id === "" ? null : id;
}

async function ask(
  repo: Repository,
  args: readonly string[],
  { timeoutMs, signal, stdin }: BlameOptions & { readonly stdin?: string },
): Promise<string | null> {
  try {
    return decode(
      await repo.git.bytes(args, {
        timeoutMs,
        maxOutputBytes: MAX_OUTPUT_BYTES,
        ...(stdin === undefined ? {} : { stdin }),
        ...(signal === undefined ? {} : { signal }),
      }),
    );
  } catch (failure) {
    if (!(failure instanceof CodeIntelError)) throw failure;
    if (failure.code !== "git_failed" && failure.code !== "timed_out") throw failure;
    return null;
  }
}
