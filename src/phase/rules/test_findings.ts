/**
 * Weaker and fewer tests, and what seems left behind: each finding needs a reason at step 17, which the session keeps.
 * Pure.
 */
import { STEP } from "../../base/steps.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import type { Problem } from "../../base/problem.ts";
import { makeProblem } from "../../base/problem.ts";
import type { TestFinding } from "../check_findings.ts";
import type { Facts, LeftoverFinding } from "../facts.ts";
import type { PayloadOf } from "../payload/payloads.ts";
import type { SessionState } from "../state.ts";
import { listMutantFindings, SURVIVOR } from "./mutant_reports.ts";

/** A finding with what the agent said to it. */
export interface AnsweredFinding extends TestFinding {
  readonly reason: string;
}

/** The beginning of the id of a finding about installed dependencies. */
export const DEPENDENCIES_CHANGED = "dependencies_changed";
/** The same of one about other files that git ignores, without which the commands fail. */
export const IGNORED_CHANGED = "ignored_changed";
/** How the reason of such findings begins. */
const ANSWERS = /^(?:install|generated|needed)\b/i;

/** Every finding that step 17 asks about: those of the last run, and those of the diff. */
export function listTestFindings(
  state: Pick<SessionState, "verification">,
  facts: Pick<Facts, "weakened">,
): readonly TestFinding[] {
  const { verification } = state;
  return [
    ...verification?.lost ?? [],
    ...facts.weakened ?? [],
    ...listMutantFindings(verification?.mutants),
  ];
}

function isOfIgnored(id: string): boolean {
  return [DEPENDENCIES_CHANGED, IGNORED_CHANGED].some((kind) => id.startsWith(`${kind} `));
}

/** The findings with their reasons, or what is missing. */
export function answerFindings(
  payload: Pick<PayloadOf<"PRE_COMMIT">, "findings" | "test_findings">,
  findings: readonly TestFinding[],
): { readonly answered: readonly AnsweredFinding[]; readonly problems: readonly Problem[] } {
  const given = readAnswers(payload);
  const limit = LIMITS.reasonMinChars.value;
  const answered = findings.map((finding) => ({ ...finding, reason: given.get(finding.id) ?? "" }));
  const isOpen = ({ id, reason }: AnsweredFinding) =>
    reason.length < limit || (isOfIgnored(id) && !ANSWERS.test(reason));
  const problems = answered.filter(isOpen).map(({ id, what }) => {
    const { code, hint, begins } = chooseQuestion(id);
    return makeProblem(code, `${id}: ${what}`, {
      at: "data.test_findings",
      hint: `${hint}: test_findings: [{"id": ${JSON.stringify(id)}, ` +
        `"reason": "${begins}at least ${limit} characters"}].`,
    });
  });
  return { answered, problems };
}

/** What was left behind with the reasons for which it stays, or what is missing; each with its lines. */
export function answerLeftovers(
  payload: Pick<PayloadOf<"PRE_COMMIT">, "findings" | "test_findings">,
  leftovers: readonly LeftoverFinding[],
): { readonly answered: readonly AnsweredFinding[]; readonly problems: readonly Problem[] } {
  const given = readAnswers(payload);
  const limit = LIMITS.reasonMinChars.value;
  const answered = leftovers.map(({ id, what }) => ({ id, what, reason: given.get(id) ?? "" }));
  const open = leftovers.filter(({ id }) => (given.get(id) ?? "").length < limit);
  const problems = open.map(({ id, what, hunk, path }) =>
    makeProblem("left_behind", `${id}: ${what}\n${hunk}`, {
      at: "data.findings",
      ...(path === "" ? {} : { path }),
      hint:
        `Take exactly it out, discard the file, or say why it stays: findings: [{"id": ${
          JSON.stringify(id)
        }, ` +
        `"reason": "at least ${limit} characters"}].`,
    })
  );
  return { answered, problems };
}

/** The reasons that were sent, by the ids of the findings. */
function readAnswers(
  { findings, test_findings: ofTests }: Pick<
    PayloadOf<"PRE_COMMIT">,
    "findings" | "test_findings"
  >,
): ReadonlyMap<string, string> {
  const sent = [...ofTests ?? [], ...findings ?? []];
  return new Map(sent.map(({ id, reason }) => [id, reason.trim()]));
}

/** How a finding of this kind is asked about. */
function chooseQuestion(
  id: string,
): { readonly code: string; readonly hint: string; readonly begins: string } {
  if (isOfIgnored(id)) {
    const isMissed = id.startsWith(`${IGNORED_CHANGED} `);
    return {
      code: isMissed ? IGNORED_CHANGED : DEPENDENCIES_CHANGED,
      hint: isMissed
        ? `Say which it is and how others get it. What the work itself needs belongs into the commit: name that as an issue at ${STEP.QUALITY_REVIEW}`
        : "Say which it is and why, or put the files back and verify again",
      begins: "install | generated | needed: ",
    };
  }
  return id.startsWith(`${SURVIVOR} `)
    ? {
      code: "mutant_survived",
      hint: "Say for this one why no test of it is needed",
      begins: "",
    }
    : {
      code: "tests_weakened",
      hint: "Say for this one why it is right, or discard the file",
      begins: "",
    };
}
