/** Fields of a review about what step 17 asks a reason for: weaker tests, wrong versions that no test notices, what was left behind. */
import type { Change } from "../../git/trees/changes.ts";
import type { TestFinding } from "../../phase/facts.ts";
import { toSurvivorLine } from "../../phase/rules/mutant_words.ts";
import { listTestFindings } from "../../phase/rules/test_findings.ts";
import type { Bench, OpenSession } from "../desk.ts";
import { listLeftovers, toLeftoverFields } from "./leftovers.ts";
import { findWeakened } from "./weakened.ts";

const MOST_FINDINGS = 20;

/** Says what became of the tests: one that expects something else is not weaker for it. */
function toFindingsNote(findings: readonly TestFinding[]): string {
  const isOther = findings.every(({ id }) => /^(?:expectation|snapshot)_changed /.test(id));
  return `Tests ${
    isOther ? "expect something else" : "got weaker or fewer"
  }: put each back, or send ` +
    "test_findings: [{id, reason}] with a reason of its own for each.";
}

/** What weakens tests or seems left behind, first of all that is shown; step 17 asks for a reason for each. */
export async function toFindingFields(
  bench: Bench,
  { state }: OpenSession,
  { trees, changes, maxBytes }: {
    readonly trees: { readonly from: string; readonly to: string };
    readonly changes: readonly Change[];
    /** Of the whole reply; the lines of what was left behind take a part of it. */
    readonly maxBytes: number;
  },
): Promise<Readonly<Record<string, unknown>>> {
  const named = changes.map(({ path, kind }) => ({ path: bench.paths.toProject(path), kind }));
  const [weakened, leftovers] = await Promise.all([
    findWeakened(bench, { ...trees, changes: named }),
    listLeftovers(bench, { ...trees, changes: named }),
  ]);
  const findings = listTestFindings(state, { weakened });
  const { mutants } = state.verification ?? {};
  const survivors = mutants?.isGate === true ? [] : mutants?.survivors ?? [];
  return {
    ...(findings.length === 0 ? {} : {
      test_findings: findings.slice(0, MOST_FINDINGS),
      test_findings_note: toFindingsNote(findings),
    }),
    ...(survivors.length === 0
      ? {}
      : { survivors: survivors.slice(0, MOST_FINDINGS).map(toSurvivorLine) }),
    ...toLeftoverFields(leftovers, maxBytes / 3),
  };
}
