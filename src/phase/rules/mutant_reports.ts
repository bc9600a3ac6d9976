/** What small wrong versions of the changed lines showed: for replies, the brief and step 17. Pure. */
import { STEP } from "../../base/steps.ts";
import type { ServerRunMutants, Survivor, TestFinding } from "../check_findings.ts";

const MOST_SURVIVORS = 10;

/** A survivor in words: "`>` for `>=` in src/loans.ts:14: no test notices". */
export function formatSurvivor({ path, line, change }: Survivor): string {
  return `${change} in ${path}:${line}: no test notices`;
}

/** One line for the brief and the commit, beside those of the commands; none where nothing was tried. */
export function summariseMutants(mutants: ServerRunMutants | undefined): readonly string[] {
  const { total = 0, killed = 0, broken = 0, survivors = [] } = mutants ?? {};
  const tried = killed + broken + survivors.length;
  return tried === 0 ? [] : [
    `mutants: ${tried} of ${total} tried, ${killed} noticed by tests, ${survivors.length} by none`,
  ];
}

/** Survivors of a gate that no verification before has shown: a test can still be written for them. */
export function findUnreported(
  before: ServerRunMutants | undefined,
  now: ServerRunMutants | undefined,
): readonly Survivor[] {
  if (now?.isGate !== true) return [];
  const toKey = ({ path, change }: Survivor) => `${path}\n${change}`;
  const told = new Set((before?.survivors ?? []).map(toKey));
  return now.survivors.filter((survivor) => !told.has(toKey(survivor)));
}

/** Why the work goes back for a test, and what to do where none is needed. */
export function formatGateReason(survivors: readonly Survivor[]): string {
  const shown = survivors.slice(0, MOST_SURVIVORS).map(formatSurvivor).join("; ");
  const more = survivors.length > MOST_SURVIVORS
    ? ` and ${survivors.length - MOST_SURVIVORS} more`
    : "";
  return `Small wrong versions of the changed lines pass the tests: ${shown}${more}. ` +
    `Plan a test that fails with them; one that needs no test gets its reason at ${STEP.PRE_COMMIT}.`;
}

/** The survivors that step 17 asks about, each once. */
export function listMutantFindings(mutants: ServerRunMutants | undefined): readonly TestFinding[] {
  if (mutants?.isGate !== true) return [];
  const found = new Map(mutants.survivors.map((survivor) => {
    const { path, line, change } = survivor;
    const id = `${SURVIVOR} ${line} ${change} ${path}`;
    return [id, { id, what: formatSurvivor(survivor) }];
  }));
  return [...found.values()];
}

/** The beginning of the id of a finding about a survivor. */
export const SURVIVOR = "survivor";
