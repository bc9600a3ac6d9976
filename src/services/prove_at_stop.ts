/**
 * Proves the worktree at the end of an agent's turn, within the time that the project gives it. What was said is kept sealed
 * in the user's state folder, by conversation.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { NO_ASKER } from "../base/asker.ts";
import { SYSTEM_CLOCK } from "../base/clock.ts";
import { CodeIntelError } from "../base/errors.ts";
import { makeOwnFolder } from "../base/files/own_folder.ts";
import { createSeal } from "../base/files/seal.ts";
import { SILENT_LOGGER } from "../base/logger.ts";
import { startDetached } from "../base/processes/process.ts";
import { readSealedJson, writeSealedJson } from "../evidence/runs/sealed_json.ts";
import { createTrees } from "../ledger/trees.ts";
import { openProofMemory } from "../prove/proof_memory.ts";
import { TIME_IS_UP } from "../prove/verdict.ts";
import { readGivenUp } from "../prove/answers.ts";
import { readChange } from "../prove/read_change.ts";
import type { StopAnswer, StopMemory, TurnProof } from "../prove/stop_decision.ts";
import { decideStop, NEW_CONVERSATION, planStop } from "../prove/stop_decision.ts";
import type { Extension } from "./extension.ts";
import { createServices } from "./services.ts";
import type { Services } from "./services_api.ts";

/** A turn of a conversation that begins or ends. */
export interface TurnRequest {
  readonly projectRoot: string;
  /** The client's id of the conversation. */
  readonly conversation: string;
  /** `start`: what is changed by now is none of its work. */
  readonly event: "start" | "stop";
  readonly isStopActive: boolean;
  readonly lastMessage: string;
  readonly features: readonly Extension[];
  /** The words that start this program. */
  readonly loadWords: () => Promise<readonly string[]>;
}

const NONE: StopAnswer = { kind: "none" };
/** Beyond its time a proof may end the command that runs. The client's own limit is later (`src/clients/setup.ts`). */
const GRACE_MS = 15_000;
/** The longest run of what the time did not reach, in seconds (guessed). */
const REST_SECONDS = 900;
/** A rest is not started sooner after another one: several at once would slow each other down (guessed). */
const BETWEEN_RESTS_MS = 300_000;

/** Answers the end of a turn; says nothing where the project does not want it, or nothing can be proven. */
export async function proveAtStop(request: TurnRequest): Promise<StopAnswer> {
  const services = await createServices({
    projectDir: request.projectRoot,
    isNamed: true,
    logger: SILENT_LOGGER,
    offered: [],
    features: request.features,
    isBrief: true,
  });
  try {
    return await answerTurn(services, request);
  } finally {
    await services.close();
  }
}

async function answerTurn(services: Services, request: TurnRequest): Promise<StopAnswer> {
  const { settings, stateDir } = services.parts;
  const { prove } = (await settings.read()).context.values;
  // Without a place for what was said, the same would be said after each turn.
  if (prove.stop !== "on" || stateDir === null) return NONE;
  const id = await nameChange(services);
  if (id === null) return NONE;
  const store = openStore(stateDir, request);
  const kept = await store.read();
  if (request.event === "start") {
    await store.save({ ...kept, start: id });
    return NONE;
  }
  const turn = { id, ...request };
  const reason = readGivenUp(request.lastMessage);
  if (reason !== null) {
    const memory = openProofMemory({ stateDir, seal: createSeal(stateDir), clock: SYSTEM_CLOCK });
    const at = SYSTEM_CLOCK.now().toISOString();
    await memory.addAnswers(id.split("..")[1] ?? "", [{ finding: null, reason, by: "agent", at }]);
  }
  const plan = planStop(kept, turn);
  if (plan === "silent") return NONE;
  const made = await makeProof(services, plan === "look" ? 0 : prove.seconds);
  if (made === null || (plan === "look" && made.isCutOff)) return NONE;
  const nowMs = SYSTEM_CLOCK.now().getTime();
  const canRunOn = nowMs - kept.restAtMs > BETWEEN_RESTS_MS;
  const { answer, memory, runsOn } = decideStop(kept, turn, { ...made, canRunOn });
  if (runsOn) await startRest(request);
  // What is not kept would be said for ever: then nothing is said.
  const isSaved = await store.save({ ...memory, restAtMs: runsOn ? nowMs : kept.restAtMs });
  return isSaved ? answer : NONE;
}

