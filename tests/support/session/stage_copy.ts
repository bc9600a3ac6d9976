/**
 * Projects with a session at some stage, copied: the walk to a stage is done once, and each test gets the folders
 * as the walk left them. To the program a copy is a project whose last process has ended: it reads everything from the disk.
 *
 * Three things of a session know the path of their project. They are set for the copy, and nothing else is:
 * the mark of the worktree (`active.json`), the names of the revision marks, and git's index, which knows files by
 * their numbers. What a person allowed is sealed together with the path, so a project with it cannot be copied.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { FolderCopy } from "../files/folder_copy.ts";
import { readFolder, writeFolder } from "../files/folder_copy.ts";
import { runGit } from "../temp_repo.ts";

/** Where a project lies, and the folder that takes the place of the person's own. */
export interface ProjectFolders {
  readonly dir: string;
  readonly stateDir: string;
}

/** A project as it stood, to be written elsewhere. */
export interface Stage {
  /** Where it was made. */
  readonly from: ProjectFolders;
  readonly files: FolderCopy;
  readonly state: FolderCopy;
}

/** Reads a project whole. Nothing may work on it meanwhile. */
export function keepStage(from: ProjectFolders): Stage {
  const state = readFolder(from.stateDir);
  if (state.has("trust.json")) {
    throw new Error("what a person allowed is bound to its path: walk this project anew");
  }
  return { from, files: readFolder(from.dir), state };
}

/** Writes a project to new folders, as if the session had been walked there. */
export async function placeStage({ from, files, state }: Stage): Promise<ProjectFolders> {
  const dir = await Deno.realPath(await Deno.makeTempDir({ prefix: "code-intel-test-" }));
  const stateDir = await Deno.makeTempDir({ prefix: "code-intel-state-" });
  writeFolder(dir, files);
  writeFolder(stateDir, state);
  await markWorktree({ from: from.dir, dir });
  await renameRevisionMarks(stateDir, files, { from: from.dir, dir });
  if (files.has(".git")) await runGit(dir, ["update-index", "-q", "--refresh"]).catch(() => {});
  return { dir, stateDir };
}

interface Move {
  readonly from: string;
  readonly dir: string;
}

async function markWorktree({ from, dir }: Move): Promise<void> {
  const path = join(dir, ".git", "code-intel", "active.json");
  const text = await Deno.readTextFile(path).catch(() => null);
  if (text !== null) await Deno.writeTextFile(path, text.replaceAll(from, dir));
}

/** A mark is named after the folder of the sessions, of which a subfolder of the repository may have one too. */
async function renameRevisionMarks(
  stateDir: string,
  files: FolderCopy,
  { from, dir }: Move,
): Promise<void> {
  const folder = join(stateDir, "revisions");
  const names: string[] = [];
  for await (const { name } of readDir(folder)) names.push(name);
  for (const sessions of files.keys()) {
    if (!/(^|[\\/])\.code-intel[\\/]sessions$/.test(sessions)) continue;
    const before = `${toMarkPrefix(join(from, sessions))}-`;
    for (const name of names.filter((known) => known.startsWith(before))) {
      const after = `${toMarkPrefix(join(dir, sessions))}-${name.slice(before.length)}`;
      await Deno.rename(join(folder, name), join(folder, after));
    }
  }
}

/** As `src/session/revision_marks.ts` has it; a difference fails the test of this file. */
function toMarkPrefix(sessionsDir: string): string {
  return createHash("sha256").update(sessionsDir).digest("hex").slice(0, 16);
}

async function* readDir(folder: string): AsyncGenerator<Deno.DirEntry> {
  try {
    yield* Deno.readDir(folder);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
