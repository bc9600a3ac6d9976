/** The refs of this program in a repository: kept tips of branches, notes about commits, and all of them for a removal. */
import { isObjectId, OWN_REFS, SHARE_REFS } from "../store_files.ts";
import type { GitRefusal } from "./new_commit.ts";
import { refuseWith } from "./new_commit.ts";
import { makeGitError, splitNul } from "../git.ts";
import type { Repository } from "../repository.ts";
import { listRefs, readTip } from "../repository.ts";
import { buildZeroId } from "../snapshots/snapshots.ts";
import { join } from "node:path";
import { parseTaskBranchName } from "./branches.ts";

/** One kept tip; a branch that was deleted more than once has several. */
export interface KeptTip {
  /** Name of the branch. */
  readonly branch: string;
  /** Full name of the ref that keeps the tip. */
  readonly ref: string;
  /** Commit that the branch pointed at. */
  readonly tip: string;
  /** When it was deleted, as an ISO time. */
  readonly at: string;
  /** First line of the message of the tip. */
  readonly subject: string;
}

const PREFIX = `${OWN_REFS}/branches/`;
const TIME = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z$/;

/** All kept tips, by branch, newest first. */
export async function listKeptBranches(repo: Repository): Promise<KeptTip[]> {
  const output = await repo.git.text([
    "for-each-ref",
    "--format=%(refname)%00%(objectname)%00%(contents:subject)%00",
    PREFIX,
  ]);
  const fields = output.split("\0");
  const kept: KeptTip[] = [];
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [name = "", tip = "", subject = ""] = fields.slice(at, at + 3);
    const ref = name.trim();
    const end = ref.lastIndexOf("/");
    const time = TIME.exec(ref.slice(end + 1));
    if (time === null) continue; // Not one of ours: a ref that somebody put there.
    const [, year, month, day, hour, minute, second, ms] = time;
    kept.push({
      branch: ref.slice(PREFIX.length, end),
      ref,
      tip,
      at: `${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`,
      subject,
    });
  }
  return kept.sort((one, other) =>
    one.branch === other.branch
      ? (one.at < other.at ? 1 : -1)
      : (one.branch < other.branch ? -1 : 1)
  );
}

/** The outcome of {@link restoreBranch}. */
export type RestoreBranchResult =
  | { readonly kind: "restored" | "present" }
  | GitRefusal;

/** Makes a deleted branch again at its kept tip; never moves a branch, HEAD or files. */
export async function restoreBranch(
  repo: Repository,
  { branch, tip }: Pick<KeptTip, "branch" | "tip">,
): Promise<RestoreBranchResult> {
  const now = await readTip(repo, branch);
  if (now === tip) return { kind: "present" };
  if (now !== null) {
    return refuseWith(
      "branch_exists",
      `The branch "${branch}" exists at another commit`,
      `Look at both: git log --oneline ${now.slice(0, 12)}...${tip.slice(0, 12)}; ` +
        `\`git branch NAME ${tip.slice(0, 12)}\` makes the kept one under another name.`,
    );
  }
  const args = ["update-ref", "-m", "code-intel: restored", `refs/heads/${branch}`, tip];
  const result = await repo.git.run([...args, buildZeroId(repo)]);
  if (result.code !== 0) throw makeGitError(args, result);
  return { kind: "restored" };
}

/** The ref under which the notes are kept, for `git fetch` and `git push`. */
export const NOTES_REF = "refs/notes/code-intel";

/** A note as git lists it. */
export interface GitNote {
  /** Blob of the text. */
  readonly oid: string;
  readonly sizeBytes: number;
}

/** The notes of one moment. */
export interface GitNoteList {
  /** Commit of the notes; null where there are none. */
  readonly tip: string | null;
  /** The notes by the commit that they are about; null for one that has several, which git itself never writes. */
  readonly entries: ReadonlyMap<string, GitNote | null>;
}

/** Lists the notes. */
export async function listNotes(repo: Repository): Promise<GitNoteList> {
  const tip = (await listRefs(repo, NOTES_REF)).get(NOTES_REF) ?? null;
  const entries = new Map<string, GitNote | null>();
  if (tip === null) return { tip, entries };
  const output = await repo.git.bytes(["ls-tree", "-r", "-l", "-z", "--full-tree", tip]);
  for (const row of splitNul(output)) {
    const match = /^\d{6} blob ([0-9a-f]+) +(\d+)\t([0-9a-f/]+)$/.exec(row);
    // git spreads many notes over folders that are named by the first digits.
    const object = match?.[3]?.replaceAll("/", "") ?? "";
    const [, oid = "", size] = match ?? [];
    if (!isObjectId(object)) continue;
    entries.set(object, entries.has(object) ? null : { oid, sizeBytes: Number(size) });
  }
  return { tip, entries };
}

/** One ref of this program. */
export interface OwnRef {
  readonly ref: string;
  /** Id of the object that the ref names. */
  readonly id: string;
  /** Session that the ref was made for; null where its name does not tell. */
  readonly sessionId: string | null;
}

/** All refs below `refs/code-intel/` but those that are shared, with the sessions that they belong to. */
export async function listOwnRefs(repo: Repository): Promise<readonly OwnRef[]> {
  return (await listBelow(repo, OWN_REFS)).filter(({ ref }) => !ref.startsWith(`${SHARE_REFS}/`));
}

/** The refs that others share through this repository. */
export async function listShareRefs(repo: Repository): Promise<readonly OwnRef[]> {
  return await listBelow(repo, SHARE_REFS);
}

async function listBelow(repo: Repository, folder: string): Promise<readonly OwnRef[]> {
  const refs = [...await listRefs(repo, `${folder}/`)].sort(([one], [other]) =>
    one < other ? -1 : 1
  );
  return refs.map(([ref, id]) => ({ ref, id, sessionId: findSessionId(ref) }));
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

function findSessionId(ref: string): string | null {
  const [kind = "", ...rest] = ref.slice(OWN_REFS.length + 1).split("/");
  if (kind.startsWith("session_")) return kind;
  // The path is `branches/<branch>/<time>`; the name of a task branch tells its session.
  return kind === "branches"
    ? parseTaskBranchName(rest.slice(0, -1).join("/"))?.sessionId ?? null
    : null;
}
