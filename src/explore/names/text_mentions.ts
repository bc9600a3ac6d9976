/**
 * Finds the places that name a symbol where no fact of the index does: in comments, strings, data and prose, and in files
 * that nothing reads. An answer about a name is complete only where {@link formatMentionNotices} has nothing to say.
 */
import { listFilesWithText } from "../../backends/live_context.ts";
import { cutLine } from "../../backends/text_query.ts";
import { getOrInsert } from "../../base/once.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import { isDocument } from "../../base/text/document_files.ts";
import { escapePattern, formatCount } from "../../base/text/plain_text.ts";
import { splitIdentifier } from "../../analysis/tokens.ts";
import type { Language } from "../../language/languages.ts";
import { languageOfPath } from "../../language/languages.ts";
import { kindOfPlace, maskText } from "../../language/mask.ts";
import type { FactStore } from "../../resolve/fact_store.ts";
import type { IndexView } from "../../index/read/view.ts";
import type { IndexFacts } from "../../resolve/index_facts.ts";
import type { QuestionContext } from "../index_access.ts";
import type { SymbolName } from "./symbol_name.ts";

/**
 * What a text round a name is. `text` is what a parser left out; `unread` is a file of no known language. `code` is a place that
 * the index knows and no rule explains.
 */
export type MentionKind = "unread" | "string" | "data" | "text" | "code" | "document" | "comment";

/** A place that names a symbol where no fact of the index does. */
export interface TextMention {
  readonly path: string;
  /** 1-based, as the column. */
  readonly line: number;
  readonly column: number;
  readonly kind: MentionKind;
  /** The name that was looked for. */
  readonly name: string;
  /** Its line, cut round the name. */
  readonly text: string;
}

/** Places in text, and what looked for them. */
export interface TextMentions {
  /** One a line and name, in order. */
  readonly places: readonly TextMention[];
  /** `rg` or `scan` where files were searched for it. */
  readonly sources: readonly string[];
  /** Files with the words of a name that were not looked through. */
  readonly unread: number;
}

/** What the index says of some names: which files have their words, and on which lines code has the names. */
export interface NameHolders {
  readonly names: readonly string[];
  /** Files with the words of each name in more than comments. */
  readonly files: readonly (readonly string[])[];
  readonly known: ReadonlyMap<string, ReadonlySet<number>>;
}

/** How places in text are looked for. */
export interface MentionOptions {
  readonly covers: (path: string) => boolean;
  /** Whether a plain word counts only where signs of code join it. */
  readonly isStrict: boolean;
  readonly signal?: AbortSignal;
}

/** Chunks that are asked for by the words of a name, and files that are read for them. */
const MAX_CHUNKS = 20_000;
const MAX_FILES = 200;
const NO_COMMENTS = ["name", "signature", "body"] as const;
const SIGILS = ["", ".", "#", "$", "--", "@", ":", "%"];

/** A name with the signs that may stand before it as a part of it. */
export function addSigils(name: string): readonly string[] {
  return SIGILS.map((sigil) => `${sigil}${name}`);
}

/** The files that hold each of some names, by the index. */
export function listHolders(view: IndexView, names: readonly string[]): NameHolders["files"] {
  const phrases = [...names, ...names.map(toTag)];
  const found = view.findPhrases(phrases, { limit: MAX_CHUNKS, columns: NO_COMMENTS });
  return names.map((_, at) => {
    const contents = [at, at + names.length].flatMap((one) => found[one] ?? []);
    return view.listContents([...new Set(contents)]).map(({ path }) => path);
  });
}

/**
 * Asks the index which files hold some names.
 *
 * @param followed those of which the answer has the places in code; default all.
 */
export function readNameHolders(
  facts: IndexFacts,
  names: readonly string[],
  followed = names,
): NameHolders {
  const hits = facts.occurrences(followed.flatMap(addSigils)).flat();
  return { names, files: listHolders(facts.view, names), known: groupLines(hits) };
}

