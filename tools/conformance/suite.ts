/** Runs the scenarios of the suite for each revision of the protocol, and reads what each check said. */
import { join } from "node:path";
import type { ServedProject } from "./served_project.ts";

/** The protocol's own suite; the line 0.2 is the first that knows the revision 2026-07-28. */
export const CONFORMANCE = "@modelcontextprotocol/conformance@0.2.0-alpha.12";
/** The protocol's own client for people. */
export const INSPECTOR = "@modelcontextprotocol/inspector@2.12.0";

/** How a program ended, and what it wrote. */
export interface PackageRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Where a program runs. */
export interface RunOptions {
  /** A folder that is no project. */
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A registry that does not answer must not hold a run up for ever. */
const MOST_MS = 120_000;
const PLAIN = ["--quiet", "--no-config", "--no-lock", "--node-modules-dir=none"];

/** Runs `npm:<name>`, which {@link fetchPackage} has fetched, with its arguments. */
export async function runPackage(
  name: string,
  args: readonly string[],
  options: RunOptions,
): Promise<PackageRun> {
  return await runDeno(["--cached-only", `npm:${name}`, ...args], options);
}

/** Fetches a package that is not there yet; why it cannot be had, or null where it can. */
export async function fetchPackage(name: string, options: RunOptions): Promise<string | null> {
  const words = [`npm:${name}`, "--version"];
  if ((await runDeno(["--cached-only", ...words], options)).code === 0) return null;
  const { code, stderr } = await runDeno(words, options);
  return code === 0 ? null : stderr.trim().split("\n")[0] ?? `exit code ${code}`;
}

async function runDeno(args: readonly string[], { cwd, env }: RunOptions): Promise<PackageRun> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-all", ...PLAIN, ...args],
    cwd,
    env: { NO_COLOR: "1", ...env },
    stdin: "null",
    signal: AbortSignal.timeout(MOST_MS),
  }).output();
  const [text, errors] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  return { code, stdout: text ?? "", stderr: errors ?? "" };
}

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
