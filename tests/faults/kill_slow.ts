/**
 * `kill -9` of the server in every step, between and during calls: a new process goes on at the same
 * step with the same tasks, evidence and counters, and the work is committed and merged exactly once.
 */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import type { Session } from "../support/session/session_driver.ts";
import {
  createProject,
  openServer,
  SAMPLE_EDITS,
  startSession,
} from "../support/session/session_driver.ts";
import { pickShare } from "../support/commit_share.ts";
import { expectMergedOnce, STALE } from "./merged_once.ts";

Deno.test("a server killed with two calls in flight leaves a session that goes on", async () => {
  await using project = await createProject();
  const before = await project.repo.git("rev-parse", "HEAD");
  await using session = await startSession(project);
  for (const step of [5, 12, 14, 18]) {
    await session.until(step);
    const data = session.toData(await session.prepare());
    const calls = [
      { name: "submit_phase", arguments: { data } },
      { name: "add_explored_files", arguments: { files: ["src/view.ts"] } },
    ];
    for (const [id, params] of calls.entries()) {
      await session.client.sendRaw(
        JSON.stringify({ jsonrpc: "2.0", id: `two-${id}`, method: "tools/call", params }),
      );
    }
    await new Promise((resolve) => setTimeout(resolve, step));
    const status = await session.restart();
    equal(status.ok, true, JSON.stringify(status));
    ok(status.step >= step, `at ${status.step} after ${step}`);
  }
  await session.until("end");
  await expectMergedOnce(project, before);
});

/** Goes through all steps from 2 to 19. */
const EVERY_STEP = {
  gateLevel: "full",
  answers: [true, true, true],
  choice: "continue",
  verifications: [false, false, false],
  quality: [["unclear names"]],
} as const;

Deno.test("a server killed in each of the steps 2-19 is followed by one that goes on", async (t) => {
  await using project = await createProject();
  const before = await project.repo.git("rev-parse", "HEAD");
  await project.repo.git("branch", STALE);
  await using session = await startSession(project, EVERY_STEP);
  const killedAt = new Set<number>();
  const places = new Set<string>();
  // A count other than the server's own, so that a forgotten one would show.
  let extra: Readonly<Record<string, unknown>> = { compaction_count: 5 };
  while (!session.isOver) {
    // The counters have changed whenever the plan is due again; what follows it is as it was the first time.
    if (places.has(session.place()) && session.step !== 12) {
      await session.next();
      continue;
    }
    places.add(session.place());
    await t.step(`killed at ${session.place()} (visit ${session.steps.length + 1})`, async () => {
      killedAt.add(session.step);
      const payload = await session.prepare();
      const { step, substep, next_task: task } = session.reply;
      const stored = await session.checkpoint();
      const records = await readRecords(session);
      const status = await session.restart();
      deepEqual([status.ok, status.step, status.substep], [true, step, substep]);
      deepEqual(status.next_task, task);
      equal(status.compaction_count, stored.state.compactionCount);
      deepEqual(status.counters, {
        verification_failures: stored.state.counters.verificationFailures,
        interventions: stored.state.counters.interventions,
        quality_reverts: stored.state.counters.qualityReverts,
        backs: stored.state.counters.backs,
      });
      deepEqual(await session.checkpoint(), stored);
      deepEqual(await readRecords(session), records);
      const brief = JSON.stringify(status.brief);
      for (const { id } of stored.state.tasks) ok(brief.includes(id), `the brief names ${id}`);
      // The payload was made from the work before the kill: its tool records must still count.
      await session.accept({ ...payload, ...extra });
      extra = {};
    });
  }
  deepEqual([...killedAt].sort((a, b) => a - b), Array.from({ length: 18 }, (_, at) => at + 2));
  equal(session.reply.compaction_count, 5);
  equal(session.reply.end, "merged");
  await expectMergedOnce(project, before);
});

async function readRecords(session: Session): Promise<readonly string[]> {
  const path = `${session.dir}/.code-intel/sessions/${session.id}.records.jsonl`;
  const text = await Deno.readTextFile(path).catch(() => "");
  return text.split("\n");
}

/** How long after the sending of a payload the server is killed, in turns; which comes first depends on the commit. */
const DELAYS_MS = [0, 30];

Deno.test("a server killed at once or 30 ms after each payload loses nothing and does nothing twice", async () => {
  const share = await pickShare(DELAYS_MS.length);
  await using project = await createProject();
  const before = await project.repo.git("rev-parse", "HEAD");
  // The effects are all on the fast way, and the steps that it leaves out save as those do that it takes.
  await using session = await startSession(project, { flags: { fast: true } });
  for (let payloads = 0; payloads < 20 && !session.isOver; payloads++) {
    const step = session.step;
    const data = session.toData(await session.prepare());
    const tools = { name: "submit_phase", arguments: { data } };
    const line = JSON.stringify({ jsonrpc: "2.0", id: "x", method: "tools/call", params: tools });
    await session.client.sendRaw(line);
    const delayMs = DELAYS_MS[(payloads + share) % DELAYS_MS.length] ?? 0;
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    const status = await session.restart();
    if (status.error === "no_active_session") break;
    equal(status.ok, true, JSON.stringify(status));
    // Either nothing of the payload was taken or all of it; then the next step is due.
    if (session.isOver) break;
    if (status.step === step) await session.next();
  }
  await expectMergedOnce(project, before);
});

Deno.test("a server killed during start_session leaves one session or none", async () => {
  await using project = await createProject();
  for (const delayMs of [0, 20, 40, 80]) {
    const client = await openServer(project);
    const params = { name: "start_session", arguments: { intent: "IMPLEMENT", query: "x" } };
    await client.sendRaw(
      JSON.stringify({ jsonrpc: "2.0", id: "s", method: "tools/call", params }),
    );
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    await client.kill();
  }
  await using session = await startSession(project, { start: { on_unfinished: "abandon" } });
  const files = [];
  for await (const { name } of Deno.readDir(`${project.dir}/.code-intel/sessions`)) {
    if (/^session_.*\.json$/.test(name)) files.push(name);
  }
  deepEqual(files, [`${session.id}.json`]);
  equal((await session.until("end")).merged, true);
  equal(await project.repo.read("src/auth.ts"), SAMPLE_EDITS["src/auth.ts"]);
});
