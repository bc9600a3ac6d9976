/**
 * What kind of question a text is, and the words by which it is answered. The kind chooses the row of
 * weights. It depends on its arguments alone.
 */
import { languageOfPath } from "../language/languages.ts";
import { splitIdentifier, splitWords } from "../analysis/tokens.ts";
import { stemWord } from "../base/text/stem.ts";
import { translate } from "./languages/translate.ts";

/** Text in marks of code or in quotes; an apostrophe stands in a word or behind it. */
const MARKED = /`[^`\n]{2,60}`|"[^"\n]{2,60}"|(?<![\w)\]])'[^'\n]{2,60}'(?!\w)/g;
/** Names that a sign of code joins, and calls. */
const JOINED = /[A-Za-z_$][\w$]*(?:(?:\.|::|->|#)[\w$]+)+|[A-Za-z_$][\w$]*(?=\(\))/g;
/** A name with a capital inside, or an underscore. */
const SHAPED = /\b\w*(?:[a-z][A-Z]|_|[A-Z]{2}[a-z]{2}|[A-Z][a-z]+[A-Z])\w*/g;
const LITERAL_NAME = /[A-Za-z_][A-Za-z0-9_]{2,}/g;
const MAX_LITERALS = 16;

/**
 * The names of a text that are surely meant as they stand, each once: those in marks of code or in quotes, those that a
 * sign of code joins, calls, and those that are no words of a language. At most sixteen, in order.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { findLiterals } from "./query_kind.ts";
 * const text = "Let `redirect` of res.location keep a cookie's maxAge, as set_cookie() does for the users' sake";
 * deepEqual(findLiterals(text), ["redirect", "res", "location", "maxAge", "set_cookie"]);
 * ```
 */
export function findLiterals(text: string): string[] {
  const found = [MARKED, JOINED, SHAPED].flatMap((form) => [...text.matchAll(form)]);
  const names = found.sort((a, b) => a.index - b.index).flatMap(([whole]) =>
    whole.match(LITERAL_NAME) ?? []
  );
  return [...new Set(names)].slice(0, MAX_LITERALS);
}

/**
 * How much of what files have together each has: a name counts the more the fewer of the files have it.
 *
 * @param sets The names that each file has.
 * @returns Weighs a set, from 0 to 1; with `within` as a share of the names that this other set has.
 */
export function createLiteralScale(
  sets: readonly ReadonlySet<string>[],
): (own: ReadonlySet<string>, within?: ReadonlySet<string>) => number {
  const counts = new Map<string, number>();
  for (const own of sets) for (const name of own) counts.set(name, (counts.get(name) ?? 0) + 1);
  const weights = new Map(
    [...counts].map(([name, count]) => [name, Math.log1p(sets.length / count)]),
  );
  const weigh = (names: Iterable<string>) =>
    [...names].reduce((sum, name) => sum + (weights.get(name) ?? 0), 0);
  const all = new Set(weights.keys());
  return (own, within = all) => {
    const whole = weigh(within);
    return whole === 0 ? 0 : weigh(own.intersection(within)) / whole;
  };
}

/** One row of the table of weights each; `request` is a sentence that asks for work, as messages of commits do. */
export type QueryKind =
  | "symbol"
  | "path"
  | "sentence"
  | "error"
  | "translated"
  | "foreign"
  | "request";

/** A word, or several with a space between them, as written and as stems. */
export interface QueryWord {
  readonly text: string;
  readonly stem: string;
}

/** A question, ready to be answered. */
export interface QueryForm {
  readonly kind: QueryKind;
  /** What the full text is asked for: the question without words that stand everywhere. */
  readonly text: string;
  /** Its words, each stem once; of identifiers the parts and the whole. */
  readonly words: readonly QueryWord[];
  /** Runs of three words of a message, in which a program may have it; empty for other kinds. */
  readonly phrases: readonly string[];
  /** Words that follow each other in the question. */
  readonly pairs: readonly QueryWord[];
  /** Words that are written as identifiers: `getUser`, `MAX_SIZE`, `Router`. */
  readonly identifiers: readonly string[];
  /** Names that are written as code, and meant as they stand. */
  readonly literals: readonly string[];
  /** The segments of the path that is asked for; empty for other kinds. */
  readonly path: readonly string[];
  /** Whether the path says more than where a file lies in the project: it begins at a root, or is an address. */
  readonly isAbsolute: boolean;
  /** The line of the path that is asked for, 1-based; null where none is. */
  readonly line: number | null;
  /** The name that is asked for and the names of what holds it; null where it is no name. */
  readonly symbol: { readonly name: string; readonly holders: readonly string[] } | null;
  /** Words that stand for names by their sound alone: katakana and Hangul that no table has. */
  readonly loans: readonly string[];
  /** What is embedded of it. */
  readonly meant: string;
}

