/**
 * Notes what the program is about to do to a ref, so that it recognises its own work after a kill.
 */
import { join } from "node:path";
import { readControlText } from "../../base/files/control_file.ts";
import { writeOwnFile } from "../../base/files/own_folder.ts";
import { openOwnFolder } from "../index/private_index.ts";
import type { Repository } from "../repository.ts";

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
