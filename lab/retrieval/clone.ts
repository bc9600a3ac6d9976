/** What tools read out of clones by git, bare or not, without a checkout. */
import { join } from "node:path";
import { isText, languageOfPath } from "../../src/language/languages.ts";

const MAX_OUTPUT_BYTES = 80_000_000;
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
  input = "",
): Promise<Uint8Array> {
  const child = new Deno.Command("git", {
    args: ["--git-dir", git, ...args],
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  const written = writer.write(new TextEncoder().encode(input)).then(() => writer.close());
  const parts: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const part of child.stdout) {
    parts.push(part);
    sizeBytes += part.length;
    if (sizeBytes > MAX_OUTPUT_BYTES) break;
  }
  if (sizeBytes > MAX_OUTPUT_BYTES) child.kill();
  await Promise.all([child.status, written.catch(() => {})]);
  const output = new Uint8Array(sizeBytes);
  let at = 0;
  for (const part of parts) {
    output.set(part, at);
    at += part.length;
  }
  return output;
}

/** Whether a path is one of code that the project itself wrote. */
export function isOwnCode(path: string): boolean {
  const language = languageOfPath(path);
  return language !== undefined && !isText(language) && !FOREIGN.test(path);
}

/** All files at the head, in git's order. */
export async function listHead(git: string): Promise<CloneFile[]> {
  return await listTree(git, "HEAD");
}

/** All files of a commit, in git's order; none where the clone does not have it. */
export async function listTree(git: string, commit: string): Promise<CloneFile[]> {
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
