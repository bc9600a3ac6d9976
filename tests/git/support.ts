/** What several tests of this folder share: a repository on a task branch, a moved base, edits. */
import { join } from "node:path";
import { createTaskBranch, formatTaskBranchName } from "../../src/git/branches/branches.ts";
import { writeWorktreeTree } from "../../src/git/index/private_index.ts";
import type { TempRepo } from "../support/temp_repo.ts";
import { createTempRepo } from "../support/temp_repo.ts";

export type { TempRepo };
export { createTempRepo };
export { expectUntouched } from "../support/temp_repo.ts";

/** Id of the session of all these tests. */
export const SESSION = "session_20261121_101500_3fa9";
/** Its task branch. */
export const TASK = formatTaskBranchName(SESSION, "main");
/** Its merge into main. */
export const MERGE = { taskBranch: TASK, base: "main", message: "Merge the task\n" };

const TEXT = Array.from({ length: 12 }, (_, at) => `line ${at + 1}\n`);

/** Status of the worktree after {@link makePersonDirty}. */
export const PERSON_STATUS = " M p\nMM s\n?? u";

/** A repository on the task branch with one commit of the session. */
export async function createTask(files: Readonly<Record<string, string>> = {}): Promise<TempRepo> {
  const temp = await createTempRepo({
    files: { a: "1\n", b: "1\n", p: "1\n", s: "1\n", ...files },
  });
  await createTaskBranch(temp.repo, { sessionId: SESSION, base: "main" });
  await temp.commit("Work", { a: "task\n" });
  return temp;
}

/** Gives the base a commit without leaving the task branch. */
export async function moveBase(
  temp: TempRepo,
  files: Readonly<Record<string, string>>,
): Promise<string> {
  const place = join(temp.dir, ".git", "elsewhere");
  await temp.git("worktree", "add", "-q", place, "main");
  for (const [path, text] of Object.entries(files)) {
    await Deno.writeTextFile(join(place, path), text);
  }
  await temp.git("-C", place, "add", "-A");
  await temp.git("-C", place, "commit", "-q", "-m", "Base moved");
  await temp.git("worktree", "remove", "--force", place);
  return await temp.git("rev-parse", "main");
}

/** Changes, stages and creates files as a person who works beside the agent. */
export async function makePersonDirty(temp: TempRepo): Promise<void> {
  await temp.write({ p: "person\n", s: "staged\n", u: "untracked\n" });
  await temp.git("add", "s");
  await temp.write({ s: "staged and changed\n" });
}

/** The working tree as a tree object. */
export async function takeTree(temp: TempRepo): Promise<string> {
  return (await writeWorktreeTree(temp.repo, { sessionId: SESSION })).tree;
}

/** Twelve lines with some of them replaced. */
export function edit(...changes: readonly (readonly [line: number, text: string])[]): string {
  const lines = [...TEXT];
  for (const [line, text] of changes) lines[line - 1] = text;
  return lines.join("");
}
