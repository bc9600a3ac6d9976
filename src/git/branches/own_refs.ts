/** All refs of the program in a repository, and their removal when the program leaves it. */
import { join } from "node:path";
import { parseTaskBranchName } from "./branch_name.ts";
import type { Repository } from "../repository.ts";
import { OWN_REFS } from "../snapshots/snapshots.ts";

/** One ref of the program. */
export interface OwnRef {
  readonly ref: string;
  /** Object that it names. */
  readonly id: string;
  /** Session that it was made for; null where the name says none. */
  readonly sessionId: string | null;
}

/** Every ref below `refs/code-intel`. */
export async function listOwnRefs(repo: Repository): Promise<readonly OwnRef[]> {
  const format = "--format=%(objectname) %(refname)";
  const output = await repo.git.text(["for-each-ref", format, `${OWN_REFS}/`]);
  return output.split("\n").filter((line) => line !== "").map((line) => {
    const space = line.indexOf(" ");
    const ref = line.slice(space + 1);
    return { ref, id: line.slice(0, space), sessionId: toSessionId(ref) };
  });
}

/** Removes refs in one transaction, each only where it is as it was listed. */
export async function deleteRefs(
  repo: Repository,
  refs: readonly { readonly ref: string; readonly id: string }[],
): Promise<void> {
  if (refs.length === 0) return;
  const stdin = refs.map(({ ref, id }) => `delete ${ref} ${id}\n`).join("");
  await repo.git.bytes(["update-ref", "--stdin"], { stdin });
}

/** Removes the empty folders that git leaves where refs were. */
export async function removeEmptyRefFolders({ commonDir }: Repository): Promise<void> {
  for (const folder of [OWN_REFS, `logs/${OWN_REFS}`]) await removeEmpty(join(commonDir, folder));
}

async function removeEmpty(folder: string): Promise<void> {
  const entries = await Array.fromAsync(Deno.readDir(folder)).catch(() => []);
  for (const { name, isDirectory } of entries) {
    if (isDirectory) await removeEmpty(join(folder, name));
  }
  // Without `recursive` a folder that holds anything stays.
  await Deno.remove(folder).catch(() => {});
}

function toSessionId(ref: string): string | null {
  const [kind = "", ...rest] = ref.slice(OWN_REFS.length + 1).split("/");
  if (kind.startsWith("session_")) return kind;
  // `branches/<name of the branch>/<time>`: the name says the session, where it was a task branch.
  return kind === "branches"
    ? parseTaskBranchName(rest.slice(0, -1).join("/"))?.sessionId ?? null
    : null;
}
