/** The name of what is checked out, which every answer tells: read again only when HEAD is another file. */
import { join } from "node:path";
import type { Clock } from "../base/clock.ts";
import { SYSTEM_CLOCK } from "../base/clock.ts";
import type { FileStamp } from "../base/files/file_stamp.ts";
import { isSameStamp, lookIfThere, toStamp, wasOldAt } from "../base/files/file_stamp.ts";
import type { OpenRepo } from "../git/private_repository.ts";
import { readHeadFile } from "../git/store_files.ts";
import { readHead } from "../git/repository.ts";

interface Known {
  readonly stamp: FileStamp;
  readonly readAtMs: number;
  readonly name: string;
}

const COMMIT_CHARS = 10;

/** Reads the branch that is checked out, or the beginning of a detached commit; null without git. */
export function createBranchReader(
  openRepo: OpenRepo,
  clock: Clock = SYSTEM_CLOCK,
): () => Promise<string | null> {
  let known: Known | null = null;
  return async () => {
    const repo = await openRepo();
    if (repo === null) return null;
    const info = lookIfThere(join(repo.gitDir, "HEAD"));
    const stamp = info === null ? null : toStamp(info);
    if (
      stamp !== null && known !== null && isSameStamp(known.stamp, stamp) &&
      wasOldAt(stamp, known.readAtMs)
    ) return known.name;
    const readAtMs = clock.now().getTime();
    // Where refs have another store, its file stays the same whatever is checked out.
    const named = readHeadFile(repo);
    const head = named !== null && "branch" in named ? named : await readHead(repo);
    const name = "branch" in head ? head.branch : head.commit.slice(0, COMMIT_CHARS);
    known = stamp === null || named === null ? null : { stamp, readAtMs, name };
    return name;
  };
}
