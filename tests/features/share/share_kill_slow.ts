/** A push or a pull that is killed at any moment leaves nothing half: neither at the remote nor on the machine. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { toDump } from "../../index/many_processes.ts";
import { SOURCE_COMMAND } from "../../support/server/mcp_client.ts";
import { createTeam, makeSources, pullAll, pushAll } from "./support.ts";
import { pickShare } from "../../support/commit_share.ts";
import { killChild } from "../../support/server/processes.ts";

const [PROGRAM, ...ARGS] = SOURCE_COMMAND;
/** Spread over the whole of a run; the moments of a commit lie between those of others. */
const KILLS = 6;
const SHARES = 5;
const FILES = 24;

/** When the kill of this number comes: after the end of a whole run at the latest. */
function toMoment(wholeMs: number, at: number, share: number): number {
  return wholeMs * (at + 1 - share / SHARES) / KILLS;
}

/** Runs a command and kills it after a time; how long it took where it came to its end before. */
async function runFor(words: readonly string[], cwd: string, killAfterMs: number): Promise<number> {
  const startedAt = performance.now();
  const child = new Deno.Command(PROGRAM, {
    args: [...ARGS, ...words],
    cwd,
    env: { CODE_INTEL_STATE_DIR: `${cwd}/.git/state`, GIT_CONFIG_GLOBAL: "/dev/null" },
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  const timer = setTimeout(() => killChild(child), killAfterMs);
  await child.status;
  clearTimeout(timer);
  return performance.now() - startedAt;
}

Deno.test("a push that is killed at any moment leaves the remote as it was or whole", async () => {
  await using team = await createTeam();
  await using first = await team.join(makeSources(FILES));
  await using measured = await team.join(makeSources(FILES));
  const share = await pickShare(SHARES);
  // Its remote is nowhere, so that all but the last step is measured.
  const wholeMs = await runFor(["share", "push", "team"], measured.repo.dir, 60_000);
  await runFor(["index"], first.repo.dir, 60_000);
  for (let at = 0; at < KILLS; at++) {
    await first.repo.commit("More", { [`src/more${at}.ts`]: `export const more${at} = ${at};\n` });
    await runFor(["share", "push", "team"], first.repo.dir, toMoment(wholeMs, at, share));
    if (await team.readTip() === "") continue;
    await using second = await team.join({ ...makeSources(FILES) });
    const { report } = await pullAll(second);
    equal(report.taken + report.parsed, FILES);
    deepEqual([second.notices, report.isComplete], [[], true]);
  }
  const { shared, contents } = await pushAll(first);
  equal(shared, contents);
  await using last = await team.join({ ...makeSources(FILES) });
  equal((await pullAll(last)).report.parsed, 0);
});

Deno.test("a pull that is killed at any moment leaves an index that goes on", async () => {
  await using team = await createTeam();
  await using first = await team.join(makeSources(FILES));
  await pushAll(first);
  await using second = await team.join(makeSources(FILES));
  const wholeMs = await runFor(["share", "status"], second.repo.dir, 60_000) * 2;
  const share = await pickShare(SHARES);
  for (let at = 0; at < KILLS; at++) {
    await runFor(["share", "pull", "team"], second.repo.dir, toMoment(wholeMs, at, share));
  }
  const { pulled, report } = await pullAll(second);
  deepEqual([pulled.packs, report.taken, report.parsed, second.notices], [1, FILES, 0, []]);
  ok(report.isComplete);
  deepEqual(await second.index.read(toDump), await first.index.read(toDump));
});
