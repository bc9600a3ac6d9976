/**
 * What the protocol's own suite and client say of the server: `deno task conformance`; `--docs` writes
 * docs/conformance.md. Ends with 0 when all that applies passes, 1 when not, 2 when a package cannot be had.
 */
import type { InspectorRun } from "./inspector.ts";
import { runInspector } from "./inspector.ts";
import type { Verdict } from "./judge.ts";
import { findUnknown, judgeRuns } from "./judge.ts";
import EXCEPTIONS from "./not_applicable.json" with { type: "json" };
import type { ScenarioRun } from "./suite.ts";
import { CONFORMANCE, fetchPackage, INSPECTOR, REVISIONS, runRevision } from "./suite.ts";
import { renderPage } from "./page.ts";
import { serveSample } from "./served_project.ts";
import { print } from "../task.ts";

async function run(args: readonly string[]): Promise<number> {
  await using served = await serveSample();
  for (const name of [CONFORMANCE, INSPECTOR]) {
    const hindrance = await fetchPackage(name, { cwd: served.dir });
    if (hindrance === null) continue;
    print(`${name} cannot be had: ${hindrance}`);
    return 2;
  }
  const runs: ScenarioRun[] = [];
  for (const revision of REVISIONS) runs.push(...await runRevision(served, revision));
  const verdicts = judgeRuns(runs, EXCEPTIONS);
  verdicts.forEach(printVerdict);
  const inspected = await runInspector(served);
  inspected.forEach(printInspected);
  const unknown = findUnknown(runs, EXCEPTIONS);
  unknown.forEach((name) => print(`no such scenario: ${name}`));
  if (args.includes("--docs")) {
    const template = await Deno.readTextFile(new URL("page.md", import.meta.url));
    await Deno.writeTextFile("docs/conformance.md", renderPage(template, verdicts, inspected));
  }
  const failed = verdicts.filter(({ kind }) => kind === "failed").length;
  const faults = inspected.filter(({ fault }) => fault !== null).length;
  print(
    `${verdicts.length - failed} of ${verdicts.length} scenarios as expected, ` +
      `${inspected.length - faults} of ${inspected.length} requests of the inspector`,
  );
  return failed + faults + unknown.length > 0 ? 1 : 0;
}

function printVerdict({ revision, scenario, kind, passed, faults }: Verdict): void {
  const result = kind === "passed" ? `${passed} checks passed` : kind.replaceAll("_", " ");
  print(`${revision}  ${scenario}: ${result}`);
  for (const fault of faults) print(`            ${fault}`);
}

function printInspected({ transport, era, method, fault }: InspectorRun): void {
  print(`inspector   ${transport}, ${era}: ${method}${fault === null ? "" : ` FAILED: ${fault}`}`);
}

Deno.exit(await run(Deno.args));
