/** Runs the steps of a plan and puts what they found into one list, the likeliest places first. */
import type { Found } from "../explore/answer_types.ts";
import type { Explorer, ExploreRefused } from "../explore/explorer.ts";
import type { PlanResult } from "./plan_merge.ts";
import { mergePlaces } from "./plan_merge.ts";
import type { PlannedStep, RanStep, StepAnswer, StepOptions } from "./plan_steps.ts";
import { runStep, toRan } from "./plan_steps.ts";

/** What a plan found. */
export interface PlanFound {
  readonly results: readonly PlanResult[];
  /** The calls that each step came to, in the order of the plan. */
  readonly outcomes: readonly (readonly RanStep[])[];
  /** The calls that were answered, also with nothing. */
  readonly answered: readonly RanStep[];
  readonly source: string;
  readonly freshness: Found["freshness"];
  readonly notices: readonly string[];
}

/** A word of the question was tried as a name: what is said of names that nobody wrote helps nobody. */
function isGuess(step: PlannedStep | undefined, { symbols }: StepOptions): boolean {
  const symbol = step?.params["symbol"];
  return symbols !== undefined && symbol !== undefined && !symbols.includes(String(symbol));
}

const NO_STEP: PlannedStep = { tool: "", params: {} };

/** Runs every step over the files below `path`. */
export async function runPlan(
  explorer: Explorer,
  steps: readonly PlannedStep[],
  options: StepOptions,
): Promise<PlanFound> {
  const answers: StepAnswer[] = [];
  for (const step of steps) {
    options.signal?.throwIfAborted();
    answers.push(await runStep(explorer, step, options));
  }
  const found = answers.flatMap(({ answer }) => answer.kind === "found" ? [answer as Found] : []);
  const notices = answers.flatMap(({ answer }, at) =>
    answer.kind === "refused"
      ? (answer as ExploreRefused).problems.map(({ message }) => `${steps[at]?.tool}: ${message}`)
      : isGuess(steps[at], options)
      ? []
      : (answer as Found).notices ?? []
  );
  const ran = answers.map((answer, at) => toRan(steps[at] ?? NO_STEP, answer, options));
  // A place says what found it, which is not always what was planned.
  const told = steps.map((step, at) => ({ ...step, tool: ran[at]?.[0]?.tool ?? step.tool }));
  return {
    results: mergePlaces(told, answers, options),
    outcomes: ran,
    answered: ran.filter((_, at) => answers[at]?.answer.kind === "found").flat(),
    source: [...new Set(found.flatMap(({ source }) => source.split("+")))].sort().join("+") ||
      "none",
    freshness: found.find(({ freshness }) => freshness !== "live")?.freshness ?? "live",
    notices: [...new Set(notices)],
  };
}
