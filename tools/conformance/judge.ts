/** Holds what the suite found against the table of exceptions. Pure. */
import type { Check, ScenarioRun } from "./suite.ts";

/**
 * Something of the suite that asks for what only a server made for the suite has. An entry that the server passes after
 * all is a fault of the table.
 */
export interface Exception {
  /** Name of the scenario. */
  readonly scenario: string;
  /** One check of it; absent where the whole scenario does not apply. */
  readonly check?: string;
  readonly reason: string;
  /** The test of this repository that shows the behaviour; absent where the server has none of it. */
  readonly shownBy?: string;
}

/** What became of a scenario in one revision. */
export interface Verdict {
  readonly revision: string;
  readonly scenario: string;
  /** `passed` may have checks that do not apply; `not_applicable` has nothing else. */
  readonly kind: "passed" | "not_applicable" | "failed";
  readonly passed: number;
  /** Recommendations that are not followed. */
  readonly warnings: readonly string[];
  /** Checks that failed and are in no exception, and exceptions that would not be needed. */
  readonly faults: readonly string[];
}

/** The verdict of each run. */
export function judgeRuns(
  runs: readonly ScenarioRun[],
  exceptions: readonly Exception[],
): readonly Verdict[] {
  return runs.map((run) => judge(run, exceptions));
}

function judge({ revision, scenario, checks }: ScenarioRun, all: readonly Exception[]): Verdict {
  const own = all.filter((row) => row.scenario === scenario);
  const failed = checks.filter(({ status }) => status === "FAILURE");
  const isWhole = own.some(({ check }) => check === undefined);
  const passed = checks.filter(({ status }) => status === "SUCCESS").length;
  const needless = isWhole
    ? failed.length > 0 ? [] : [`${scenario} is listed as not applicable, but nothing fails`]
    : own.filter(({ check }) => failed.every(({ id }) => id !== check))
      .map(({ check }) => `${check} is listed as not applicable, but does not fail`);
  const unknown = isWhole
    ? []
    : failed.filter(({ id }) => own.every(({ check }) => check !== id)).map(toLine);
  const faults = [...unknown, ...needless];
  const kind = faults.length > 0 ? "failed" : isWhole ? "not_applicable" : "passed";
  const warnings = checks.filter(({ status }) => status === "WARNING").map(toLine);
  return { revision, scenario, kind, passed, warnings, faults };
}

function toLine({ id, errorMessage = "" }: Check): string {
  return `${id}: ${errorMessage.slice(0, 300)}`;
}

/** Exceptions of scenarios that no revision has run: names that the suite does not know. */
export function findUnknown(
  runs: readonly ScenarioRun[],
  exceptions: readonly Exception[],
): readonly string[] {
  const known = new Set(runs.map(({ scenario }) => scenario));
  const names = new Set(exceptions.map(({ scenario }) => scenario));
  return [...names].filter((name) => !known.has(name));
}
