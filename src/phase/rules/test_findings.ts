/**
 * Weaker and fewer tests: each finding needs a reason at step 17, which the session keeps. Pure.
 */
import { LIMITS } from "../../base/settings/limits.ts";
import type { Problem } from "../../base/problem.ts";
import { toProblem } from "../../base/problem.ts";
import type { Facts, TestFinding } from "../facts.ts";
import type { PayloadOf } from "../payloads.ts";
import type { SessionState } from "../state.ts";

/** A finding with what the agent said to it. */
export interface AnsweredFinding extends TestFinding {
  readonly reason: string;
}

/** Every finding that step 17 asks about: those of the last run, and those of the diff. */
export function listTestFindings(
  state: Pick<SessionState, "verification">,
  facts: Pick<Facts, "weakened">,
): readonly TestFinding[] {
  return [...state.verification?.lost ?? [], ...facts.weakened ?? []];
}

/** The findings with their reasons, or what is missing. */
export function answerFindings(
  payload: Pick<PayloadOf<"PRE_COMMIT">, "test_findings">,
  findings: readonly TestFinding[],
): { readonly answered: readonly AnsweredFinding[]; readonly problems: readonly Problem[] } {
  const given = new Map((payload.test_findings ?? []).map(({ id, reason }) => [id, reason.trim()]));
  const limit = LIMITS.reasonMinChars.value;
  const answered = findings.map((finding) => ({ ...finding, reason: given.get(finding.id) ?? "" }));
  const problems = answered.filter(({ reason }) => reason.length < limit).map(({ id, what }) =>
    toProblem("tests_weakened", `${id}: ${what}`, {
      at: "data.test_findings",
      hint: `Say for this one why it is right, or discard the file: test_findings: [{"id": ` +
        `${JSON.stringify(id)}, "reason": "at least ${limit} characters"}].`,
    })
  );
  return { answered, problems };
}