/** Finds the places in text. What the index knows as code of a name is none of them. */
export async function findTextMentions(
  context: QuestionContext,
  facts: Pick<FactStore, "readLines">,
  { names, files: indexed, known, ...options }: NameHolders & MentionOptions,
): Promise<TextMentions> {
  const { covers, isStrict, signal } = options;
  const end = signal === undefined ? {} : { signal };
  const sources = new Set<string>();
  const byPath = new Map<string, string[]>();
  let unread = 0;
  for (const [at, name] of names.entries()) {
    const likely = (indexed[at] ?? []).filter(covers);
    const isFew = likely.length <= MAX_FILES || context.stored !== undefined;
    const holding = isFew
      ? { files: likely.slice(0, MAX_FILES), late: likely.slice(MAX_FILES).length }
      : await findHolding(context, name, { files: likely, sources, ...end });
    unread += holding.late;
    for (const path of holding.files) getOrInsert(byPath, path, (): string[] => []).push(name);
  }
  const found = await Promise.all([...byPath].map(async ([path, own]) => {
    const lines = await facts.readLines(path);
    return own.flatMap((name) =>
      findInFile(path, lines, { name, isStrict, known: known.get(path) })
    );
  }));
  signal?.throwIfAborted();
  const places = found.flat().sort((a, b) =>
    a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line || a.column - b.column
  );
  return { places, sources: [...sources], unread };
}

/** The files that hold a name as a whole word, as far as there is time. */
export async function findHolding(
  context: QuestionContext,
  name: string,
  { files, sources, ...end }: {
    readonly files: readonly string[];
    readonly sources: Set<string>;
    readonly signal?: AbortSignal;
  },
): Promise<{ readonly files: readonly string[]; readonly late: number }> {
  const { peekMs } = LIMITS;
  using _spent = context.patience?.spend();
  const holding = await listFilesWithText(context, name, {
    endsAt: performance.now() + (context.patience?.limit(peekMs.value) ?? peekMs.value),
    files,
    ignoreCase: false,
    wholeWord: isWord(name),
    ...end,
  });
  sources.add(holding.source);
  return holding;
}

/** The lines on which code names something, by path. */
function groupLines(
  hits: readonly { readonly path: string; readonly line: number }[],
): ReadonlyMap<string, ReadonlySet<number>> {
  const lines = new Map<string, Set<number>>();
  for (const { path, line } of hits) getOrInsert(lines, path, () => new Set<number>()).add(line);
  return lines;
}

/** The text by which a name is looked for in files. */
export function literalOf(wanted: SymbolName): string {
  return wanted.scope.length > 0 ? wanted.name : wanted.whole;
}

/** Whether a text has a boundary of words at both ends. */
export function isWord(text: string): boolean {
  return /^[\p{L}\p{N}_]+$/u.test(text);
}

/** A name without capitals inside, signs or digits reads as a word. */
export const PLAIN_WORD = /^[A-Za-z][a-z]*$/;

