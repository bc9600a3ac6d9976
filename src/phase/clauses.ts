/** What the request says in so many words: the defect that it names, and the clauses that the work has to show. Pure. */
import { writesFiles } from "./flags.ts";
import type { SessionState } from "./state.ts";

/** Whether the work mends something that the request saw going wrong. */
export function isAboutDefect(
  state: Pick<SessionState, "intent" | "flags" | "frame">,
): boolean {
  return writesFiles(state) && (state.frame?.slots.observed_issue ?? null) !== null;
}

/** The words of the request on which the frame stands, each once; those within others are said by these. */
export function toClauses({ frame }: Pick<SessionState, "frame">): readonly string[] {
  const quotes = Object.values(frame?.slots ?? {}).flatMap((slot) => slot?.quote.trim() ?? []);
  const all = [...new Set(quotes)].filter((quote) => quote !== "");
  return all.filter((quote) => !all.some((other) => other !== quote && other.includes(quote)));
}

/** The clauses for which nobody has said what was run and what it showed. */
export function toOpenClauses(
  state: Pick<SessionState, "frame" | "observed">,
): readonly string[] {
  return toClauses(state).filter((clause) => (state.observed?.[clause] ?? "") === "");
}

/** What was observed, without values that only repeat the form. */
export function toObserved(
  sent: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const entries = Object.entries(sent).map(([clause, showed]) => [clause.trim(), showed.trim()]);
  return Object.fromEntries(entries.filter(([, showed = ""]) => /[^\s.…]/.test(showed)));
}
