/**
 * Questions that a repository answers itself, made of what its authors wrote: which file a doc comment, a test, a
 * message, a heading or a name belongs to. What gave a question is hidden from the files that are searched. Pure,
 * save for the parsers.
 */
import { analyseText } from "../../src/analysis/analyse.ts";
import { splitIdentifier, splitParts } from "../../src/analysis/tokens.ts";
import type { CodeSymbol } from "../../src/analysis/analysis.ts";
import type { LineRange } from "../../src/git/trees/changed_lines.ts";
import { declaresType } from "../../src/language/kinds.ts";
import { languageByName } from "../../src/language/languages.ts";
import { splitComments } from "../../src/language/mask.ts";
import { parseTestName } from "../../src/language/test_names.ts";
import { readGlossary } from "../../src/ranking/languages/glossary_ja.ts";
import { shuffle } from "../harness/chance.ts";
import type { RightLines } from "./queries.ts";
import { HOUSEKEEPING, isOwnCode } from "../harness/clones.ts";

/** What questions are made of; `japanese` is another kind's question, put into the words of the glossary. */
export const MADE_KINDS = [
  "commit",
  "doc",
  "heading",
  "test",
  "error",
  "symbol",
  "japanese",
] as const;

/** What a question was made of. */
export type MadeKind = typeof MADE_KINDS[number];

/** A question with the files that answer it. */
export interface MadeQuestion {
  readonly kind: MadeKind;
  readonly query: string;
  readonly targets: readonly string[];
  /** The lines of the definition that a comment stands for, by file; absent for other kinds. */
  readonly lines?: RightLines;
  /** The commit whose subject it is; absent for other kinds. */
  readonly commit?: string;
}

/** A file as it is at the head of a repository. */
export interface TextFile {
  readonly path: string;
  readonly text: string;
}

/** What became of a repository. */
export interface MadeRepository {
  readonly questions: readonly MadeQuestion[];
  /** The files without what gave the questions. */
  readonly files: readonly TextFile[];
}

interface ReadFile extends TextFile {
  readonly symbols: readonly CodeSymbol[];
  /** The lines without comments. */
  readonly code: readonly string[];
  readonly lines: readonly string[];
}

/** A question with the lines, counted from 0, that gave it away. */
interface Source extends MadeQuestion {
  readonly path: string;
  readonly hidden: readonly number[] | "all" | "none";
}

const A_KIND = 20;
const A_FILE = 3;
const MIN_WORDS = 5;
const MAX_CHARS = 200;

/**
 * Makes the questions of a repository.
 *
 * @param files all that is searched.
 * @param log commits as `git log --name-only --no-renames --format=%x01%H%n%s` prints them.
 */
export async function makeQuestions(
  files: readonly TextFile[],
  log: string,
): Promise<MadeRepository> {
  const read: ReadFile[] = [];
  for (const file of files) {
    if (isOwnCode(file.path)) read.push(await readFile(file));
  }
  const sources = read.filter(({ path }) => parseTestName(path) === null);
  const tests = read.filter(({ path }) => parseTestName(path) !== null);
  const definers = toDefiners(sources);
  const drawn = [
    drawSome(sources.flatMap(toDocs)),
    drawSome(toErrors(sources)),
    drawSome(tests.flatMap((test) => toTests(test, sources))),
    drawSome(files.flatMap((file) => toHeadings(file, definers))),
    drawSome(toSymbols(sources, definers)),
    drawSome(toCommits(log, sources)),
  ].flat();
  const asked = drawn.map(({ path: _path, hidden: _hidden, ...question }) => question);
  return { questions: [...asked, ...toJapanese(asked)], files: hide(files, drawn) };
}

function drawSome(sources: readonly Source[]): Source[] {
  const counts = new Map<string, number>();
  return shuffle(sources, ({ path, query }) => path + query).filter(({ path }) => {
    const count = (counts.get(path) ?? 0) + 1;
    counts.set(path, count);
    return count <= A_FILE || path === "";
  }).slice(0, A_KIND);
}

function hide(files: readonly TextFile[], sources: readonly Source[]): TextFile[] {
  const hidden = new Map<string, Set<number> | "all">();
  for (const { path, hidden: lines } of sources) {
    const known = hidden.get(path);
    if (lines === "none" || known === "all") continue;
    hidden.set(path, lines === "all" ? "all" : new Set([...known ?? [], ...lines]));
  }
  return files.flatMap((file) => {
    const lines = hidden.get(file.path);
    if (lines === undefined) return [file];
    if (lines === "all") return [];
    const text = file.text.split("\n").map((line, at) => lines.has(at) ? "" : line).join("\n");
    return [{ ...file, text }];
  });
}

async function readFile({ path, text }: TextFile): Promise<ReadFile> {
  const { language: name, symbols } = await analyseText(text, { path, chunkMaxTokens: 0 });
  const language = languageByName(name ?? "");
  const code = language === undefined ? text : splitComments(text, language).code;
  return { path, text, symbols, code: code.split("\n"), lines: text.split("\n") };
}

