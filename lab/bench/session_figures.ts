/** The session of the demo, run again and again on fresh copies of its project. */
import { Journal } from "../../tools/demo/journal.ts";
import { createUser } from "../../tools/demo/person.ts";
import { createSampleProject } from "../../tools/demo/sample_project.ts";
import { makeTempFolders, startServer } from "../../tools/demo/server.ts";
import { walkDemo } from "../../tools/demo/session.ts";
import { loadDefaultSession, replay } from "../../tools/trial/replay.ts";
import { computeSum } from "../harness/figures.ts";
import type { Figure } from "../harness/measure.ts";
import { computeMedian, figure, RUNS } from "../harness/measure.ts";
import { withFolder } from "../harness/run.ts";

/** Times of the calls of a whole session. */
export async function measureSession(): Promise<readonly Figure[]> {
  await walkOnce(); // Warms the caches of the disk and of the compiler.
  const walks: Journal[] = [];
  for (let run = 0; run < RUNS; run++) walks.push(await walkOnce());
  const { starts } = await countStarts(walkOnce);
  const timesOf = (tool: string) =>
    walks.flatMap(({ timings }) =>
      timings.filter((timing) => timing.tool === tool).map(({ durationMs }) => durationMs)
    );
  const submits = timesOf("submit_phase");
  const wholes = walks.map(({ timings }) => computeSum(timings, ({ durationMs }) => durationMs));
  const sizes = walks.map(({ totals }) => totals.sizeBytes);
  const calls = `${walks[0]?.timings.length ?? 0} calls`;
  const started = computeMedian(timesOf("start_session"));
  return [
    figure("start_session, sample project", started, "ms", "first call of the process"),
    figure("submit_phase, sample project", computeMedian(submits)),
    figure("slowest submit_phase", Math.max(...submits), "ms", "of all runs"),
    figure(
      "whole session of the demo",
      computeMedian(wholes),
      "ms",
      `${calls}, time in the server`,
    ),
    figure("starts of git in it", starts, "calls", "by the server"),
    await countDefaultStarts(false),
    await countDefaultStarts(true),
    figure("replies of that session", computeMedian(sizes), "bytes", calls),
  ];
}

type Variables = Readonly<Record<string, string>>;

/** How often a server started git: each git that is started itself writes a trace of its own. */
async function countStarts<T>(
  action: (env: Variables) => Promise<T>,
): Promise<{ readonly starts: number; readonly result: T }> {
  return await withFolder(undefined, async (traces) => {
    const result = await action({ GIT_TRACE2_EVENT: traces });
    return { result, starts: (await Array.fromAsync(Deno.readDir(traces))).length };
  });
}

/** The same for the recorded session from the request to the merge, a call a step or with steps joined. */
async function countDefaultStarts(isJoined: boolean): Promise<Figure> {
  const recording = await loadDefaultSession();
  const { starts, result } = await countStarts(async (env) => {
    await using folders = await makeTempFolders();
    await createSampleProject(folders.root);
    const person = createUser(() => {}).answer;
    const { client } = await startServer({ ...folders, person, env });
    const call = (tool: string, args: Readonly<Record<string, unknown>>) =>
      client.callTool(tool, args);
    const calls = await replay(recording, { call, root: folders.root, isJoined });
    await client.close();
    return calls;
  });
  const name = `starts of git, default session${isJoined ? ", joined" : ""}`;
  return figure(name, starts, "calls", `${result.length} calls`);
}

async function walkOnce(env: Variables = {}): Promise<Journal> {
  await using folders = await makeTempFolders();
  await createSampleProject(folders.root);
  const person = createUser(() => {}).answer;
  const { client } = await startServer({ ...folders, person, env });
  const journal = new Journal(client, () => {});
  await walkDemo(journal, { root: folders.root, restart: async () => {} });
  await journal.client.close();
  return journal;
}
