/** Adds to what Maven or Gradle printed what their JUnit reports name: every test, also of a run that prints none. Pure. */
import { listTestCases } from "./junit_xml.ts";
import type { TestReport } from "./report.ts";
import { Tally } from "./report.ts";

/**
 * The printed report with the names of its tests.
 *
 * @param printed What the output said; null where it said nothing, as Gradle does when all pass.
 * @param xmls The reports that the run wrote, one for each class.
 * @returns The printed report itself where the two do not count alike, or name failures otherwise: then nobody knows
 * which tests are meant.
 */
export function addJvmNames(
  printed: TestReport | null,
  xmls: readonly string[],
  runner: "maven" | "gradle",
): TestReport | null {
  const tally = new Tally(runner);
  let count = 0;
  for (const xml of xmls) {
    for (const { type, name, outcome, message } of listTestCases(xml)) {
      count++;
      const id = `${type}.${name}`;
      if (outcome === "passed") tally.pass(id, type);
      else if (outcome === "skipped") tally.skip(id, type);
      else tally.fail(id, message, type);
    }
  }
  if (count === 0) return printed;
  const named = tally.toReport();
  if (printed === null) return named;
  const isAlike = (["passed", "failed", "skipped"] as const)
    .every((what) => printed[what] === named[what]);
  const names = new Set(named.failures.map((failure) => failure.name));
  const isNamedAlike = printed.failures.every(({ name }) => names.has(name));
  if (!isAlike || !isNamedAlike) return printed;
  return {
    ...printed,
    failures: named.failures,
    isComplete: named.isComplete,
    ...(named.names === undefined ? {} : { names: named.names }),
    ...(named.files === undefined ? {} : { files: named.files }),
  };
}
