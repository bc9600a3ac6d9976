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

/** The beginning of the id of a finding about installed dependencies. */
export const DEPENDENCIES_CHANGED = "dependencies_changed";
/** How the reason of such a finding begins. */
const ANSWERS = /^(?:install|generated|needed)\b/i;

/** Every finding that step 17 asks about: those of the last run, and those of the diff. */
export function listTestFindings(
  state: Pick<SessionState, "verification">,
  facts: Pick<Facts, "weakened">,
): readonly TestFinding[] {
  return [...state.verification?.lost ?? [], ...facts.weakened ?? []];
}

function isOfDependencies(id: string): boolean {
  return id.startsWith(`${DEPENDENCIES_CHANGED} `);
}

/** The findings with their reasons, or what is missing. */
export function answerFindings(
  payload: Pick<PayloadOf<"PRE_COMMIT">, "test_findings">,
  findings: readonly TestFinding[],
): { readonly answered: readonly AnsweredFinding[]; readonly problems: readonly Problem[] } {
  const given = new Map((payload.test_findings ?? []).map(({ id, reason }) => [id, reason.trim()]));
  const limit = LIMITS.reasonMinChars.value;
  const answered = findings.map((finding) => ({ ...finding, reason: given.get(finding.id) ?? "" }));
  const isOpen = ({ id, reason }: AnsweredFinding) =>
    reason.length < limit || (isOfDependencies(id) && !ANSWERS.test(reason));
  const problems = answered.filter(isOpen).map(({ id, what }) => {
    const isGround = isOfDependencies(id);
    const begins = isGround ? "install | generated | needed: " : "";
    const hint = isGround
      ? "Say which it is and why, or put the files back and verify again"
      : "Say for this one why it is right, or discard the file";
    return toProblem(isGround ? DEPENDENCIES_CHANGED : "tests_weakened", `${id}: ${what}`, {
      at: "data.test_findings",
      hint: `${hint}: test_findings: [{"id": ${JSON.stringify(id)}, ` +
        `"reason": "${begins}at least ${limit} characters"}].`,
    });
  });
  return { answered, problems };
}
