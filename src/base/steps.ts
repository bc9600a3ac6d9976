/** The steps of a session in their order. The number of a step is its place here, and is written nowhere else. Pure. */
const STEPS = [
  ...["START", "BRANCH_INTERVENTION", "DOCUMENT_RESEARCH", "QUERY_FRAME", "EXPLORATION"] as const,
  ...["Q1", "SEMANTIC", "Q2", "VERIFICATION", "Q3", "IMPACT_ANALYSIS"] as const,
  ...["READY_PLAN", "READY_IMPL", "READY_COMPLETE", "POST_IMPL_VERIFY"] as const,
  ...["VERIFY_INTERVENTION", "PRE_COMMIT", "QUALITY_REVIEW", "MERGE"] as const,
];

/** The name of a step. */
export type StepName = typeof STEPS[number];

/** Number of steps that the replies count to. */
export const LAST_STEP = STEPS.length;

/** The number of each step, which the user sees. */
export const STEP_NUMBER = nameSteps((number) => number);
/** How a text names each step: `step 1`. */
export const STEP = nameSteps((number) => `step ${number}`);
/** The same at the beginning of a sentence. */
export const STEP_FIRST = nameSteps((number) => `Step ${number}`);

function nameSteps<T>(name: (number: number) => T): Readonly<Record<StepName, T>> {
  const names = STEPS.map((step, at) => [step, name(at + 1)]);
  return Object.fromEntries(names);
}
