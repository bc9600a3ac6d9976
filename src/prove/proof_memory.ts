/**
 * Remembers proofs, and the results of commands on trees of before, by the trees that they are of. The files are sealed
 * and in the user's state folder, so that no command of a project can prove itself.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Clock } from "../base/clock.ts";
import { DAY_MS } from "../base/clock.ts";
import { CodeIntelError } from "../base/errors.ts";
import { listOwnFolder, makeOwnFolder } from "../base/files/own_folder.ts";
import type { Seal } from "../base/files/seal.ts";
import { readSteering } from "../evidence/runs/run_environment.ts";
import { readSealedJson, writeSealedJson } from "../evidence/runs/sealed_json.ts";
import type { VerificationResultRow } from "../evidence/runs/verification.ts";
import type { VerifyCommand } from "../evidence/runs/verify_commands.ts";
import type { ProofAnswer } from "./answers.ts";
import type { Proof } from "./verdict.ts";
import { TIME_IS_UP } from "./verdict.ts";

/** What a proof is of. */
export interface ProofKey {
  readonly base: string;
  readonly tree: string;
  /** Hash of the commands and of the texts behind them. */
  readonly commandsHash: string;
}

/** What is kept between proofs. */
export interface ProofMemory {
  /** The proof of the same trees by the same commands, at most a day old; null where there is none. */
  readProof(key: ProofKey): Promise<{ readonly proof: Proof; readonly at: string } | null>;
  /** Keeps a proof; one that left something out is not kept. */
  saveProof(key: ProofKey, proof: Proof): Promise<void>;
  /** Results of commands on a tree, at most a day old; null where there are none. */
  readResults(tree: string, commands: readonly VerifyCommand[]): Promise<Rows | null>;
  saveResults(tree: string, commands: readonly VerifyCommand[], results: Rows): Promise<void>;
  /** What was answered to findings about a tree, oldest first. */
  readAnswers(tree: string): Promise<readonly ProofAnswer[]>;
  addAnswers(tree: string, answers: readonly ProofAnswer[]): Promise<void>;
}

type Rows = readonly VerificationResultRow[];

/** Where there is no state folder nothing is remembered. */
export const NO_MEMORY: ProofMemory = {
  readProof: () => Promise.resolve(null),
  saveProof: () => Promise.resolve(),
  readResults: () => Promise.resolve(null),
  saveResults: () => Promise.resolve(),
  readAnswers: () => Promise.resolve([]),
  addAnswers: () => Promise.resolve(),
};

/** Files that are kept; a proof has some 5 KB. */
const MOST_FILES = 200;
const MOST_ANSWERS = 100;
/** What a run depends on beside the tree, such as installed packages, changes from day to day. */
const LONGEST_MS = DAY_MS;

/** Opens the memory of a user, of runs with the same variables that steer runners. */
export function openProofMemory(
  { stateDir, seal, clock, steering = readSteering() }: {
    readonly stateDir: string;
    readonly seal: Seal;
    readonly clock: Clock;
    readonly steering?: ReturnType<typeof readSteering>;
  },
): ProofMemory {
  const folder = join(stateDir, "proofs");
  const nameFile = (parts: readonly unknown[]) => {
    const all = JSON.stringify([Deno.build.os, Deno.build.arch, ...parts]);
    return join(folder, `${createHash("sha256").update(all).digest("hex")}.json`);
  };
  const read = async (path: string, longestMs = LONGEST_MS) => {
    const found = await readSealedJson(path, seal);
    if (found.kind !== "whole") return null;
    const age = clock.now().getTime() - Date.parse(`${found.value["at"]}`);
    return age >= 0 && age < longestMs ? found.value : null;
  };
  const save = async (path: string, value: Readonly<Record<string, unknown>>) => {
    try {
      await makeOwnFolder(folder, { below: stateDir });
      await writeSealedJson(path, { at: clock.now().toISOString(), ...value }, {
        seal,
        below: stateDir,
      });
      await removeOldest(folder);
    } catch (failure) {
      // A full disk or a folder of somebody else: the proof is made again the next time.
      if (!(failure instanceof CodeIntelError)) throw failure;
    }
  };
  const nameResults = (tree: string, commands: readonly VerifyCommand[]) =>
    nameFile(["results", steering, tree, commands.map(({ name, run }) => [name, run])]);
  const nameProof = ({ base, tree, commandsHash }: ProofKey) =>
    nameFile(["proof", steering, base, tree, commandsHash]);
  return {
    ...keepAnswers({
      read: (tree) => read(nameFile(["answers", tree]), Infinity),
      save: (tree, value) => save(nameFile(["answers", tree]), value),
    }),
    readProof: async (key) => {
      const value = await read(nameProof(key));
      return value === null ? null : value as unknown as { proof: Proof; at: string };
    },
    saveProof: async (key, proof) => {
      if (isWhole(proof)) await save(nameProof(key), { proof });
    },
    readResults: async (tree, commands) => {
      const value = await read(nameResults(tree, commands));
      return value === null ? null : value["results"] as Rows;
    },
    saveResults: async (tree, commands, results) => {
      if (results.some(({ cancelled, timedOut }) => cancelled || timedOut)) return;
      await save(nameResults(tree, commands), { results });
    },
  };
}

/** Answers are words about exactly these files, which do not age. */
function keepAnswers({ read, save }: {
  readonly read: (tree: string) => Promise<Readonly<Record<string, unknown>> | null>;
  readonly save: (tree: string, value: Readonly<Record<string, unknown>>) => Promise<void>;
}): Pick<ProofMemory, "readAnswers" | "addAnswers"> {
  const readAnswers = async (tree: string) =>
    ((await read(tree))?.["answers"] ?? []) as readonly ProofAnswer[];
  return {
    readAnswers,
    addAnswers: async (tree, answers) => {
      if (answers.length === 0) return;
      await save(tree, { answers: [...await readAnswers(tree), ...answers].slice(-MOST_ANSWERS) });
    },
  };
}

/** Whether a longer time would not have found more. */
function isWhole({ verdict, checks }: Proof): boolean {
  return verdict !== "unknown" &&
    checks.every(({ state, why }) => state !== "failed" && why !== TIME_IS_UP);
}

async function removeOldest(folder: string): Promise<void> {
  const names = await listOwnFolder(folder);
  if (names.length <= MOST_FILES) return;
  const files = await Promise.all(names.map(async ({ name }) => {
    const info = await Deno.stat(join(folder, name)).catch(() => null);
    return { name, at: info?.mtime?.getTime() ?? 0 };
  }));
  const old = files.toSorted((a, b) => a.at - b.at).slice(0, files.length - MOST_FILES);
  await Promise.all(old.map(({ name }) => Deno.remove(join(folder, name)).catch(() => {})));
}
