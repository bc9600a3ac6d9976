/**
 * What the table of word vectors is trained on: texts of which one says in words what the other does in code. The
 * message of a commit and the lines that it changed, a doc comment and its code without it, a name and its body.
 */
import { join } from "node:path";
import { analyseText, toParts, toPathParts } from "../../src/analysis/mod.ts";
import type { CodeSymbol } from "../../src/analysis/mod.ts";
import { isText, languageByName, languageOfPath, splitComments } from "../../src/language/mod.ts";
import { shuffle } from "./chance.ts";

/** Two texts that belong together, as words. */
export interface Pair {
  readonly kind: "commit" | "doc" | "name";
  /** The words of a question. */
  readonly said: readonly string[];
  /** The words of its code, and of where it stands. */
  readonly code: readonly string[];
  readonly path: readonly string[];
}

const FILES = 140;
const COMMITS = 420;
const MIN_FILE_BYTES = 200;
const MAX_FILE_BYTES = 60_000;
const MAX_OUTPUT_BYTES = 40_000_000;
const MAX_FILE_DIFF_CHARS = 40_000;
const LINE_FEED = 10;
const MAX_HUNK_CHARS = 8_000;
const MAX_COMMIT_FILES = 16;
const MAX_WORDS = 400;
const MAX_SYMBOL_LINES = 120;
const DOCS_A_FILE = 5;
const NAMES_A_FILE = 4;
const MIN_SUBJECT_CHARS = 20;
/** Files that others wrote, or that machines did. */
const FOREIGN = /(^|\/)(vendor|third_party|node_modules|dist|fixtures?|testdata|snapshots?)\//;
const HOUSEKEEPING =
  /^(bump|release|revert|docs?\b|ci\b|style|chore|merge|update (dep|change|read)|prepare|version|fix typo|typo)/i;

/** The pairs of one clone, bare or not, at its HEAD. */
export async function readPairs(clone: string): Promise<readonly Pair[]> {
  const git = await findGitDir(clone);
  const files = await readFiles(git);
  const pairs: Pair[] = [];
  for (const { path, text } of files) pairs.push(...await readFilePairs(path, text));
  return [...pairs, ...await readCommitPairs(git)];
}

async function findGitDir(clone: string): Promise<string> {
  for (const folder of [".git", "repo", "repo/.git"]) {
    const dir = join(clone, folder);
    if (await Deno.stat(join(dir, "HEAD")).catch(() => null) !== null) return dir;
  }
  return clone;
}

