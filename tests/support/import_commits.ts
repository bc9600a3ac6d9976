/** Long or odd pasts for tests, made by one start of git. */
import { strictEqual as equal } from "node:assert/strict";
import type { TempRepo } from "./temp_repo.ts";

/** A commit to be made. */
export interface ImportedCommit {
  readonly message: string;
  /** Seconds since 1970. */
  readonly seconds: number;
  /** Contents by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Lines of `git fast-import` beside those of the files; the mark `:1` is a file of one letter. */
  readonly lines?: string;
  /** Name of the author; default `P`. */
  readonly author?: string;
}

/** Puts commits on top of `main`, the oldest first; the worktree follows. */
export async function importCommits(
  temp: TempRepo,
  commits: readonly ImportedCommit[],
): Promise<void> {
  const stdin = "blob\nmark :1\ndata 1\nx\n" +
    commits.map((commit, at) => toImport(commit, at === 0)).join("");
  const { code, stderr } = await temp.repo.git.run(["fast-import", "--quiet", "--force"], {
    stdin,
  });
  equal(code, 0, stderr);
}

function toImport(
  { message, seconds, files = {}, lines = "", author = "P" }: ImportedCommit,
  isFirst: boolean,
): string {
  const parts = Object.entries(files).map(([path, text]) =>
    `M 100644 inline ${JSON.stringify(path)}\ndata ${toLength(text)}\n${text}\n`
  );
  return `commit refs/heads/main\nauthor ${author} <p@example.org> ${seconds} +0000\n` +
    `committer ${author} <p@example.org> ${seconds} +0000\n` +
    `data ${toLength(message)}\n${message}\n` +
    // Only the first commit may name the branch as it was.
    `${isFirst ? "from refs/heads/main^0\n" : ""}${parts.join("")}${lines}\n`;
}

function toLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
