/** Plans the searches for a question with what the active session knows of its request. */
import type { Route } from "../question/router.ts";
import { routeQuestion } from "../question/router.ts";
import type { Services } from "../services/services_api.ts";

/** A question, and what the caller says about it beside its words. */
export interface SessionQuestion {
  readonly question: string;
  readonly intent?: string;
  readonly symbol?: string;
  readonly filePath?: string;
}

/** A plan, and what helps to rank what it finds. */
export interface SessionRoute {
  readonly route: Route;
  /** The slot `target_feature` of the session's frame, which helps a question that says little. */
  readonly sessionTarget: string | undefined;
}

/** Plans a question; the intent is the session's where the caller gives none. */
export async function routeInSession(
  sessions: Services["sessions"],
  { question, intent: given, symbol, filePath }: SessionQuestion,
): Promise<SessionRoute> {
  const active = await sessions.findActive();
  const state = active?.kind === "loaded" ? active.checkpoint.state : null;
  const intent = given ?? state?.intent;
  const route = routeQuestion({
    question,
    slots: state?.frame?.slots ?? null,
    targetSymbols: state?.frame?.targetSymbols ?? [],
    ...(intent === undefined ? {} : { intent }),
    ...(symbol === undefined ? {} : { symbol }),
    ...(filePath === undefined ? {} : { filePath }),
  });
  return { route, sessionTarget: state?.frame?.slots.target_feature?.value };
}

/** The longest text that a search ranks by, as of `semantic_search`. */
const MAX_RANKED_CHARS = 1_000;

/** The question in the form that a search takes: one line of bounded length. */
export function toOneLine(question: string): string {
  return question.replaceAll(/\s+/g, " ").trim().slice(0, MAX_RANKED_CHARS);
}
