/** The session of the demo, run again and again on fresh copies of its project. */
import { Journal } from "../../tools/demo/journal.ts";
import type { CallTiming } from "../../tools/demo/journal.ts";
import { createPerson } from "../../tools/demo/person.ts";
import { createSampleProject } from "../../tools/demo/sample_project.ts";
import { makeTempFolders, startServer } from "../../tools/demo/server.ts";
import { walkSession } from "../../tools/demo/session.ts";
import { loadDefaultSession, replay } from "../../tools/trial/replay.ts";
import type { Figure } from "../../tools/measure.ts";
import { RUNS, toMedian } from "../../tools/measure.ts";

interface Walk {
  readonly timings: readonly CallTiming[];
  readonly sizeBytes: number;
}

/** Times of the calls of a whole session. */
export async function measureSession(): Promise<readonly Figure[]> {
  const walks: Walk[] = [];
  await walkOnce(); // Warms the caches of the disk and of the compiler.
  for (let run = 0; run < RUNS; run++) walks.push(await walkOnce());
  const gitStarts = await countGitStarts();
  const submits = walks.flatMap(({ timings }) => toTimes(timings, "submit_phase"));
  const calls = walks[0]?.timings.length ?? 0;
  return [
    {
      name: "start_session, sample project",
      value: toMedian(walks.flatMap(({ timings }) => toTimes(timings, "start_session"))),
      unit: "ms",
      note: "first call of the process",
    },
    { name: "submit_phase, sample project", value: toMedian(submits), unit: "ms", note: "" },
    { name: "slowest submit_phase", value: Math.max(...submits), unit: "ms", note: "of all runs" },
    {
      name: "whole session of the demo",
      value: toMedian(walks.map(({ timings }) => sum(timings))),
      unit: "ms",
      note: `${calls} calls, time in the server`,
    },
    { name: "starts of git in it", value: gitStarts, unit: "calls", note: "by the server" },
    ...await countDefaultStarts(),
    {
      name: "replies of that session",
      value: toMedian(walks.map(({ sizeBytes }) => sizeBytes)),
      unit: "bytes",
      note: `${calls} calls`,
    },
  ];
}

/** How often the server of one walk started git: each git that is started itself writes a trace of its own. */
async function countGitStarts(): Promise<number> {
  const traces = await Deno.makeTempDir({ prefix: "code-intel-traces-" });
  try {
    await walkOnce({ GIT_TRACE2_EVENT: traces });
    const files = await Array.fromAsync(Deno.readDir(traces));
    return files.length;
  } finally {
    await Deno.remove(traces, { recursive: true });
  }
}

/** The same for the recorded session from the request to the merge, a call a step and with steps joined. */
async function countDefaultStarts(): Promise<readonly Figure[]> {
  const recording = await loadDefaultSession();
  const count = async (isJoined: boolean): Promise<Figure> => {
    await using folders = await makeTempFolders();
    await createSampleProject(folders.root);
    const traces = await Deno.makeTempDir({ prefix: "code-intel-traces-" });
    const person = createPerson(() => {});
    const env = { GIT_TRACE2_EVENT: traces };
    const { client } = await startServer({ ...folders, person: person.answer, env });
    const calls = await replay(recording, {
      call: (tool, args) => client.callTool(tool, args),
      root: folders.root,
      isJoined,
    });
    await client.close();
    const files = await Array.fromAsync(Deno.readDir(traces));
    await Deno.remove(traces, { recursive: true });
    return {
      name: `starts of git, default session${isJoined ? ", joined" : ""}`,
      value: files.length,
      unit: "calls",
      note: `${calls.length} calls`,
    };
  };
  return [await count(false), await count(true)];
}

async function walkOnce(env: Readonly<Record<string, string>> = {}): Promise<Walk> {
  await using folders = await makeTempFolders();
  await createSampleProject(folders.root);
  const person = createPerson(() => {});
  const { client } = await startServer({ ...folders, person: person.answer, env });
  const journal = new Journal(client, () => {});
  await walkSession(journal, { root: folders.root, restart: async () => {} });
  await journal.client.close();
  return { timings: journal.timings, sizeBytes: journal.totals.sizeBytes };
}

function toTimes(timings: readonly CallTiming[], tool: string): readonly number[] {
  return timings.filter((timing) => timing.tool === tool).map(({ durationMs }) => durationMs);
}

function sum(timings: readonly CallTiming[]): number {
  return timings.reduce((total, { durationMs }) => total + durationMs, 0);
}