/** What stands before the rest of the name of a module. */
const MODULE = /\b(?:from|import|require|include|require_relative)\s*\(?\s*["'`][^"'`]*$/;

function findInFile(
  path: string,
  lines: readonly string[],
  { name, isStrict, known }: {
    readonly name: string;
    readonly isStrict: boolean;
    /** Lines on which code has the name. */
    readonly known: ReadonlySet<number> | undefined;
  },
): readonly TextMention[] {
  const language = languageOfPath(path);
  const whole = toWholeKind(path, language);
  const tag = toTag(name);
  const pattern = compileNamePattern(name, language);
  const isPlain = isStrict && PLAIN_WORD.test(name);
  const toKind = (line: number, at: number): MentionKind => {
    if (whole !== null || language === undefined) return whole ?? "unread";
    const masked = maskLines(lines, language);
    const kind = kindOfPlace(masked[line] ?? "", at);
    return kind === "string" && isDocString(masked, lines, line)
      ? "comment"
      : kind === "code"
      ? "text"
      : kind;
  };
  return listLinesWith(lines, tag === "" ? [name] : [name, tag]).flatMap((index): TextMention[] => {
    const line = lines[index] ?? "";
    const isCode = known?.has(index + 1) === true;
    for (const { 0: word, index: start } of line.matchAll(pattern)) {
      const end = start + word.length;
      if (isCode && whole !== null) continue;
      if (isPlain && whole !== "document" && !isJoined(line, start, end)) continue;
      const kind = toKind(index, start);
      // Where a module lies is a fact of its own.
      if (kind === "string" && MODULE.test(line.slice(0, start))) continue;
      if (isCode && kind === "text") continue;
      if (isPlain && kind === "document" && !isMarked(line, name)) continue;
      const { text } = cutLine(line, [[start, end]]);
      return [{ path, line: index + 1, column: start + 1, kind, name, text }];
    }
    return [];
  });
}

/** The texts of {@link LineCache}'s lines, each with the places at which lines begin. */
const TEXTS = new WeakMap<
  readonly string[],
  { readonly text: string; readonly starts: readonly number[] }
>();

/** The lines that hold one of some texts, from 0, in order. */
function listLinesWith(lines: readonly string[], wanted: readonly string[]): readonly number[] {
  let known = TEXTS.get(lines);
  if (known === undefined) {
    let next = 0;
    const starts = lines.map((line) => (next += line.length + 1) - line.length - 1);
    known = { text: lines.join("\n"), starts };
    TEXTS.set(lines, known);
  }
  const { text, starts } = known;
  const found = new Set<number>();
  for (const one of wanted) {
    for (let at = text.indexOf(one); at >= 0;) {
      const index = findLast(starts, at);
      found.add(index);
      at = text.indexOf(one, starts[index + 1] ?? text.length);
    }
  }
  return [...found].sort((a, b) => a - b);
}

/** The last of rising numbers that is not above a limit. */
function findLast(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Masked lines by the lines that {@link LineCache} keeps: the next question is often about the same files. */
const MASKED = new WeakMap<readonly string[], readonly string[]>();

function maskLines(lines: readonly string[], language: Language): readonly string[] {
  const masked = MASKED.get(lines) ?? maskText(lines.join("\n"), language).split("\n");
  MASKED.set(lines, masked);
  return masked;
}

/** What a file is as a whole; null where it has code with comments and strings. */
function toWholeKind(path: string, language: Language | undefined): MentionKind | null {
  if (language?.nature === "prose" || isDocument(path)) return "document";
  return language === undefined ? "unread" : language.nature === "data" ? "data" : null;
}

/** Whether a string of several lines stands where a statement begins, as texts about a definition do. */
function isDocString(masked: readonly string[], lines: readonly string[], line: number): boolean {
  let first = line;
  // A text of several lines is a string from the first column on, save where a line of it is empty.
  while (first > 0 && (masked[first] === "" || kindOfPlace(masked[first] ?? "", 0) === "string")) {
    first--;
  }
  return /^\s*(?:@\w*doc\s+)?[a-zA-Z~]{0,2}(?:"""|''')/.test(lines[first] ?? "");
}

/** Whether signs of code join a word: it is called, quoted alone, a part of a longer name, a tag, or imported. */
function isJoined(line: string, start: number, end: number): boolean {
  const [before, after] = [line.slice(0, start), line.slice(end)];
  return /^\(/.test(after) || /["'`]$/.test(before) && /^["'`](?!\s*:)/.test(after) ||
    /(?:\w(?:[:#@\\]|::|->)|(?<!\.)\.|<\/?)$/.test(before) ||
    // Templates have code between such signs.
    /(?:\{\{|\{%|<%|\$[{(])[^}%]*$/.test(before) ||
    /^(?:\.(?![a-z]{1,4}(?![\w.(:]))|::|#|@|\\|->)\w/.test(after) ||
    /\b(?:import|from|require|use|include)\b|\b(?:FROM|INTO|UPDATE|JOIN|TABLE)\s+\S?$/.test(before);
}

/** Whether a line has a word as code: in code marks, called, or beside the signs that join names. */
export function isMarked(text: string, word: string): boolean {
  for (const { index } of text.matchAll(new RegExp(`(?<!\\w|\\w-)${word}(?![\\w-])`, "g"))) {
    const [before, after] = [text.slice(0, index), text.slice(index + word.length)];
    const marks = before.match(/`+/g)?.length ?? 0;
    if (marks % 2 === 1 || before.lastIndexOf("<code") > before.lastIndexOf("</code")) return true;
    if (/(?:\w\.|::|->|--|[#$@])$/.test(before) || /^(?:\(|::|->|\.\w)/.test(after)) return true;
  }
  return false;
}

/** The name as a whole one: what may stand beside it depends on the language. */
function compileNamePattern(text: string, language: Language | undefined): RegExp {
  const signs = `${language?.nameChars ?? ""}${text.includes("-") ? "-" : ""}`;
  const chars = signs.replace(/[\\\]^-]/g, "\\$&");
  const inner = `\\p{L}\\p{N}\\p{M}_${chars.replace(/[?!]/g, "")}`;
  // `?` and `!` end names in Ruby and Elixir, but `x != y` is a comparison.
  const tail = chars.includes("?") ? "|[?!](?!=)" : "";
  const name = escapePattern(text);
  const lead = /^[\p{L}\p{N}_]/u.test(text) ? `(?<![${inner}])` : "";
  const close = /[?!]$/.test(text) ? "" : `(?![${inner}]${tail})`;
  const tag = toTag(text);
  const tagged = tag === "" ? "" : `|(?<=<\\/?)${tag}(?![\\w-])`;
  return new RegExp(`${lead}${name}${close}${tagged}`, "gu");
}

/** How pages write the name of a component, as `price-tag` for `PriceTag`; empty for what is none. */
function toTag(name: string): string {
  return /^(?:[A-Z][a-z0-9]+){2,}$/.test(name) ? splitIdentifier(name).join("-") : "";
}

const SHOWN = 3;
/** How each kind is told: of one place, and of several. */
const WORDS: readonly (readonly [MentionKind, one: string, several: string])[] = [
  [
    "unread",
    "1 file names it in text that is not read",
    "N files name it in text that is not read",
  ],
  ["string", "named in a string in", "named in strings of N files"],
  ["data", "named in data in", "named in data of N files"],
  ["text", "named in text in", "named in text of N files"],
  ["code", "by name alone in code in", "by name alone in code of N files"],
  ["document", "named in a document", "named in N documents"],
  ["comment", "named in a comment in", "named in comments of N files"],
];

/** Changes of the past, which no change of the present breaks. */
const PAST_RECORD = /(?:^|\/)(?:change(?:log|s)|history|news|releases?(?:[-_]?notes)?)\b[^/]*$/i;

/** Whether a file tells of changes of the past. */
export function isPastRecord(path: string): boolean {
  return PAST_RECORD.test(path);
}

/** Whether a mention may be a use: a comment is none, and neither is what was written about an earlier version. */
export function isPossibleUse({ kind, path }: Pick<TextMention, "kind" | "path">): boolean {
  return kind !== "comment" && !(kind === "document" && isPastRecord(path));
}

/**
 * Counts by kind what no fact explains, with the first places; nothing where an answer is complete without it.
 *
 * @param options `isAll`: whether what is no use is told too, since nothing else names it.
 */
export function formatMentionNotices(
  { places, unread }: {
    readonly places: readonly Pick<TextMention, "path" | "line" | "kind">[];
    readonly unread: number;
  },
  { name = "", isAll = false }: { readonly name?: string; readonly isAll?: boolean } = {},
): readonly string[] {
  const told = isAll ? places : places.filter(isPossibleUse);
  const byKind = Map.groupBy(told, ({ kind }) => kind);
  const parts = WORDS.flatMap(([kind, one, several]) => {
    const own = byKind.get(kind);
    if (own === undefined) return [];
    const files = [...new Map(own.toReversed().map((place) => [place.path, place])).values()]
      .reverse();
    const shown = files.slice(0, SHOWN).map(({ path, line }) =>
      kind === "unread" ? path : `${path}:${line}`
    );
    const lead = files.length === 1 ? one : several.replace("N", String(files.length));
    const more = files.length > SHOWN ? ", …" : "";
    return [`${lead}${/ in$/.test(lead) ? " " : ": "}${shown.join(", ")}${more}`];
  });
  const rest = unread === 0 ? [] : [
    `${formatCount(unread, "file has", "files have")} its words and ${
      unread === 1 ? "was" : "were"
    } not looked through`,
  ];
  const all = [...parts, ...rest];
  const of = name === "" ? "" : ` of "${name}"`;
  return all.length === 0 ? [] : [`What no fact explains${of}: ${all.join("; ")}.`];
}
