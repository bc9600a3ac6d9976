/** Times of the executable beside the source, from outside, run in turn. */
import type { HookWord } from "../bench/server_figures.ts";
import { runHook } from "../bench/server_figures.ts";
import { computeMedian, RUNS } from "../harness/measure.ts";
import { Client } from "../../tools/demo/client.ts";
import { createSampleProject } from "../../tools/demo/sample_project.ts";
import type { ServerOptions } from "../../tools/demo/server.ts";
import { makeTempFolders } from "../../tools/demo/server.ts";

/** A program with its first arguments. */
export type Program = readonly [command: string, ...args: string[]];

/** The programs that are compared. */
export interface Programs {
  readonly executable: Program;
  readonly source: Program;
}

/** Median and fastest run, in milliseconds: what else the machine does falls on the first more. */
export interface Times {
  readonly medianMs: number;
  readonly fastestMs: number;
}

/** A row of the table. */
export interface TimeRow {
  readonly title: string;
  readonly executable: Times;
  readonly source: Times;
}

type Timed = (program: Program) => Promise<number | void>;

/** Every row, each measured in turn. */
export async function measureTimes(
  programs: Programs & { readonly empty: Program; readonly emptySource: Program },
): Promise<readonly TimeRow[]> {
  await using folders = await makeTempFolders();
  await createSampleProject(folders.root);
  const measure = async (title: string, timed: Timed, pair: Programs = programs) => {
    const own: number[] = [];
    const others: number[] = [];
    for (let run = -WARM_UP_RUNS; run < RUNS; run++) {
      const ownMs = await timeMs(() => timed(pair.executable));
      const otherMs = await timeMs(() => timed(pair.source));
      if (run < 0) continue;
      own.push(ownMs);
      others.push(otherMs);
    }
    return { title, executable: toTimes(own), source: toTimes(others) };
  };
  const hook = (word: HookWord) => (program: Program) => runHook(program, folders, word);
  const serve: Timed = (program) => startAndClose([...program, "serve"], folders);
  const outside = [
    await measure("`--version`", (program) => runToEnd([...program, "--version"], folders)),
    await measure("`serve`: start to the answer to `initialize`", serve),
    await measure("an empty server on the same SDK", (program) => startAndClose(program, folders), {
      executable: programs.empty,
      source: programs.emptySource,
    }),
    await measure("`hook` outside a session", hook("pre-tool-use")),
  ];
  const [command, ...args] = programs.source;
  const client = await start([command, ...args, "serve"], folders);
  const query = "Let members renew a loan";
  await client.callTool("start_session", { intent: "MODIFY", query });
  const inside = [
    await measure("`hook` before a shell command, in a session", hook("pre-tool-use")),
    await measure("`hook` after it: ledger check", hook("post-tool-use")),
  ];
  await client.close();
  return [...outside, ...inside];
}

const WARM_UP_RUNS = 2;

async function timeMs(action: () => Promise<number | void>): Promise<number> {
  const startedAt = performance.now();
  return await action() ?? performance.now() - startedAt;
}

function toTimes(values: readonly number[]): Times {
  return { medianMs: computeMedian(values), fastestMs: Math.min(...values) };
}

async function start(program: Program, { root, stateDir }: ServerOptions): Promise<Client> {
  return (await open(program, { root, stateDir })).client;
}

function open([command, ...args]: Program, { root, stateDir }: ServerOptions) {
  const env = { CODE_INTEL_STATE_DIR: stateDir, CODE_INTEL_SYNC_ON_START: "false" };
  return Client.start({ command, args, cwd: root, env });
}

async function startAndClose(program: Program, folders: ServerOptions): Promise<number> {
  const { client, durationMs } = await open(program, folders);
  await client.close();
  return durationMs;
}

async function runToEnd([command, ...args]: Program, { root }: ServerOptions): Promise<void> {
  const { success } = await new Deno.Command(command, { args, cwd: root, stdout: "null" }).output();
  if (!success) throw new Error(`${command} ${args.join(" ")} failed`);
}
