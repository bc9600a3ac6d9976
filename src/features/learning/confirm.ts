/**
 * Which symbols of a finished session are confirmed: the server itself showed their definition, the work changed lines
 * of it, and the result was verified. Pure.
 */
import { clipLine } from "../../base/text/clip.ts";
import type { NamesByFile, SessionRecord } from "../../session/records.ts";
import type { ChangedSymbol } from "../../workflow/context/learning.ts";
import type { LearnedTerm } from "./agreement.ts";
import type { LearnedState } from "./decision_log.ts";
import { listRequestWords } from "./request_words.ts";

/**
 * The noun phrase that a few words of a request begin with: a term has to be found again in other requests, and a whole
 * clause stands in no second one. English by its small words alone; text without spaces stays as it is. Pure.
 */

const DETERMINERS = toSet("a an the this that these those its their our my your every each any");
/** Words with which a clause goes on behind its noun phrase; `of`, `and` and `or` hold one together. */
const CLOSERS = toSet(
  "is are was were be been being has have had do does did can cannot could may might must shall should will would " +
    "to which who whose when where while whenever if unless until because so since although though whether but then " +
    "than as not never always only also instead without with by via from into onto on in at for after before during " +
    "between through over under about against per",
);
const HOLDERS = toSet("of and or");
/** Verbs that begin a request and no noun phrase. */
const OPENERS = toSet("add fix implement let please");
const MOST_WORDS = 6;

/**
 * The noun phrase at the beginning of a text; empty where there is none.
 *
 * @example
 * ```ts
 * import { strictEqual as equal } from "node:assert/strict";
 * import { toNounPhrase } from "./confirm.ts";
 * equal(toNounPhrase("get_debug_flag take a default"), "get_debug_flag");
 * equal(toNounPhrase("the length of the name when it is empty"), "length of the name");
 * equal(toNounPhrase("login form"), "login form");
 * ```
 */
export function toNounPhrase(text: string): string {
  const words = skipOpening(text.trim().split(/\s+/));
  const phrase: string[] = [];
  for (const word of words) {
    const plain = toPlain(word);
    if (CLOSERS.has(plain)) break;
    if (DETERMINERS.has(plain) && phrase.length > 0 && toPlain(phrase.at(-1) ?? "") !== "of") {
      // What stands before an article within a text is a verb.
      phrase.pop();
      break;
    }
    phrase.push(word.replace(/[,;:.!?]+$/, ""));
    if (/[,;:.!?]$/.test(word) || phrase.length === MOST_WORDS) break;
  }
  while (
    HOLDERS.has(toPlain(phrase.at(-1) ?? "")) || DETERMINERS.has(toPlain(phrase.at(-1) ?? ""))
  ) {
    phrase.pop();
  }
  return phrase.join(" ");
}

/** Whether a text names an action, as "renew a loan" does: its noun phrase alone says less than half of it. */
export function isVerbPhrase(text: string): boolean {
  const [first = "", second = ""] = text.trim().split(/\s+/).map(toPlain);
  return !OPENERS.has(first) && !DETERMINERS.has(first) && DETERMINERS.has(second);
}

/** Leaves out the verb of a request and the article behind it. */
function skipOpening(words: readonly string[]): readonly string[] {
  const [first = ""] = words;
  const isVerb = OPENERS.has(toPlain(first)) || isVerbPhrase(words.join(" "));
  const rest = isVerb && words.length > 1 ? words.slice(1) : words;
  return DETERMINERS.has(toPlain(rest[0] ?? "")) ? rest.slice(1) : rest;
}

function toPlain(word: string): string {
  return word.toLowerCase().replace(/[,;:.!?]+$/, "");
}

function toSet(words: string): ReadonlySet<string> {
  return new Set(words.split(" "));
}

/** What a session that ended well is judged by. */
export interface ConfirmInput {
  readonly state: LearnedState;
  readonly records: readonly SessionRecord[];
  /** Files that the session changed, relative to the project. */
  readonly files: readonly string[];
  /** What its diff changed, by definitions. */
  readonly changed: readonly ChangedSymbol[];
  /** Turns a path of the records into one of the project. */
  readonly toProject: (path: string) => string;
  /** ISO time. */
  readonly at: string;
}

const MAX_SYMBOLS = 8;
/** Where more definitions changed than these, and no target among them, none is what the words mean (guessed). */
const MAX_UNNAMED = 3;
/** A longer quote is a sentence, not a term. */
const MAX_TERM_CHARS = 80;

/**
 * True when something can be learned: work was done, the server itself saw it pass, and nothing was overridden. What
 * the agent reports about its own work teaches nothing.
 */
export function isLearnable(state: LearnedState): boolean {
  const hasWork = state.tasks.some(({ checklist }) =>
    checklist.some(({ status }) => status === "done")
  );
  return state.status === "ended" && (state.end === "merged" || state.end === "completed") &&
    hasWork && state.verification?.passed === true && state.verification.source === "server" &&
    (state.quality?.issues.length ?? 0) === 0;
}

/** The learned term of a session, or null where nothing is confirmed. */
export function confirmTerm(input: ConfirmInput): LearnedTerm | null {
  const { state, at } = input;
  if (!isLearnable(state)) return null;
  const terms = listTerms(state);
  if (terms.length === 0) return null;
  const confirmed = findMeant(input, terms);
  if (!confirmed.some(({ symbol }) => saysMore(symbol, terms))) return null;
  return {
    terms,
    symbols: confirmed.map(({ symbol }) => symbol),
    files: [...new Set(confirmed.flatMap((entry) => entry.files))],
    sessions: [state.sessionId],
    confirmed: 1,
    learnedAt: at,
    updatedAt: at,
    isRejected: false,
    evidence: confirmed.map((entry) =>
      `${entry.symbol}: defined in ${entry.files.join(", ")}, changed and verified (server) ` +
      `in ${state.sessionId}: ${clipLine(state.query, 120)}`
    ),
  };
}

