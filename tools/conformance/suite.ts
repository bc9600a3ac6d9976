/** Runs the scenarios of the suite for each revision of the protocol, and reads what each check said. */
import { join } from "node:path";
import { CONFORMANCE, runPackage } from "./package_run.ts";
import type { ServedProject } from "./served_project.ts";

/** Revisions that the suite has scenarios for and the server speaks. */
export const REVISIONS = ["2025-06-18", "2025-11-25", "2026-07-28"] as const;

/** One check of a scenario. */
export interface Check {
  readonly id: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  readonly errorMessage?: string;
}

/** What one scenario found in one revision. */
export interface ScenarioRun {
  readonly revision: string;
  readonly scenario: string;
  readonly checks: readonly Check[];
}

/** All scenarios of a revision against the server. */
export async function runRevision(
  { openUrl, dir }: ServedProject,
  revision: string,
): Promise<readonly ScenarioRun[]> {
  const out = join(dir, "..", `out-${revision}`);
  const args = ["server", "--url", openUrl, "--suite", "all", "--spec-version", revision];
  const { stdout, stderr } = await runPackage(CONFORMANCE, [...args, "--output-dir", out], {
    cwd: join(dir, ".."),
  });
  const runs: ScenarioRun[] = [];
  for await (const { name } of Deno.readDir(out)) {
    const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT[\dZ-]+$/.exec(name)?.[1];
    if (scenario === undefined) continue;
    const text = await Deno.readTextFile(join(out, name, "checks.json"));
    runs.push({ revision, scenario, checks: JSON.parse(text) });
  }
  const announced = [...stdout.matchAll(/^=== Running scenario: (.+) ===$/gm)].length;
  if (runs.length === 0 || runs.length !== announced) {
    throw new Error(`${runs.length} of ${announced} scenarios have a result\n${stderr}`);
  }
  return runs.sort((one, other) => one.scenario.localeCompare(other.scenario));
}
