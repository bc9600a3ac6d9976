/**
 * Whether this machine has the search program. Found when first asked for and remembered, because a start
 * of a program costs more than most searches.
 */
import { isAbsolute } from "node:path";
import { CodeIntelError, ERROR_CODES } from "../base/errors.ts";
import { runProcess } from "../base/processes/process.ts";

/** Whether a program can be used, and why not. */
export interface BackendStatus {
  /** Its name. */
  readonly name: "rg";
  /** Whether it can be used. */
  readonly available: boolean;
  /** Version, where it was found. */
  readonly version?: string;
  /** What is started: a path, or a name that the system finds. */
  readonly path?: string;
  /** Why it cannot be used. */
  readonly reason?: string;
}

/** The programs, looked for once. */
export interface Backends {
  /**
   * Looks for ripgrep.
   *
   * @throws {CodeIntelError} `resources_short`, `too_many_files` while the system starts no program at all.
   */
  rg(): Promise<BackendStatus>;
}

/** How programs are found. */
export interface DetectOptions {
  /** The variable that may hold `CODE_INTEL_RG`; default: the environment. */
  readonly env?: { get(name: string): string | undefined };
}

const TIMEOUT_MS = 10_000;

/** Makes the finder. `CODE_INTEL_RG` names another program; `none` turns it off. */
export function createBackends(options: DetectOptions = {}): Backends {
  const env = options.env ?? Deno.env;
  let rg: Promise<BackendStatus> | undefined;
  return {
    rg: () =>
      rg ??= detect(env.get("CODE_INTEL_RG")).catch((failure) => {
        rg = undefined;
        throw failure;
      }),
  };
}

async function detect(override: string | undefined): Promise<BackendStatus> {
  const name = "rg";
  if (override === "none") return { name, available: false, reason: "turned off by its variable" };
  // A relative override could name a file of whatever folder the server was started in.
  if (override !== undefined && override.includes("/") && !isAbsolute(override)) {
    return { name, available: false, reason: `its variable holds the relative path "${override}"` };
  }
  const path = override === undefined || override === "" ? name : override;
  try {
    return await detectRipgrep(path);
  } catch (failure) {
    return { name, available: false, reason: explainFailure(path, failure) };
  }
}

function explainFailure(path: string, failure: unknown): string {
  // What passes is reported to this caller, and not remembered for the next ones.
  if (!(failure instanceof CodeIntelError) || ERROR_CODES[failure.code].canRetry) throw failure;
  return failure.code === "backend_missing" ? `"${path}" was not found on PATH` : failure.message;
}

async function detectRipgrep(path: string): Promise<BackendStatus> {
  const output = await firstOutput(path, ["--no-config", "--version"]);
  const version = /^ripgrep (\d[\w.-]*)/.exec(output)?.[1];
  if (version === undefined) {
    return { name: "rg", available: false, path, reason: "the program found is not ripgrep" };
  }
  return { name: "rg", available: true, version, path };
}

async function firstOutput(path: string, args: readonly string[]): Promise<string> {
  const result = await runProcess(path, args, { timeoutMs: TIMEOUT_MS });
  return new TextDecoder().decode(result.stdout);
}
