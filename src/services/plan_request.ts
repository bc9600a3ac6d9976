/** Says what the router and the past make of a request, for the log of decisions. */
import type { SessionState } from "../phase/state.ts";
import { routeQuestion } from "../question/router.ts";
import type { WorkflowDeps } from "../workflow/context/deps.ts";
import type { RequestPast } from "./request_past.ts";

/** Which tools an understood request leads to, and which past commits are like it. */
export async function planRequest(
  past: RequestPast,
  { query, intent, frame }: SessionState,
): ReturnType<WorkflowDeps["planRequest"]> {
  const { plan } = routeQuestion({
    question: query,
    intent,
    slots: frame?.slots ?? null,
    targetSymbols: frame?.targetSymbols ?? [],
  });
  return {
    toolsPlanned: [...new Set(plan.map(({ tool }) => tool))],
    pastCommits: [...await past.listCommits(query)],
  };
}
