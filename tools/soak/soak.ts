/**
 * One server under a client that does not stop: searches, sessions begun and abandoned, edits beside it,
 * wrong input. Says what it held in memory and in handles between the rounds, and what it left behind.
 */
import { join } from "node:path";
import type { Client } from "../demo/client.ts";
import { createSampleProject } from "../demo/sample_project.ts";
import { makeTempFolders, startServer } from "../demo/server.ts";
import type { ProcessFacts } from "../run.ts";
import { findRunning, readProcess } from "../run.ts";

/** The figures of a run. */
export interface Verdict {
  /** Least memory of the last quarter minus least memory of the third. */
  readonly growthBytes: number;
  /** The straight line through the second half, by least squares. */
  readonly slopeBytesAnHour: number;
  /** Most handles of the last quarter minus most of the third. */
  readonly moreHandles: number;
  /** Processes that outlived the server. */
  readonly orphans: number;
}

const HOUR_MS = 60 * 60 * 1000;

/** Judges a run of at least four looks. */
export function toVerdict({ looks, orphans }: Soak): Verdict {
  const half = looks.slice(Math.floor(looks.length / 2));
  const third = half.slice(0, Math.floor(half.length / 2));
  const last = half.slice(third.length);
  const toMemory = (part: readonly Look[]) => Math.min(...part.map((look) => look.memoryBytes));
  const toHandles = (part: readonly Look[]) => Math.max(...part.map((look) => look.handles));
  return {
    growthBytes: toMemory(last) - toMemory(third),
    slopeBytesAnHour: toSlope(half) * HOUR_MS,
    moreHandles: toHandles(last) - toHandles(third),
    orphans: orphans.length,
  };
}

/** Bytes a millisecond. */
function toSlope(looks: readonly Look[]): number {
  const toMean = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const time = toMean(looks.map((look) => look.elapsedMs));
  const memory = toMean(looks.map((look) => look.memoryBytes));
  let [both, own] = [0, 0];
  for (const { elapsedMs, memoryBytes } of looks) {
    both += (elapsedMs - time) * (memoryBytes - memory);
    own += (elapsedMs - time) ** 2;
  }
  return own === 0 ? 0 : both / own;
}

/** How long to go on. */
export interface SoakOptions {
  /** True when the round that would come now is one too many. */
  readonly isOver: (rounds: number) => boolean;
  /** Called after each round that is looked at. */
  readonly onLook?: (look: Look) => void;
}

/** What was seen after a round. */
export interface Look extends ProcessFacts {
  /** Rounds so far. */
  readonly round: number;
  /** Since the first round. */
  readonly elapsedMs: number;
}

/** What a run came to. */
export interface Soak {
  readonly looks: readonly Look[];
  readonly calls: number;
  /** Children of the server that still ran after it had ended. */
  readonly orphans: readonly number[];
}

/** Names of tools with arguments that no tool takes, and values of the wrong kind. */
const WRONG_CALLS: readonly (readonly [tool: string, args: unknown])[] = [
  ["search_text", { pattern: "(" }],
  ["search_text", { pattern: 7 }],
  ["find_definitions", {}],
  ["get_symbols", { path: "../outside.ts" }],
  ["submit_phase", { data: "no object" }],
  ["analyze_structure", { path: "src/none.ts" }],
];

/** Looks are taken when the server has had time to let go of what the round needed. */
const REST_MS = 50;

/** Runs the rounds on a copy of the demo's project. */
export async function soak(options: SoakOptions): Promise<Soak> {
  await using folders = await makeTempFolders();
  await createSampleProject(folders.root);
  const { client } = await startServer(folders);
  const looks: Look[] = [];
  const startedAt = performance.now();
  let calls = 0;
  try {
    for (let round = 1; !options.isOver(round); round++) {
      calls += await runRound(client, { round, root: folders.root });
      await new Promise((resolve) => setTimeout(resolve, REST_MS));
      const elapsedMs = performance.now() - startedAt;
      const look = { ...await readProcess(client.pid), round, elapsedMs };
      looks.push(look);
      options.onLook?.(look);
    }
  } finally {
    await client.close();
  }
  const children = new Set(looks.flatMap((look) => look.children));
  return { looks, calls, orphans: await findRunning([...children]) };
}

interface Round {
  readonly round: number;
  readonly root: string;
}

async function runRound(client: Client, { round, root }: Round): Promise<number> {
  const name = `noted${round}`;
  await Deno.writeTextFile(join(root, "src", "notes.ts"), `export const ${name} = ${round};\n`);
  await expectFound(client, ["search_text", { pattern: name }], "src/notes.ts");
  await expectFound(client, ["find_definitions", { symbol: name }], "src/notes.ts");
  await expectFound(client, ["find_references", { symbol: "Loan" }], "src/report.ts");
  await expectFound(
    client,
    ["semantic_search", { query: "who pays for late books" }],
    "src/fees.ts",
  );
  await client.callTool("get_symbols", { path: "src/loans.ts" });
  for (const [tool, args] of WRONG_CALLS) {
    const { reply } = await client.callTool(tool, args);
    if (reply.ok === true) throw new Error(`${tool} took ${JSON.stringify(args)}`);
  }
  const request = { intent: "IMPLEMENT", query: `Let members renew a loan, round ${round}` };
  await expectOk(client, "start_session", request);
  await expectOk(client, "get_session_status", {});
  const reason = "the round is over";
  await expectOk(client, "submit_phase", {
    data: { abandon: true, reason, compaction_count: 0 },
  });
  return 8 + WRONG_CALLS.length;
}

async function expectOk(client: Client, tool: string, args: unknown): Promise<void> {
  const { reply } = await client.callTool(tool, args);
  if (reply.ok !== true) throw new Error(`${tool}: ${JSON.stringify(reply)}`);
}

/** Calls a tool whose reply must be a success that names the word. */
async function expectFound(
  client: Client,
  call: readonly [tool: string, args: unknown],
  word: string,
): Promise<void> {
  const [tool, args] = call;
  const { reply } = await client.callTool(tool, args);
  const text = JSON.stringify(reply);
  if (reply.ok !== true || !text.includes(word)) throw new Error(`${tool}: ${text}`);
}