const SHOWN_CHARS = 14;

/** First sentences of doc comments, where all lines of the comment can be told. */
function toDocs({ path, symbols, code, lines }: ReadFile): Source[] {
  return symbols.flatMap(({ doc = "", startLine, line, endLine }): Source[] => {
    if (splitParts(doc).length < MIN_WORDS || /^@|copyright|licen[cs]e/i.test(doc)) return [];
    const hidden: number[] = [];
    let quote = "";
    for (let at = startLine - 1; at < Math.min(endLine, line + MAX_DOC_LINES); at++) {
      const text = lines[at] ?? "";
      const isComment = text.trim() !== "" && (code[at] ?? "").trim() === "";
      const [opened = ""] = /"""|'''/.exec(text) ?? [];
      if (quote !== "" || isComment || opened !== "") hidden.push(at);
      if (quote === "" && opened !== "" && text.split(opened).length === 2) quote = opened;
      else if (quote !== "" && text.includes(quote)) quote = "";
    }
    const key = doc.slice(0, SHOWN_CHARS);
    const isLeft = lines.some((text, at) => text.includes(key) && !hidden.includes(at));
    return isLeft || hidden.length === 0 ? [] : [{
      kind: "doc",
      query: doc,
      targets: [path],
      path,
      hidden,
      lines: { [path]: toRuns(range(startLine, endLine).filter((at) => !hidden.includes(at - 1))) },
    }];
  });
}

function range(start: number, end: number): number[] {
  return Array.from({ length: end - start + 1 }, (_, at) => start + at);
}

/** Rising numbers of lines as ranges. */
function toRuns(lines: readonly number[]): LineRange[] {
  const starts = lines.filter((line, at) => lines[at - 1] !== line - 1);
  const ends = lines.filter((line, at) => lines[at + 1] !== line + 1);
  return starts.map((start, at) => ({ start, end: ends[at] ?? start }));
}

const MAX_DOC_LINES = 40;
const RAISES =
  /\b(?:throw|raise|panic|fatal|abort|die|fail\w*|err|error\w*|exception|errorf|bail|ensure|warn\w*|expect)\b|Error|Exception/;
const LITERAL = /(["'`])((?:(?!\1)[^\\]|\\.){20,160})\1/g;
const HOLES = /\$?\{\{?[^}]*\}?\}|#\{[^}]*\}|%[-+0-9.]*[a-zA-Z]|\$\w+|\\./g;

/** Messages of failures that stand in one file only; the values in them are those of nobody. */
function toErrors(files: readonly ReadFile[]): Source[] {
  const places = new Map<string, Set<string>>();
  const found = files.flatMap(({ path, code }) =>
    code.flatMap((line): Source[] => {
      if (!RAISES.test(line)) return [];
      return [...line.matchAll(LITERAL)].flatMap(([, , text = ""]): Source[] => {
        const query = text.replace(HOLES, "value1").trim();
        if (splitParts(query).length < MIN_WORDS || !/^[A-Za-z`'"\[(]/.test(query)) return [];
        places.set(query, (places.get(query) ?? new Set()).add(path));
        return [{ kind: "error", query, targets: [path], path, hidden: "none" }];
      });
    })
  );
  return found.filter(({ query }) => places.get(query)?.size === 1);
}

const TITLES =
  /\b(?:it|test|describe|context|specify|should|scenario|TEST_CASE|SECTION|Describe|It|When)\s*[.(]?\w*\(?\s*(["'`])((?:(?!\1).){12,160})\1/;

/** Names of tests, whose file is named after the one that they test; the test itself is hidden. */
function toTests({ path, symbols, lines }: ReadFile, sources: readonly ReadFile[]): Source[] {
  const subject = parseTestName(path)?.subject?.toLowerCase();
  if (subject === undefined) return [];
  const tested = sources.filter((file) => toStemName(file.path) === subject);
  if (tested.length !== 1) return [];
  const named = symbols.flatMap(({ name, kind }) => {
    const isTest = (kind === "function" || kind === "method") &&
      /^_*(?:test|should|it_)/i.test(name);
    return isTest ? [splitIdentifier(name).filter((part) => part !== "test").join(" ")] : [];
  });
  const titled = lines.flatMap((line) => TITLES.exec(line)?.[2] ?? []);
  const targets = tested.map((file) => file.path);
  return [...named, ...titled].filter((query) => splitParts(query).length >= MIN_WORDS)
    .map((query): Source => ({ kind: "test", query, targets, path, hidden: "all" }));
}

function toStemName(path: string): string {
  return (path.split("/").at(-1) ?? "").replace(/\.[^.]*$/, "").toLowerCase();
}

/** Names with the files that define them at the top or as types. */
function toDefiners(files: readonly ReadFile[]): ReadonlyMap<string, readonly string[]> {
  const definers = new Map<string, string[]>();
  for (const { path, symbols } of files) {
    const names = symbols.filter(({ kind, parent }) => parent === null || declaresType(kind));
    for (const name of new Set(names.map((symbol) => symbol.name))) {
      definers.set(name, [...definers.get(name) ?? [], path]);
    }
  }
  return definers;
}

const HEADING = /^(?:#{1,4} +(.+)|(.+)\n(?:={3,}|-{3,}|~{3,}))\s*$/gm;
const CODE_WORDS = /`{1,2}([A-Za-z_][\w.:]*)(?:\(\))?`{1,2}/g;
const MAX_TARGETS = 3;

/** Headings of documents with the first sentence below, which speak of names that few files define. */
function toHeadings(
  { path, text }: TextFile,
  definers: ReadonlyMap<string, readonly string[]>,
): Source[] {
  if (!/\.(?:md|mdx|markdown|rst|adoc)$/i.test(path) || /change|history|release/i.test(path)) {
    return [];
  }
  const heads = [...text.matchAll(HEADING)];
  return heads.flatMap((head, at): Source[] => {
    const section = text.slice(head.index + head[0].length, heads[at + 1]?.index);
    const title = (head[1] ?? head[2] ?? "").replace(/[`*#:]/g, " ").trim();
    const sentence = /^[A-Z][^\n]*(?:\n[^\n]+)*/m.exec(section)?.[0].split(/[.:!?]\s/)[0] ?? "";
    const query = `${title} ${sentence.replace(/[`*]|\]\([^)]*\)|\s+/g, " ")}`.replace(/\s+/g, " ")
      .slice(0, MAX_CHARS).trim();
    const names = [...section.matchAll(CODE_WORDS)].map(([, name = ""]) =>
      name.split(/[.:]+/).at(-1) ?? ""
    );
    const targets = new Set(
      names.flatMap((name) => {
        const files = definers.get(name) ?? [];
        return files.length === 1 && name.length >= MIN_NAME_CHARS ? files : [];
      }),
    );
    if (targets.size === 0 || targets.size > MAX_TARGETS) return [];
    if (splitParts(query).length < MIN_WORDS) return [];
    return [{ kind: "heading", query, targets: [...targets], path, hidden: "all" }];
  });
}

const MIN_NAME_CHARS = 4;

/** Names of definitions, as they are looked for. */
function toSymbols(
  files: readonly ReadFile[],
  definers: ReadonlyMap<string, readonly string[]>,
): Source[] {
  return files.flatMap(({ path }) => {
    const own = [...definers].filter(([, paths]) => paths.length === 1 && paths[0] === path);
    return shuffle(own, ([name]) => name).slice(0, 2)
      .filter(([name]) => name.length >= MIN_NAME_CHARS && /^[A-Za-z_]\w*$/.test(name))
      .map(([name]): Source => ({
        kind: "symbol",
        query: name,
        targets: [path],
        path,
        hidden: "none",
      }));
  });
}

const MIN_SUBJECT_CHARS = 20;
const MAX_COMMIT_FILES = 14;
const MAX_CHANGED = 6;

/** Subjects of commits that changed few files, those of them that are still there. */
function toCommits(log: string, sources: readonly ReadFile[]): Source[] {
  const known = new Set(sources.map(({ path }) => path));
  return log.split("\x01").slice(1).flatMap((commit): Source[] => {
    const [id = "", subject = "", ...rest] = commit.split("\n");
    const query = subject.replace(/\(?#\d+\)?/g, "").trim();
    const changed = rest.filter((line) => line !== "");
    const targets = changed.filter((path) => known.has(path));
    const isTold = query.length >= MIN_SUBJECT_CHARS && !HOUSEKEEPING.test(query);
    if (!isTold || changed.length > MAX_COMMIT_FILES) return [];
    if (targets.length === 0 || targets.length > MAX_CHANGED) return [];
    return [{ kind: "commit", query, targets, path: "", hidden: "none", commit: id }];
  });
}

const MIN_KNOWN = 0.6;
const JAPANESE_KINDS: readonly MadeKind[] = ["doc", "heading", "test"];
const SMALL = new Set(
  "a an and are as at be by for from if in into is it its of on or that the this to with".split(
    " ",
  ),
);

/** Questions of whose words most are in the glossary, in its Japanese words; the others are left out. */
function toJapanese(questions: readonly MadeQuestion[]): MadeQuestion[] {
  const words = new Map<string, string>();
  for (const [japanese, english] of readGlossary()) {
    const [first] = english;
    if (first !== undefined && !words.has(first)) words.set(first, japanese);
  }
  return questions.filter(({ kind }) => JAPANESE_KINDS.includes(kind)).flatMap(
    ({ query, targets }) => {
      const asked = splitParts(query).filter((word) => !SMALL.has(word));
      const known = asked.flatMap((word) =>
        words.get(word) ?? words.get(word.replace(/s$/, "")) ?? []
      );
      if (known.length < MIN_WORDS - 1 || known.length < MIN_KNOWN * asked.length) return [];
      return [{ kind: "japanese" as const, query: known.join("の"), targets }];
    },
  ).slice(0, A_KIND);
}