interface Confirmed {
  readonly symbol: string;
  readonly files: readonly string[];
}

/**
 * What the diff says that the terms mean: the targets that it changed. Where none of their names
 * says a term, definitions of the diff itself count whose names do (as `renew` for "renewal").
 */
function findMeant(input: ConfirmInput, terms: readonly string[]): readonly Confirmed[] {
  const targets = listChangedTargets(input);
  const said = listRequestWords(terms.join(" "));
  if (targets.length === 0 || targets.some(({ symbol }) => isSaid(symbol, said))) return targets;
  const own = input.changed.filter(({ path, name, isTest }) =>
    !isTest && input.files.includes(path) && isSaid(name, said)
  );
  const named = [...Map.groupBy(own, ({ name }) => name)].map(([symbol, some]) => ({
    symbol,
    files: [...new Set(some.map(({ path }) => path))].sort(),
  }));
  return named.length === 0 || named.length > MAX_UNNAMED ? targets : named;
}

/** So many letters at the beginning make two words forms of one: `renew` and `renewal` (guessed). */
const STEM_CHARS = 4;

/** Whether a name has a word of the terms, or another form of one. */
function isSaid(symbol: string, said: ReadonlySet<string>): boolean {
  return [...listRequestWords(symbol)].some((word) =>
    [...said].some((other) =>
      Math.min(word.length, other.length) >= STEM_CHARS &&
      (word.startsWith(other) || other.startsWith(word))
    )
  );
}

/**
 * The targets of the frame that the diff changed. Where it changed none of them, the few definitions that it changed
 * instead: they are what the words turned out to mean.
 */
function listChangedTargets(input: ConfirmInput): readonly Confirmed[] {
  const { state, files, changed } = input;
  const shown = indexShownDefinitions(input);
  const own = changed.filter(({ path }) => files.includes(path));
  const confirm = (symbol: string, some: readonly ChangedSymbol[]): Confirmed[] => {
    const defining = shown.get(keyOfSymbol(symbol)) ?? [];
    const paths = [...new Set(some.map(({ path }) => path))].sort();
    const touched = paths.filter((path) => defining.includes(path));
    return touched.length === 0 ? [] : [{ symbol, files: touched }];
  };
  const targets = (state.frame?.targetSymbols ?? []).slice(0, MAX_SYMBOLS).flatMap((symbol) =>
    confirm(
      symbol,
      own.filter(({ name, holders }) => [name, ...holders].some((one) => isNamed(one, symbol))),
    )
  );
  if (targets.length > 0) return targets;
  const byName = Map.groupBy(own.filter(({ isTest }) => !isTest), ({ name }) => name);
  if (byName.size > MAX_UNNAMED) return [];
  return [...byName].flatMap(([name, some]) => confirm(name, some));
}

/** Whether two names can mean one definition: `login`, `AuthService.login` and `auth::AuthService::login()` can. */
function isNamed(a: string, b: string): boolean {
  const [short = [], long = []] = [splitSymbol(a), splitSymbol(b)].sort((x, y) =>
    x.length - y.length
  );
  const end = long.slice(long.length - short.length);
  return short.length > 0 && short.every((part, at) => part === end[at]);
}

/** The user's own words for the target, then what the agent took them for, each as the thing that it names. */
function listTerms(state: LearnedState): readonly string[] {
  const slot = state.frame?.slots.target_feature ?? null;
  if (slot === null) return [];
  const things = [slot.quote, slot.value].filter((text) => !isVerbPhrase(text));
  const texts = (things.length === 0 ? [slot.value] : things)
    .map((text) => clipLine(toNounPhrase(text), MAX_TERM_CHARS));
  const terms = texts.filter((text) => text !== "");
  return [...new Map(terms.map((term) => [term.toLowerCase(), term])).values()];
}

/**
 * Whether a symbol has a word that no term has: `get_debug_flag` for "get_debug_flag take a default" is what any search
 * finds by the words alone.
 */
function saysMore(symbol: string, terms: readonly string[]): boolean {
  const said = listRequestWords(terms.join(" "));
  return [...listRequestWords(symbol)].some((word) => !said.has(word));
}

/** Files by symbol, from the records of calls that showed a definition. */
function indexShownDefinitions(input: ConfirmInput): ReadonlyMap<string, readonly string[]> {
  const shown = new Map<string, Set<string>>();
  for (const record of input.records) {
    if (record.kind !== "call" || !record.ok) continue;
    for (const [path, names] of Object.entries(record.defines ?? {} as NamesByFile)) {
      for (const name of names) {
        const key = keyOfSymbol(name);
        shown.set(key, (shown.get(key) ?? new Set()).add(input.toProject(path)));
      }
    }
  }
  return new Map([...shown].map(([key, paths]) => [key, [...paths].sort()]));
}

/** `AuthService.login`, `auth::login` and `login()` are found by their last name. */
export function keyOfSymbol(symbol: string): string {
  return splitSymbol(symbol).at(-1) ?? symbol.trim();
}

function splitSymbol(symbol: string): readonly string[] {
  const plain = symbol.trim().replace(/\(.*$/, "");
  return plain.split(/[.#/\\]|::|->/).filter((part) => part !== "");
}
