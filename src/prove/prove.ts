/** Proves a change without a session. */
import type { Clock } from "../base/clock.ts";
import type { RunProgress } from "../evidence/runs/run_in_checkouts.ts";
import { Runs } from "../evidence/runs/run_in_checkouts.ts";
import { selectCommands } from "../evidence/runs/verify_commands.ts";
import type { CheckInput } from "./check_input.ts";
import { findRun } from "./check_runs.ts";
import { runChecks } from "./checks.ts";
import type { ProofMemory } from "./proof_memory.ts";
import type { NamedChange } from "./read_change.ts";
import type { CheckName, Proof } from "./verdict.ts";
import { buildProof, CHECKS } from "./verdict.ts";

/** What a proof works with. */
export interface ProveInput extends
  Omit<
    CheckInput,
    "change" | "commands" | "runs" | "checkout" | "memory" | "runsBase" | "trial" | "onCheck"
  > {
  readonly change: NamedChange;
  readonly memory: ProofMemory;
  readonly projectRoot: string;
  readonly stateDir: string | null;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onProgress?: ((check: CheckName, command: string, lastLine: string) => void) | undefined;
  /** Called with the verdict line as it stands, before what takes longest. */
  readonly onVerdict?: ((line: string) => void) | undefined;
}

/** The longest trial of wrong versions, in seconds, where nobody says how long a proof may take. */
const WRONG_VERSION_SECONDS = 60;

/** Proves a change. */
export async function prove(input: ProveInput): Promise<Proof> {
  const { change, found, paths, signal, clock, projectRoot, stateDir, onProgress } = input;
  const now: RunProgress = { command: "", purpose: null, lastLine: "" };
  let check: CheckName = "diff";
  // A moment later than its check, and no later than a timer can wait.
  const endMs = Math.min(input.withinMs + 1_000, 2 ** 31 - 1);
  const runs = await Runs.open({
    ...{ projectRoot, stateDir, clock, now, tree: change.tree, repeatsRed: true },
    signal: AbortSignal.any([signal, AbortSignal.timeout(endMs)]),
    runId: `prove-${change.tree.slice(0, 12)}`,
    onStarted: () => Promise.resolve(),
    onProgress: ({ command, lastLine }) => onProgress?.(check, command, lastLine),
  });
  const changed = change.files.map(({ path }) => paths.toProject(path));
  const isOff = change.isInWorktree && found.checkout === "off";
  const { facts, checks } = await runChecks({
    ...input,
    runs,
    commands: selectCommands(found.commands, changed),
    checkout: isOff ? "Clean checkouts are switched off (verify_checkout)." : { isSure: false },
    runsBase: true,
    trial: {
      seconds: Number.isFinite(input.withinMs) ? Infinity : WRONG_VERSION_SECONDS,
      isGate: false,
    },
    onCheck: (name, facts, before) => {
      check = name;
      const isLong = name === "commands" || name === "wrong_versions";
      if (!isLong || findRun(facts) === undefined) return;
      input.onVerdict?.(`so far ${buildProof(facts, before).line}; next: ${CHECKS[name]}`);
    },
  });
  signal.throwIfAborted();
  return buildProof(facts, checks);
}
