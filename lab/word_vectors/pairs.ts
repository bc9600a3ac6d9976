/**
 * What the table of word vectors is trained on: texts of which one says in words what the other does in code. The
 * message of a commit and the lines that it changed, a doc comment and its code without it, a name and its body.
 */
import { analyseText } from "../../src/analysis/analyse.ts";
import { splitParts, splitPath } from "../../src/analysis/tokens.ts";
import type { CodeSymbol } from "../../src/analysis/analysis.ts";
import { languageByName } from "../../src/language/languages.ts";
import { splitComments } from "../../src/language/mask.ts";
import {
  findGitDir,
  HOUSEKEEPING,
  isOwnCode,
  listTree,
  readTexts,
  runGit,
} from "../harness/clones.ts";
import { shuffle } from "../harness/chance.ts";

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
const MAX_FILE_DIFF_CHARS = 40_000;
const MAX_HUNK_CHARS = 8_000;
const MAX_COMMIT_FILES = 16;
const MAX_WORDS = 400;
const MAX_SYMBOL_LINES = 120;
const DOCS_A_FILE = 5;
const NAMES_A_FILE = 4;
const MIN_SUBJECT_CHARS = 20;

/** The pairs of one clone, bare or not, at its HEAD; those of files are of some of its code, drawn by chance. */
export async function readPairs(clone: string): Promise<readonly Pair[]> {
  const git = await findGitDir(clone);
  const all = (await listTree(git)).filter(({ path, bytes }) =>
    bytes >= MIN_FILE_BYTES && bytes <= MAX_FILE_BYTES && isOwnCode(path)
  );
  const files = await readTexts(git, shuffle(all, ({ path }) => path).slice(0, FILES));
  const pairs: Pair[] = [];
  for (const { path, text } of files) pairs.push(...await readFilePairs(path, text));
  return [...pairs, ...await readCommitPairs(git)];
}

/** Doc comments with the code that they speak of, and names with their bodies. */
export async function readFilePairs(path: string, text: string): Promise<readonly Pair[]> {
  const { language: name, symbols } = await analyseText(text, { path, chunkMaxTokens: 0 });
  const language = languageByName(name ?? "");
  if (language === undefined) return [];
  const lines = splitComments(text, language).code.split("\n");
  const pairs = shuffle(symbols, ({ name, startLine }) => name + startLine)
    .filter(({ startLine, endLine }) => endLine - startLine <= MAX_SYMBOL_LINES)
    .flatMap((symbol) => toSymbolPair(path, symbol, lines) ?? []);
  return [
    ...pairs.filter(({ kind }) => kind === "doc").slice(0, DOCS_A_FILE),
    ...pairs.filter(({ kind }) => kind === "name").slice(0, NAMES_A_FILE),
  ];
}

const MIN_DOC_WORDS = 4;
const MIN_CODE_WORDS = 8;
const MIN_BODY_WORDS = 15;

/** `lines` are those of the file without comments. */
function toSymbolPair(path: string, symbol: CodeSymbol, lines: readonly string[]): Pair | null {
  const { name, doc = "", startLine, endLine } = symbol;
  const text = lines.slice(startLine - 1, endLine).join("\n");
  const said = splitParts(doc);
  if (said.length >= MIN_DOC_WORDS) {
    // Doc strings are no comments to the language.
    const plain = text.replace(/("""|''')[\s\S]*?\1/g, " ");
    const code = splitParts(plain).slice(0, MAX_WORDS);
    const isHidden = !plain.includes(doc.slice(0, SHOWN_DOC_CHARS));
    return isHidden && code.length >= MIN_CODE_WORDS
      ? { kind: "doc", said, code, path: splitPath(path) }
      : null;
  }
  const body = splitParts(text.replaceAll(name, " ")).slice(0, MAX_WORDS);
  const own = splitParts(name);
  const isTelling = own.length > 1 && body.length >= MIN_BODY_WORDS;
  return isTelling ? { kind: "name", said: own, code: body, path: splitPath(path) } : null;
}

const SHOWN_DOC_CHARS = 14;
const MIN_SUBJECT_WORDS = 3;
const MIN_HUNK_WORDS = 6;

/** Messages of commits with the lines that they changed in one of their files, drawn by chance. */
async function readCommitPairs(git: string): Promise<readonly Pair[]> {
  const form = ["--no-merges", "--no-renames", "--patch", "--unified=2", "--diff-filter=AM"];
  const log = await runGit(git, ["log", ...form, "--format=%x01%s", "-n", String(COMMITS), "HEAD"]);
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
    return path !== undefined && isSized && isOwnCode(path) ? [{ path, patch }] : [];
  });
  const [drawn] = shuffle(changed, ({ path }) => message + path);
  if (drawn === undefined) return null;
  const lines = drawn.patch.slice(drawn.patch.indexOf("\n@@") + 1).split("\n")
    .map((line) => line.startsWith("@@") ? line.replace(/^@@.*?@@/, "") : line.slice(1));
  const said = splitParts(message);
  const code = splitParts(lines.join("\n").slice(0, MAX_HUNK_CHARS)).slice(0, MAX_WORDS);
  const isTelling = said.length >= MIN_SUBJECT_WORDS && code.length >= MIN_HUNK_WORDS;
  return isTelling ? { kind: "commit", said, code, path: splitPath(drawn.path) } : null;
}
