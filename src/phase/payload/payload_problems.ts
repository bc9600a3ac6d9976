/**
 * Turns what a schema finds wrong with a payload into problems that show how the field is written.
 * Pure.
 */
import type * as z from "zod";
import type { Problem } from "../../base/problem.ts";
import { makeProblem } from "../../base/problem.ts";
import type { Stage } from "../table/phases.ts";
import { PHASES, STAGES } from "../table/phases.ts";
import { splitNameWords } from "../../base/text/near_key.ts";

/** Tells which stage a payload is meant for, and whether that is the present one. */
export function findTarget(
  stage: Stage,
  record: Readonly<Record<string, unknown>>,
): { readonly stage: Stage; readonly problem: Problem | null } {
  if (PHASES[stage].mayBeEmpty) {
    const names = new Set(Object.keys(record).map((name) => splitNameWords(name).join("_")));
    const sent = STAGES.find((other) => other !== stage && names.has(PHASES[other].field ?? ""));
    return { stage, problem: sent === undefined ? null : makeMismatchProblem(stage, sent) };
  }
  if (!stage.startsWith("READY_")) return { stage, problem: null };
  const sent: Stage | null = record.tasks !== undefined
    ? "READY_PLAN"
    : record.task_id !== undefined
    ? "READY_IMPL"
    : null;
  if (sent === null || sent === stage) return { stage, problem: null };
  if (stage === "READY_IMPL" && sent === "READY_PLAN") return { stage: sent, problem: null };
  return { stage, problem: makeMismatchProblem(stage, sent) };
}

function makeMismatchProblem(stage: Stage, sent: Stage): Problem {
  const field = PHASES[sent].field ?? "";
  return makeProblem(
    "payload_mismatch",
    `The payload has "${field}", which belongs to ${sent}; the session is at ${stage}`,
    { at: `data.${field}`, hint: `Send the payload of ${stage} as expected_payload shows it.` },
  );
}

/**
 * Turns the findings of a schema into problems with JSON paths below `root`.
 *
 * @param form How the fields are written, where `expected_payload` does not show them.
 */
export function makeSchemaProblems(error: z.ZodError, root: string, form?: string): Problem[] {
  return error.issues.flatMap((issue) => makeIssueProblems(issue, root, form));
}

type Issue = z.core.$ZodIssue;

function makeIssueProblems(issue: Issue, root: string, form?: string): readonly Problem[] {
  const at = issue.path.reduce<string>(
    (path, part) => typeof part === "number" ? `${path}[${part}]` : `${path}.${String(part)}`,
    root,
  );
  const nearest = issue.code === "invalid_union" ? findNearestBranch(issue.errors) : null;
  if (nearest !== null) return nearest.flatMap((inner) => makeIssueProblems(inner, at, form));
  const name = at.slice(at.lastIndexOf(".") + 1);
  const isMissing = issue.code === "invalid_type" && /received undefined/.test(issue.message);
  if (isMissing) {
    return [makeProblem("missing_field", `${name} is missing`, {
      at,
      hint: form === undefined
        ? `Add ${name} as expected_payload shows it.`
        : `Add ${name}; the form is ${form}.`,
    })];
  }
  const code = issue.code === "invalid_type" || issue.code === "invalid_union"
    ? "wrong_type"
    : "invalid_value";
  const found = issue.code === "invalid_union" ? formatExpected(issue.errors) : issue.message;
  return [makeProblem(code, `${name}: ${found}`, {
    at,
    hint: form === undefined ? `Send ${name} as expected_payload shows it.` : `Send ${form}.`,
  })];
}

/** The branch of a union whose type fits although its fields do not; null when no type fits. */
function findNearestBranch(branches: readonly (readonly Issue[])[]): readonly Issue[] | null {
  return branches.find((issues) =>
    issues.length > 0 &&
    issues.every((issue) => issue.path.length > 0 || issue.code !== "invalid_type")
  ) ?? null;
}

function formatExpected(branches: readonly (readonly Issue[])[]): string {
  const types = branches.flat().flatMap((issue) =>
    issue.code === "invalid_type" ? [issue.expected] : []
  );
  return `Invalid input: expected ${[...new Set(types)].join(" or ")}`;
}
