/** What a server holds in memory, as the system counts it, at some moments of its life. */
import { LIMITS } from "../../src/base/settings/limits.ts";
import { canReadProcesses, readProcess } from "../../tools/run.ts";
import { Client } from "../../tools/demo/client.ts";
import { createSampleProject } from "../../tools/demo/sample_project.ts";
import { makeTempFolders } from "../../tools/demo/server.ts";
import { pause } from "../harness/run.ts";
import { writeSamples } from "../harness/sample_code.ts";
import type { Program, Programs } from "./time_figures.ts";

/** A row of the table, in bytes; null where the system does not tell. */
export interface MemoryRow {
  readonly title: string;
  readonly executableBytes: number | null;
  readonly sourceBytes: number | null;
}

const MOMENTS = [
  "after `initialize`",
  "after `tools/list` and a text search",
  "after searches by meaning",
  "after a search in another language, with the model and its vectors",
  "another server, when it has indexed 400 generated files and was asked once",
  "the same server two minutes later, its threads ended (aim: 200)",
] as const;

const INDEXED_FILES = 400;
/** Longer than the last idle thread lives. */
const REST_MS = LIMITS.workerIdleMs.value * 10 + 20_000;

/** Vectors rest for answers, so that asking too often keeps them from being made. */
const POLL_MS = 2_000;
const POLLS = 60;

/** The moments of both programs. */
export async function measureMemory({ executable, source }: Programs): Promise<
  readonly MemoryRow[]
> {
  const ours = [...await walk(executable), ...await walkIndex(executable)];
  const theirs = [...await walk(source), ...await walkIndex(source)];
  return MOMENTS.map((title, at) => ({
    title,
    executableBytes: ours[at] ?? null,
    sourceBytes: theirs[at] ?? null,
  }));
}

async function walk([command, ...args]: Program): Promise<readonly (number | null)[]> {
  await using folders = await makeTempFolders();
  await createSampleProject(folders.root);
  const env = { CODE_INTEL_STATE_DIR: folders.stateDir };
  const cwd = folders.root;
  const { client } = await Client.start({ command, args: [...args, "serve"], cwd, env });
  try {
    const first = await readResident(client.pid);
    await client.request("tools/list", {});
    await client.callTool("search_text", { pattern: "loan" });
    const second = await readResident(client.pid);
    for (const query of QUESTIONS) await client.callTool("semantic_search", { query });
    const third = await readResident(client.pid);
    await searchByModel(client);
    return [first, second, third, await readResident(client.pid)];
  } finally {
    await client.close();
  }
}

/** A server that builds an index, and is left alone then. */
async function walkIndex([command, ...args]: Program): Promise<readonly (number | null)[]> {
  await using folders = await makeTempFolders();
  await writeSamples(folders.root, INDEXED_FILES);
  const env = { CODE_INTEL_STATE_DIR: folders.stateDir };
  const cwd = folders.root;
  const { client } = await Client.start({ command, args: [...args, "serve"], cwd, env });
  try {
    for (let left = POLLS; left > 0; left--) {
      const { reply } = await client.callTool("sync_index", {});
      if (reply.complete === true) break;
    }
    await client.callTool("semantic_search", { query: "how is a record validated" });
    const built = await readResident(client.pid);
    await pause(REST_MS);
    return [built, await readResident(client.pid)];
  } finally {
    await client.close();
  }
}

const QUESTIONS = ["when is a book late", "how are fees computed", "本の返却期限を計算する"];
/** The model answers what no table puts into English. */
const FOREIGN = "когда книгу надо вернуть";

async function searchByModel(client: Client): Promise<void> {
  for (let left = POLLS; left > 0; left--) {
    const { reply } = await client.callTool("semantic_search", { query: FOREIGN });
    if (String(reply.source).includes("vectors")) return;
    await pause(POLL_MS);
  }
  throw new Error("no vectors were made");
}

/** Resident memory of a process on Linux; null elsewhere. */
async function readResident(pid: number): Promise<number | null> {
  return canReadProcesses() ? (await readProcess(pid)).memoryBytes : null;
}
