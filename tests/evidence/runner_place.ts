/** A folder with runners of its own over it, for the tests of verification runs. */
import { SYSTEM_CLOCK } from "../../src/base/clock.ts";
import { fileURLToPath } from "node:url";
import { SILENT_LOGGER } from "../../src/base/logger.ts";
import { createSeal } from "../../src/base/files/seal.ts";
import type {
  RunVoid,
  RunWatch,
  VerificationRequest,
} from "../../src/evidence/runs/verification.ts";
import { VerificationRunner } from "../../src/evidence/runs/verification_runner.ts";

export const SESSION = "session_20261121_101500_3fa9";
export const PATIENCE_MS = 20_000;

export interface CommandSketch {
  readonly name: string;
  readonly script: string;
  readonly timeoutMs?: number;
}

export function toRequest(
  commands: readonly CommandSketch[],
  rest: Partial<VerificationRequest> = {},
): VerificationRequest {
  return {
    sessionId: SESSION,
    kind: "verify",
    tree: "a".repeat(40),
    commandsHash: "h",
    commands: commands.map(({ name, script, timeoutMs = PATIENCE_MS }) => ({
      name,
      run: ["sh", "-c", script],
      paths: null,
      writes: [],
      timeoutMs,
    })),
    ...rest,
  };
}

/** A watch that sees nothing before the end, and then what is given. */
export function toVoiding(voided: RunVoid | null): RunWatch {
  return {
    begin: () => Promise.resolve(),
    look: () => Promise.resolve(null),
    end: () => Promise.resolve({ tree: null, wrote: [], voided }),
  };
}

export async function createPlace() {
  const projectRoot = await Deno.realPath(await Deno.makeTempDir());
  const stateDir = await Deno.makeTempDir();
  const codeIntelDir = `${projectRoot}/.code-intel`;
  const path = `${codeIntelDir}/sessions/${SESSION}.verify.json`;
  const create = (state: string | null = stateDir) =>
    new VerificationRunner({
      clock: SYSTEM_CLOCK,
      projectRoot,
      codeIntelDir,
      stateDir: state,
      seal: createSeal(state),
      logger: SILENT_LOGGER,
    });
  const countRuns = async () =>
    (await Deno.readTextFile(`${projectRoot}/ran`).catch(() => "")).length;
  return { projectRoot, stateDir, path, create, countRuns };
}

export type Place = Awaited<ReturnType<typeof createPlace>>;

export function spawnRunner({ projectRoot, stateDir }: Place, request: VerificationRequest) {
  const script = fileURLToPath(new URL("./verification_process.ts", import.meta.url));
  const args = ["run", "--quiet", "-A", script, JSON.stringify({ projectRoot, stateDir, request })];
  return new Deno.Command(Deno.execPath(), { args, stdout: "piped", stderr: "inherit" }).spawn();
}

export async function waitFor(condition: () => Promise<boolean>): Promise<void> {
  for (const endsAt = Date.now() + PATIENCE_MS; Date.now() < endsAt;) {
    if (await condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  throw new Error("It did not happen in time");
}

/** Counts its runs in the file `ran`. */
export const COUNTED = "printf x >> ran; ";