/** Base and tree of what would be committed; null where nothing is changed, or there is no git. */
async function nameChange({ parts: { openRepo, settings } }: Services): Promise<string | null> {
  const repo = await openRepo();
  if (repo === null) return null;
  const maxFileMb = (await settings.read()).config.values.max_snapshot_mb;
  const request = { kind: "worktree", base: null } as const;
  const read = await readChange({ repo, trees: createTrees(repo) }, request, { maxFileMb });
  if (read.kind === "refused" || read.change.files.length === 0) return null;
  return `${read.change.base}..${read.change.tree}`;
}

/** Null where nothing can be proven: no commands, or nobody allowed them. */
async function makeProof(
  services: Services,
  seconds: number,
): Promise<Omit<TurnProof, "canRunOn"> | null> {
  const signal = AbortSignal.timeout(seconds * 1_000 + GRACE_MS);
  try {
    const answer = await services.proveChange({
      change: { kind: "worktree", base: null },
      withinMs: seconds * 1_000,
      signal,
      asker: NO_ASKER,
    });
    if (answer.kind === "refused" || answer.commands.length === 0) return null;
    const { proof } = answer;
    const spent = proof.checks.reduce((sum, check) => sum + check.seconds, 0);
    const isLate = proof.verdict === "unknown" && spent >= seconds - 1;
    const isCutOff = isLate || proof.checks.some(({ why }) => why === TIME_IS_UP);
    return { proof, isCutOff };
  } catch (failure) {
    if (!signal.aborted) throw failure;
    const line = `unknown: not finished in ${seconds} seconds`;
    return { proof: { verdict: "unknown", line, findings: [], checks: [] }, isCutOff: true };
  }
}

/** What the time did not reach: its proof is remembered by its tree, where the next turn finds it. */
async function startRest({ projectRoot, loadWords }: TurnRequest): Promise<void> {
  const [program = "", ...args] = await loadWords();
  const words = ["prove", "--project", projectRoot, "--within", `${REST_SECONDS}`, "--json"];
  try {
    await startDetached(program, [...args, ...words], 0);
  } catch (failure) {
    // The next turn with other files proves again.
    if (!(failure instanceof CodeIntelError)) throw failure;
  }
}

interface Kept extends StopMemory {
  /** When the last rest was started, by the clock of this machine; 0 for never. */
  readonly restAtMs: number;
}

function openStore(stateDir: string, { projectRoot, conversation }: TurnRequest) {
  const seal = createSeal(stateDir);
  const folder = join(stateDir, "proofs");
  const name = createHash("sha256").update(JSON.stringify(["stop", projectRoot, conversation]));
  const path = join(folder, `${name.digest("hex")}.json`);
  return {
    read: async (): Promise<Kept> => {
      const found = await readSealedJson(path, seal);
      const isWhole = found.kind === "whole" && found.value["kind"] === "stop";
      return isWhole ? found.value as unknown as Kept : { ...NEW_CONVERSATION, restAtMs: 0 };
    },
    save: async (kept: Kept): Promise<boolean> => {
      try {
        await makeOwnFolder(folder, { below: stateDir });
        return await writeSealedJson(path, { ...kept, kind: "stop" }, { seal, below: stateDir });
      } catch (failure) {
        if (!(failure instanceof CodeIntelError)) throw failure;
        return false;
      }
    },
  };
}
