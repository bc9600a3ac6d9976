/** The commits of the benchmark: a file with one JSON object a line, and their messages from the clones. */
import { join } from "node:path";
import { runProgram } from "../../tools/measure.ts";

/** One commit that was really made. */
export interface BenchmarkCommit {
  /** `owner/name`. */
  readonly repo: string;
  readonly commit: string;
  readonly parent: string;
  /** The source file with most changed lines. */
  readonly primary: string;
  /** All changed source files that stood before. */
  readonly files: readonly string[];
}

const MESSAGE_CHARS = 400;
const TRAILER = /^[A-Za-z-]+: .*@.*$/gm;
const NUMBER = /\(?#\d+\)?/g;

/** Reads the file; null where there is none. */
export async function readCommits(path: string): Promise<readonly BenchmarkCommit[] | null> {
  const text = await Deno.readTextFile(path).catch((error) => {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  });
  if (text === null) return null;
  return text.split("\n").filter((line) => line.trim() !== "")
    .map((line, at) => toCommit(JSON.parse(line), `${path}:${at + 1}`));
}

function toCommit(value: Readonly<Record<string, unknown>>, place: string): BenchmarkCommit {
  const text = (key: string): string => {
    const field = value[key];
    if (typeof field !== "string" || field === "") throw new Error(`${place}: "${key}" is no text`);
    return field;
  };
  const files = value["files"];
  if (!Array.isArray(files) || files.length < 2) throw new Error(`${place}: "files" is too short`);
  return {
    repo: text("repo"),
    commit: text("commit"),
    parent: text("parent"),
    primary: text("primary"),
    files: files.map(String),
  };
}

/** The folder of a repository among the clones: `owner+name`. */
export function toFolder(reposDir: string, repo: string): string {
  return join(reposDir, repo.replace("/", "+"));
}

/** The request of a commit: the beginning of its message, without numbers of issues and lines of who signed it. */
export async function readRequest(dir: string, commit: string): Promise<string> {
  const message = await runProgram("git", ["show", "-s", "--format=%B", commit], dir);
  return message.replace(TRAILER, "").replace(NUMBER, "").trim().slice(0, MESSAGE_CHARS);
}