/** What git prints, up to a bound at which it is ended. */
async function runGit(git: string, args: readonly string[], input = ""): Promise<Uint8Array> {
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

function isWanted(path: string): boolean {
  const language = languageOfPath(path);
  return language !== undefined && !isText(language) && !FOREIGN.test(path);
}

/** Some of the files of code, drawn by chance. */
async function readFiles(git: string): Promise<{ readonly path: string; readonly text: string }[]> {
  const tree = new TextDecoder().decode(await runGit(git, ["ls-tree", "-rlz", "HEAD"]));
  const all = tree.split("\0").flatMap((line) => {
    const [, id, size, path] = /^\d+ blob (\w+) +(\d+)\t(.*)$/s.exec(line) ?? [];
    const bytes = Number(size ?? 0);
    const isSized = bytes >= MIN_FILE_BYTES && bytes <= MAX_FILE_BYTES;
    return isSized && path !== undefined && id !== undefined && isWanted(path)
      ? [{ id, path, bytes }]
      : [];
  });
  const drawn = shuffle(all, ({ path }) => path).slice(0, FILES);
  const input = drawn.map(({ id }) => `${id}\n`).join("");
  const output = await runGit(git, ["cat-file", "--batch"], input);
  const decoder = new TextDecoder();
  let at = 0;
  return drawn.flatMap(({ path, bytes }) => {
    const from = output.indexOf(LINE_FEED, at) + 1;
    const isThere = / blob \d+$/.test(decoder.decode(output.subarray(at, Math.max(at, from - 1))));
    // Of an object that the clone lacks there is one line that says so.
    at = isThere ? from + bytes + 1 : Math.max(at, from);
    return isThere ? [{ path, text: decoder.decode(output.subarray(from, from + bytes)) }] : [];
  });
}

/** Doc comments with the code that they speak of, and names with their bodies. */
export async function readFilePairs(path: string, text: string): Promise<readonly Pair[]> {
  const { language: name, symbols } = await analyseText(text, { path, chunkMaxTokens: 0 });
  const language = languageByName(name ?? "");
  if (language === undefined) return [];
  const lines = { code: splitComments(text, language).code.split("\n"), raw: text.split("\n") };
  const pairs = shuffle(symbols, ({ name, startLine }) => name + startLine)
    .filter(({ startLine, endLine }) => endLine - startLine <= MAX_SYMBOL_LINES)
    .flatMap((symbol) => toSymbolPair(path, symbol, lines) ?? []);
  return [
    ...pairs.filter(({ kind }) => kind === "doc").slice(0, DOCS_A_FILE),
    ...pairs.filter(({ kind }) => kind === "name").slice(0, NAMES_A_FILE),
  ];
}

interface Lines {
  /** The lines without comments, and as they are. */
  readonly code: readonly string[];
  readonly raw: readonly string[];
}

const MIN_DOC_WORDS = 4;
const MIN_CODE_WORDS = 8;
const MIN_BODY_WORDS = 15;

function toSymbolPair(path: string, symbol: CodeSymbol, lines: Lines): Pair | null {
  const { name, doc = "", startLine, endLine } = symbol;
  const text = lines.code.slice(startLine - 1, endLine).join("\n");
  const said = toParts(doc);
  if (said.length >= MIN_DOC_WORDS) {
    // Doc strings are no comments to the language.
    const plain = text.replace(/("""|''')[\s\S]*?\1/g, " ");
    const code = toParts(plain).slice(0, MAX_WORDS);
    const isHidden = !plain.includes(doc.slice(0, SHOWN_DOC_CHARS));
    return isHidden && code.length >= MIN_CODE_WORDS
      ? { kind: "doc", said, code, path: toPathParts(path) }
      : null;
  }
  const body = toParts(text.replaceAll(name, " ")).slice(0, MAX_WORDS);
  const own = toParts(name);
  const isTelling = own.length > 1 && body.length >= MIN_BODY_WORDS;
  return isTelling ? { kind: "name", said: own, code: body, path: toPathParts(path) } : null;
}

const SHOWN_DOC_CHARS = 14;
const MIN_SUBJECT_WORDS = 3;
const MIN_HUNK_WORDS = 6;

/** Messages of commits with the lines that they changed in one of their files, drawn by chance. */
async function readCommitPairs(git: string): Promise<readonly Pair[]> {
  const log = await runGit(git, [
    "log",
    "--no-merges",
    "-n",
    String(COMMITS),
    "--no-renames",
    "--patch",
    "--unified=2",
    "--diff-filter=AM",
    "--format=%x01%s",
    "HEAD",
  ]);
  return new TextDecoder().decode(log).split("\x01").slice(1).flatMap((commit) =>
    toCommitPair(commit) ?? []
  );
}

/** The pair of one commit as git prints it: its subject, then its patch. Null where it tells nothing. */
export function toCommitPair(commit: string): Pair | null {
  const [subject = "", ...files] = commit.split(/^diff --git /m);
  const message = subject.replace(/\(?#\d+\)?/g, "").trim();
  if (message.length < MIN_SUBJECT_CHARS || HOUSEKEEPING.test(message)) return null;
  if (files.length > MAX_COMMIT_FILES) return null;
  const changed = files.flatMap((patch) => {
    const path = /^\+\+\+ b\/(.*)$/m.exec(patch)?.[1];
    const isSized = patch.length <= MAX_FILE_DIFF_CHARS;
    return path !== undefined && isSized && isWanted(path) ? [{ path, patch }] : [];
  });
  const [drawn] = shuffle(changed, ({ path }) => message + path);
  if (drawn === undefined) return null;
  const lines = drawn.patch.slice(drawn.patch.indexOf("\n@@") + 1).split("\n")
    .map((line) => line.startsWith("@@") ? line.replace(/^@@.*?@@/, "") : line.slice(1));
  const said = toParts(message);
  const code = toParts(lines.join("\n").slice(0, MAX_HUNK_CHARS)).slice(0, MAX_WORDS);
  const isTelling = said.length >= MIN_SUBJECT_WORDS && code.length >= MIN_HUNK_WORDS;
  return isTelling ? { kind: "commit", said, code, path: toPathParts(drawn.path) } : null;
}
