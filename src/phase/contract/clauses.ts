/** What the request says in so many words: the defect that it names, and the clauses that the work has to show. Pure. */
import { writesFiles } from "../table/flags.ts";
import type { SessionState } from "../state.ts";
import { splitSentences } from "../../base/text/sentences.ts";
import { normaliseText } from "../../base/text/shared_words.ts";
import { namesTest } from "./named_tests.ts";

/** Whether the work fixes something that the request saw going wrong. */
export function isAboutDefect(
  state: Pick<SessionState, "intent" | "flags" | "frame">,
): boolean {
  return writesFiles(state) && (state.frame?.slots.observed_issue ?? null) !== null;
}

/**
 * The words of the request on which the frame stands, each once; those within others are said by these. A sentence of
 * which the frame quotes nothing is a clause of its own: what nobody quotes is easily forgotten.
 */
export function listClauses(
  { frame, query }: Pick<SessionState, "frame" | "query">,
): readonly string[] {
  const quotes = Object.values(frame?.slots ?? {}).flatMap((slot) =>
    slot?.quote.replaceAll(/\s+/g, " ").trim() ?? []
  );
  const all = [...new Set(quotes)].filter((quote) => quote !== "");
  if (all.length === 0) return [];
  const own = all.filter((quote) => !all.some((other) => other !== quote && other.includes(quote)));
  return [...own, ...listUnquoted(query, [...all, ...frame?.constraints ?? []])];
}

/** Most of those that demand something, and of others. */
const MOST_UNQUOTED = { demands: 6, others: 3 };
/** Words of a sentence that demands something; others tell how things are. */
const DEMANDS =
  /\b(?:must|should|shall|ha(?:s|ve) to|needs? to|may (?:not|have|be)|only|never|always|ought|want|expect|holds? for|goes? on|stays?|keeps?|remains?|add|remove|rename|let|make|support|accept|refuse|allow|return|print|show|please|by default|alike|too|unchanged)\b/i;
/** A shorter sentence says little, and a longer one is a story. */
const UNQUOTED_WORDS = { least: 4, most: 60 } as const;

/** The sentences of a request with which no quoted words overlap. */
function listUnquoted(query: string, quoted: readonly string[]): readonly string[] {
  const known = quoted.map(normaliseText).filter((words) => words !== "");
  const unquoted = splitSentences(query).filter((sentence) => {
    const words = normaliseText(sentence);
    const count = words.split(" ").length;
    return count >= UNQUOTED_WORDS.least && count <= UNQUOTED_WORDS.most &&
      !known.some((one) => words.includes(one) || one.includes(words));
  });
  const demands = unquoted.filter((one) => DEMANDS.test(one)).slice(0, MOST_UNQUOTED.demands);
  const room = Math.max(0, MOST_UNQUOTED.others - demands.length);
  const others = unquoted.filter((one) => !DEMANDS.test(one)).slice(0, room);
  return unquoted.filter((one) => demands.includes(one) || others.includes(one));
}

/** The clauses for which nobody has said what was run and what it showed. */
export function listOpenClauses(
  state: Pick<SessionState, "frame" | "query" | "observed">,
): readonly string[] {
  return listClauses(state).filter((clause) => (state.observed?.[clause] ?? "") === "");
}

/** Whether what was observed names a test that the server itself ran; else it is the agent's word. */
export function isOnRecord(
  showed: string,
  { verification }: Pick<SessionState, "verification">,
): boolean {
  return (verification?.ranTests ?? []).some((test) => namesTest(showed, test));
}

/** The tests that failed without the change, as `path: name`, where the server knows which they are. */
export function listProvingTests(
  { verification }: Pick<SessionState, "verification">,
): readonly string[] {
  const { ranTests = [], provesNothing = [], proving = 0 } = verification ?? {};
  const named = ranTests.filter((test) => test.includes(": ") && !provesNothing.includes(test));
  return named.length === proving ? named : [];
}

/** The clauses of which something was said to show that the server did not see. */
export function listUnprovenClauses(
  state: Pick<SessionState, "frame" | "query" | "observed" | "verification">,
): readonly string[] {
  return listClauses(state).filter((clause) => {
    const showed = state.observed?.[clause] ?? "";
    return showed !== "" && !isOnRecord(showed, state);
  });
}

/**
 * What was observed of each clause, without values that only repeat the form. A key may be written
 * a little otherwise than its clause, or join several clauses. A text alone stands for all clauses.
 * Where it has as many parts (split at `;` or line ends) as there are clauses, each part stands for
 * its clause.
 */
export function matchObserved(
  sent: Readonly<Record<string, string>> | string,
  clauses: readonly string[],
): Readonly<Record<string, string>> {
  const rows = typeof sent === "string" ? splitObserved(sent, clauses) : Object.entries(sent);
  const known = clauses.map((clause) => ({ clause, plain: normaliseText(clause) }));
  const entries = rows.flatMap(([key, value]) => {
    const words = normaliseText(key);
    const said = known.filter(({ plain }) =>
      plain === words || plain.includes(" ") && ` ${words} `.includes(` ${plain} `)
    );
    const names = said.length === 0 ? [key.trim()] : said.map(({ clause }) => clause);
    return names.map((name) => [name, value.trim()] as const);
  });
  return Object.fromEntries(entries.filter(([, showed]) => /[^\s.…]/.test(showed)));
}

/** What was observed until now, with what a payload says again. */
export function addObserved(
  state: Pick<SessionState, "frame" | "query" | "observed">,
  sent: Readonly<Record<string, string>> | string | null | undefined,
): Readonly<Record<string, string>> {
  return { ...state.observed, ...matchObserved(sent ?? {}, listClauses(state)) };
}

function splitObserved(
  text: string,
  clauses: readonly string[],
): readonly (readonly [string, string])[] {
  const parts = text.split(/;|\n/).map((part) => part.trim()).filter((part) => part !== "");
  return clauses.map((clause, at) =>
    [clause, parts.length === clauses.length ? parts[at] ?? text : text] as const
  );
}
