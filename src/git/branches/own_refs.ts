/** Lists all refs of this program in a repository, and removes them when the program leaves it. */
import { OWN_REFS, SHARE_REFS } from "../ref_file.ts";
import { join } from "node:path";
import { parseTaskBranchName } from "./branch_name.ts";
import type { Repository } from "../repository.ts";

/** One ref of this program. */
export interface OwnRef {
  readonly ref: string;
  /** Id of the object that the ref names. */
  readonly id: string;
  /** Session that the ref was made for; null where its name does not tell. */
  readonly sessionId: string | null;
}

/** The refs below `refs/code-intel` that the program made for the work in this repository. */
export async function listOwnRefs(repo: Repository): Promise<readonly OwnRef[]> {
  return (await listRefs(repo, OWN_REFS)).filter(({ ref }) => !ref.startsWith(`${SHARE_REFS}/`));
}

/** The refs of packs that others share through this repository. */
export async function listShareRefs(repo: Repository): Promise<readonly OwnRef[]> {
  return await listRefs(repo, SHARE_REFS);
}

async function listRefs(repo: Repository, below: string): Promise<readonly OwnRef[]> {
  const format = "--format=%(objectname) %(refname)";
  const output = await repo.git.text(["for-each-ref", format, `${below}/`]);
  return output.split("\n").filter((line) => line !== "").map((line) => {
    const space = line.indexOf(" ");
    const ref = line.slice(space + 1);
    return { ref, id: line.slice(0, space), sessionId: toSessionId(ref) };
  });
}

/** Removes refs in one transaction; each only if it is unchanged since it was listed. */
export async function deleteRefs(
  repo: Repository,
  refs: readonly { readonly ref: string; readonly id: string }[],
): Promise<void> {
  if (refs.length === 0) return;
  const stdin = refs.map(({ ref, id }) => `delete ${ref} ${id}\n`).join("");
  await repo.git.bytes(["update-ref", "--stdin"], { stdin });
}

/** Removes the empty folders that git leaves when refs are deleted. */
export async function removeEmptyRefFolders({ commonDir }: Repository): Promise<void> {
  for (const folder of [OWN_REFS, `logs/${OWN_REFS}`]) await removeEmpty(join(commonDir, folder));
}

async function removeEmpty(folder: string): Promise<void> {
  const entries = await Array.fromAsync(Deno.readDir(folder)).catch(() => []);
  for (const { name, isDirectory } of entries) {
    if (isDirectory) await removeEmpty(join(folder, name));
  }
  // Without `recursive` only an empty folder is removed.
  await Deno.remove(folder).catch(() => {});
}

function toSessionId(ref: string): string | null {
  const [kind = "", ...rest] = ref.slice(OWN_REFS.length + 1).split("/");
  if (kind.startsWith("session_")) return kind;
  // The path is `branches/<branch>/<time>`; the name of a task branch tells its session.
  return kind === "branches"
    ? parseTaskBranchName(rest.slice(0, -1).join("/"))?.sessionId ?? null
    : null;
}
