/** What tools read out of clones by git, bare or not, without a checkout. */
import { dirname, join } from "node:path";
import { runProcess } from "../../src/base/processes/process.ts";
import { isText, languageOfPath } from "../../src/language/languages.ts";

const MAX_OUTPUT_BYTES = 80_000_000;
const MAX_GIT_MS = 600_000;
const LINE_FEED = 10;
/** Files that others wrote, or that machines did. */
const FOREIGN = /(^|\/)(vendor|third_party|node_modules|dist|fixtures?|testdata|snapshots?)\//;

/** Subjects of commits that say nothing of code. */
export const HOUSEKEEPING =
  /^(bump|release|revert|docs?\b|ci\b|style|chore|merge|update (dep|change|read)|prepare|version|fix typo|typo)/i;

/** A file at the head of a clone. */
export interface CloneFile {
  /** Hash of its content. */
  readonly id: string;
  readonly path: string;
  readonly bytes: number;
}

/** The folder of a repository among clones or checkouts: `owner+name`. */
export function toFolder(dir: string, repo: string): string {
  return join(dir, repo.replace("/", "+"));
}

/** The names of repositories that a file lists, one a line; # begins a comment. */
export async function readNames(path: string): Promise<string[]> {
  return (await Deno.readTextFile(path)).split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("#")).sort();
}

/** Those of the repositories that have no folder. */
export async function findMissing(dir: string, repos: Iterable<string>): Promise<string[]> {
  const found = await Promise.all([...repos].map(async (repo) => {
    const stat = await Deno.stat(toFolder(dir, repo)).catch(() => null);
    return stat?.isDirectory === true ? [] : [repo];
  }));
  return found.flat();
}

/** Writes texts below a folder. */
export async function writeTexts(
  dir: string,
  files: readonly { readonly path: string; readonly text: string }[],
): Promise<void> {
  for (const { path, text } of files) {
    await Deno.mkdir(dirname(join(dir, path)), { recursive: true });
    await Deno.writeTextFile(join(dir, path), text);
  }
}

/** Where git keeps a clone. */
export async function findGitDir(clone: string): Promise<string> {
  for (const folder of [".git", "repo", "repo/.git"]) {
    const dir = join(clone, folder);
    if (await Deno.stat(join(dir, "HEAD")).catch(() => null) !== null) return dir;
  }
  return clone;
}

/** What git prints, up to a bound at which it is ended. */
export async function runGit(
  git: string,
  args: readonly string[],
  stdin = "",
): Promise<Uint8Array> {
  const limits = { maxOutputBytes: MAX_OUTPUT_BYTES, timeoutMs: MAX_GIT_MS };
  return (await runProcess("git", ["--git-dir", git, ...args], { stdin, ...limits })).stdout;
}

/** Whether a path is one of code that the project itself wrote. */
export function isOwnCode(path: string): boolean {
  const language = languageOfPath(path);
  return language !== undefined && !isText(language) && !FOREIGN.test(path);
}

/** All files of a commit, in git's order; none where the clone does not have it. */
export async function listTree(git: string, commit = "HEAD"): Promise<CloneFile[]> {
  const tree = new TextDecoder().decode(await runGit(git, ["ls-tree", "-rlz", commit]));
  return tree.split("\0").flatMap((line) => {
    const [, id, size, path] = /^\d+ blob (\w+) +(\d+)\t(.*)$/s.exec(line) ?? [];
    return id === undefined || path === undefined ? [] : [{ id, path, bytes: Number(size) }];
  });
}

/** The texts of files; of an object that the clone lacks there is none. */
export async function readTexts<T extends CloneFile>(
  git: string,
  files: readonly T[],
): Promise<(T & { readonly text: string })[]> {
  const input = files.map(({ id }) => `${id}\n`).join("");
  const output = await runGit(git, ["cat-file", "--batch"], input);
  const decoder = new TextDecoder();
  let at = 0;
  return files.flatMap((file) => {
    const from = output.indexOf(LINE_FEED, at) + 1;
    const isThere = / blob \d+$/.test(decoder.decode(output.subarray(at, Math.max(at, from - 1))));
    // Of an object that the clone lacks there is one line that says so.
    at = isThere ? from + file.bytes + 1 : Math.max(at, from);
    if (!isThere) return [];
    return [{ ...file, text: decoder.decode(output.subarray(from, from + file.bytes)) }];
  });
}
