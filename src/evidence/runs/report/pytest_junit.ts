/** Adds to what pytest printed what its JUnit report names: every test and its file, also of a quiet run. Pure. */
import { listTestCases } from "./junit_xml.ts";
import type { TestReport } from "./report.ts";
import { Tally } from "./report.ts";

/**
 * The printed report with the names of its tests and the counts of its files, as a verbose run prints them.
 *
 * @param printed What the output said; null where it said nothing, as with `-qq`.
 * @param xml A report of the family `xunit1`, whose test cases name their files.
 * @returns The printed report itself where the two do not count alike: then nobody knows which tests are meant.
 */
export function addPytestNames(printed: TestReport | null, xml: string): TestReport | null {
  const tally = new Tally("pytest");
  let count = 0;
  for (const { type, name, file, outcome, message } of listTestCases(xml)) {
    const module = file.replace(/\.\w+$/, "").replaceAll(/[\\/]/g, ".");
    const path = file.replaceAll("\\", "/");
    count++;
    if (outcome === "error") {
      tally.error(`${path}::${name}`, message);
      continue;
    }
    if (file === "" || (type !== module && !type.startsWith(`${module}.`))) return printed;
    const classes = type.slice(module.length).replaceAll(".", "::");
    const id = `${path}${classes}::${name}`;
    if (outcome === "failure") tally.fail(id, message, path);
    else if (outcome === "skipped") tally.skip(id, path);
    else tally.pass(id, path);
  }
  if (count === 0) return printed;
  const named = tally.toReport();
  if (printed === null) return named;
  const isAlike = (["passed", "failed", "skipped", "errors"] as const)
    .every((what) => printed[what] === named[what]);
  if (!isAlike) return printed;
  return {
    ...printed,
    ...(named.names === undefined ? {} : { names: named.names }),
    ...(named.files === undefined ? {} : { files: named.files }),
  };
}