const STOP_WORDS = new Set(
  ("a an and are as at be by can do does for from has have how in into is it its of on or that the " +
    "their them then there these this to was what when where which while who why will with work " +
    "works using use used uses between through via each").split(" "),
);

const NAME = /[\p{L}\p{N}\p{M}_$]+/gu;
const EAST_ASIAN = /[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]/;
const LETTER = /\p{L}/gu;
const LATIN_RUN = /[\p{Script=Latin}_$][\p{Script=Latin}\p{N}_$]*/gu;
const LATIN = /\p{Script=Latin}/gu;
// What messages begin with or hold; a mere word such as "error" stands in many plain questions.
const FAILURE =
  /^(?:\w*(?:error|exception|panic|fatal)\b\s*[:(]|cannot |can't |could not |couldn't |unable to |failed to |no such |unexpected |undefined )|\b(?:is not (?:a|an|defined|assignable|callable)|not found:|permission denied|at line \d|exit(?:ed with)? code \d)/i;
const MESSAGE =
  /\b(?:error|exception|panicked|warning|fatal|traceback)\b.*:\s|["'`“][^"'`”]+["'`”]/i;

/**
 * Reads a question.
 *
 * @param isLiteral leaves one in another language as it stands.
 * @example
 * ```ts
 * import { strictEqual as equal } from "node:assert/strict";
 * import { readQuery } from "./query_kind.ts";
 * equal(readQuery("UserService.save").kind, "symbol");
 * equal(readQuery("src/auth/login.ts").kind, "path");
 * equal(readQuery("how are sessions refreshed").kind, "sentence");
 * ```
 */
export function readQuery(question: string, isLiteral = false): QueryForm {
  const text = question.normalize("NFKC").trim();
  const kind = classifyQuery(text);
  if (kind === "foreign") return readForeign(text, isLiteral);
  const { path, line } = kind === "path" ? parsePlaceAtEnd(text) : { path: "", line: null };
  const names = (kind === "path" ? path : text).match(NAME) ?? [];
  const isSingle = kind === "symbol" || kind === "path";
  const kept = isSingle ? names : names.filter((name) => !STOP_WORDS.has(name.toLowerCase()));
  // A question of such words alone is asked as it stands.
  const asked = kept.length === 0 ? names : kept;
  return {
    kind,
    text: asked.join(" "),
    words: listQueryWords(splitWords(asked.join(" ")).split(" ").filter((word) => word !== "")),
    phrases: kind === "error" ? listPhrases(names) : [],
    pairs: listPairs(asked),
    identifiers: kind === "symbol" ? [] : asked.flatMap(listIdentifiers),
    literals: isSingle ? [] : findLiterals(text),
    path: splitSegments(path),
    isAbsolute: ABSOLUTE.test(path),
    line,
    symbol: kind === "symbol" ? parseSymbol(text) : null,
    loans: [],
    meant: question,
  };
}

// Below it the model knows better than the table what was meant.
const MIN_COVERAGE = 0.5;

/** Its own words find comments and texts in its language, those in English the names of the code. */
function readForeign(text: string, isLiteral: boolean): QueryForm {
  const names = text.match(NAME) ?? [];
  const { terms, unknown, coverage, english: meant } = translate(isLiteral ? "" : text);
  const isKnown = coverage >= MIN_COVERAGE;
  const english = terms.flat();
  const words = english.length === 0 ? names : english;
  return {
    kind: isKnown ? "translated" : "foreign",
    text: [...names, ...english].join(" "),
    words: listQueryWords(splitWords(words.join(" ")).split(" ").filter((word) => word !== "")),
    phrases: [],
    pairs: listPairs(terms.map(([first = ""]) => first)),
    identifiers: names.flatMap(listIdentifiers),
    literals: findLiterals(text),
    path: [],
    isAbsolute: false,
    line: null,
    symbol: null,
    loans: unknown,
    meant: isKnown ? meant : text,
  };
}

/** The question with words of the repository that sound as its loan words do. */
export function addSoundMatches(query: QueryForm, heard: readonly string[]): QueryForm {
  if (heard.length === 0) return query;
  return {
    ...query,
    text: `${query.text} ${heard.join(" ")}`,
    words: [...query.words, ...listQueryWords(heard)],
  };
}

/** The question as a request, where it is in words that the past knows; else as it is. */
export function asRequest(query: QueryForm): QueryForm {
  const isText = query.kind === "sentence" || query.kind === "error";
  return isText ? { ...query, kind: "request", phrases: [] } : query;
}

function classifyQuery(text: string): Exclude<QueryKind, "translated" | "request"> {
  if (!/\s/.test(text)) {
    const { path, line } = parsePlaceAtEnd(text);
    if (line !== null && languageOfPath(path) !== undefined) return "path";
    if (EAST_ASIAN.test(text)) return "foreign";
    if (/[/\\]/.test(text) && /[\p{L}\p{N}]/u.test(text)) return "path";
    return /^[^.]+\.\w+$/.test(path) && languageOfPath(path) !== undefined ? "path" : "symbol";
  }
  const letters = text.match(LETTER)?.length ?? 0;
  const foreign = letters - (text.match(LATIN)?.length ?? 0);
  if (EAST_ASIAN.test(text) || foreign > letters / 3) return "foreign";
  return FAILURE.test(text) || MESSAGE.test(text) ? "error" : "sentence";
}

const PHRASE_WORDS = 3;
const MAX_PHRASES = 24;

function listPhrases(names: readonly string[]): string[] {
  if (names.length < PHRASE_WORDS) return [names.join(" ")];
  return names.slice(PHRASE_WORDS - 1, MAX_PHRASES)
    .map((_, at) => names.slice(at, at + PHRASE_WORDS).join(" "));
}

/** Each stem once, with the first word that has it. */
function listQueryWords(texts: readonly string[]): QueryWord[] {
  const byStem = new Map<string, QueryWord>();
  for (const text of texts) {
    const stem = text.split(" ").map(stemWord).join(" ");
    if (!byStem.has(stem)) byStem.set(stem, { text, stem });
  }
  return [...byStem.values()];
}

function listPairs(names: readonly string[]): QueryWord[] {
  const latin = names.flatMap((name) => name.match(LATIN_RUN) ?? []);
  const parts = latin.flatMap(splitIdentifier);
  return listQueryWords(parts.slice(1).map((part, at) => `${parts[at]} ${part}`));
}

/** The Latin runs of a word (a name may stand inside a Japanese one) that look like identifiers. */
function listIdentifiers(word: string): string[] {
  const runs = word.match(LATIN_RUN) ?? [];
  return runs.filter((run) => run.length > 1 && /\p{Lu}|_|\$/u.test(run));
}

function parseSymbol(text: string): QueryForm["symbol"] {
  const names = text.replace(/\(.*$/s, "").match(NAME) ?? [];
  const name = names.at(-1);
  return name === undefined ? null : { name, holders: names.slice(0, -1) };
}

// As compilers, stack traces and links to lines write them: `a.ts:12:5`, `a.ts:12-14`, `a.cs(12,5)`, `a.go#L12C5-L14`.
const LINE =
  /(?:(?<=[^:/\\]):(\d{1,7})(?:[-:]\d{1,7}){0,3}|(?<=\w)\((\d{1,7})(?:,\d{1,7}){0,3}|#L(\d{1,7})(?:C\d+)?(?:-L?\d+(?:C\d+)?)?)$/;
/** What a line stands within: nothing is longer. */
const LINE_CHARS = 60;
/** What texts put round a place. */
const ROUND = /^[("'`<[]+|[)"'`>\],.;:]+$/g;
const ABSOLUTE = /^(?:[/\\]|[A-Za-z]:[/\\]|\w+:\/\/)/;
const HOST = /^\w+:\/\/[^/]*$/;

/** A path as it is asked for, without the line behind it. */
function parsePlaceAtEnd(text: string): { readonly path: string; readonly line: number | null } {
  const plain = text.replaceAll(ROUND, "");
  const from = Math.max(0, plain.length - LINE_CHARS);
  const found = HOST.test(plain) ? null : LINE.exec(plain.slice(from));
  const digits = found?.slice(1).find((group) => group !== undefined);
  if (found === null || digits === undefined) return { path: text, line: null };
  return { path: plain.slice(0, from + found.index), line: Math.max(1, Number(digits)) };
}

/** The segments of a path: `./src\auth.ts` gives `src`, `auth.ts`. */
function splitSegments(path: string): string[] {
  return path.split(/[/\\]+/).filter((segment) => segment !== "" && segment !== ".");
}
