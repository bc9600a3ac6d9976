/** Runs a program of a public package in an exact version, by Deno: nothing has to be installed for it. */

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
