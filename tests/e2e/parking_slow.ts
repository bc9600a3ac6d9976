/** Every answer to unfinished sessions and stale branches, over the real server and to the end. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import type { Project } from "../support/session/session_driver.ts";
import { openSession, startProcess, startSession } from "../support/session/hosted_session.ts";
import {
  createProject,
  listTaskBranches,
  openServer,
  SAMPLE_EDITS,
  SAMPLE_FILES,
} from "../support/session/session_driver.ts";
import { createProjectAt, resume } from "../support/session/walked_project.ts";

Deno.test("park in READY and resume: HEAD goes back to the base, the work and the tasks stay", async () => {
  await using project = await createProjectAt(14);
  await using session = await resume(project);
  const branch = await project.repo.git("branch", "--show-current");
  const parked = await session.accept({ park: true, reason: "a hotfix comes first" });
  deepEqual([parked.parked, parked.head], [true, "main"]);
  equal(await project.repo.git("branch", "--show-current"), "main");
  equal(await project.repo.read("src/auth.ts"), SAMPLE_EDITS["src/auth.ts"]);
  equal(
    (await session.call("submit_phase", { data: { summary: "x" } })).error,
    "no_active_session",
  );
  // What the person does meanwhile is theirs.
  await project.repo.write({ "src/view.ts": "export const shown = 'person';\n" });
  const resumed = await session.must("get_session_status", { session_id: session.id });
  deepEqual([resumed.step, resumed.substep, resumed.resumed], [14, "complete", true]);
  deepEqual(resumed.booked_as_person, ["src/view.ts"]);
  equal(await project.repo.git("branch", "--show-current"), branch);
  equal((await session.until("end")).merged, true);
  equal(await project.repo.git("status", "-s"), " M src/view.ts");
});

Deno.test("a checkpoint that was edited by hand is checkpoint_tampered", async () => {
  await using project = await createProjectAt(13);
  await using session = await resume(project, { open: openServer });
  const path = join(project.dir, ".code-intel/sessions", `${session.id}.json`);
  const text = await Deno.readTextFile(path);
  await Deno.writeTextFile(path, text.replace('"READY_IMPL"', '"MERGE"'));
  const status = await session.restart();
  deepEqual([status.ok, status.error], [false, "checkpoint_tampered"]);
  equal(
    (await session.call("submit_phase", { data: { summary: "x" } })).error,
    "checkpoint_tampered",
  );
  await Deno.writeTextFile(path, text);
  await session.close();
  equal((await session.revive()).step, 13);
});

const STALE = "llm_task_session_20260101_120000_abcd_from_main";

/** Leaves a task branch with one commit behind; HEAD is on main afterwards. */
async function leaveStale({ repo }: Project): Promise<string> {
  await repo.git("switch", "-q", "-c", STALE);
  const tip = await repo.commit("Old work", { "src/old.ts": "export const old = 1;\n" });
  await repo.git("switch", "-q", "main");
  return tip;
}

async function withNote({ repo }: Project): Promise<void> {
  await repo.write({ "README.md": "# Mine\n" });
}

for (const restore of [true, false]) {
  Deno.test(`abandon with restore ${restore} in READY`, async () => {
    await using project = await createProjectAt(14, {
      before: withNote,
      edits: { ...SAMPLE_EDITS, "src/new.ts": "export const made = 1;\n" },
    });
    await using session = await resume(project);
    const done = await session.accept({ abandon: true, reason: "not wanted", restore });
    deepEqual([done.end, done.abandoned], ["abandoned", true]);
    const expected = restore ? SAMPLE_FILES["src/auth.ts"] : SAMPLE_EDITS["src/auth.ts"];
    equal(await project.repo.read("src/auth.ts"), expected);
    equal(await project.repo.exists("src/new.ts"), !restore);
    equal(await project.repo.read("README.md"), "# Mine\n");
    equal(await project.repo.git("branch", "--show-current"), "main");
    match(await listTaskBranches(project), /llm_task_/);
    const refs = await project.repo.git("for-each-ref", `refs/code-intel/${session.id}`);
    ok(refs !== "", "the snapshots stay");
  });
}

for (const wish of ["resume", "park", "abandon"] as const) {
  Deno.test(`a start with an unfinished session asks; ${wish} does what the person wants`, async () => {
    await using project = await createProjectAt(6);
    const first = project.walked;
    await using second = await openSession(project, { query: "Other work" });
    const asked = await second.begin();
    deepEqual([asked.error, asked.recovery_available], ["session_unfinished", true]);
    equal(asked.candidates[0].session_id, first.id);
    const reply = await second.begin({ on_unfinished: wish });
    equal(reply.ok, true, JSON.stringify(reply));
    if (wish === "resume") deepEqual([reply.session_id, reply.step], [first.id, 6]);
    else deepEqual([reply.session_id === first.id, reply.step], [false, 3]);
    if (wish === "park") equal(reply.parked_sessions[0].session_id, first.id);
    equal((await second.until("end")).merged, true);
  });
}

/** What each answer to stale branches leaves. */
for (const choice of ["delete", "merge", "continue"] as const) {
  Deno.test(`stale branch: ${choice} from the base`, async () => {
    await using project = await createProject();
    const tip = await leaveStale(project);
    await using session = await startSession(project, { choice });
    deepEqual([session.step, session.reply.stale_branches[0].commit_count], [2, 1]);
    equal(session.reply.stale_branches[0].name, STALE);
    const reply = await session.submit({ choice });
    const left = (await listTaskBranches(project)).includes(STALE);
    if (choice === "delete") {
      deepEqual([reply.ok, left, reply.deleted_branches], [true, false, [STALE]]);
      const kept = await project.repo.git("for-each-ref", "refs/code-intel/branches");
      ok(kept.includes(tip), "the tip is kept by a ref");
    } else {
      deepEqual([reply.ok, left], [choice === "continue", true]);
    }
    if (choice === "merge") equal((await session.submit({ choice: "continue" })).ok, true);
    equal((await session.until("end")).merged, true);
  });
}

Deno.test("R2: choice merge off a task branch deletes nothing", async () => {
  await using project = await createProject();
  const tip = await leaveStale(project);
  await using session = await startSession(project);
  const before = await project.repo.state();
  const refused = await session.submit({ choice: "merge" });
  deepEqual([refused.ok, refused.step], [false, 2]);
  ok(refused.problems[0].hint.length > 10, "the refusal names the way on");
  equal(await project.repo.state(), before);
  equal(await project.repo.git("rev-parse", STALE), tip);
});

Deno.test("stale branch: merge on the branch itself merges it into its base", async () => {
  await using project = await createProject();
  await leaveStale(project);
  await project.repo.git("switch", "-q", STALE);
  await using session = await startSession(project, { choice: "merge" });
  await session.next();
  equal(await project.repo.git("branch", "--show-current"), "main");
  equal(await project.repo.exists("src/old.ts"), true);
  const done = await session.until("end");
  deepEqual([done.merged, done.to_branch], [true, "main"]);
});

Deno.test("stale branch: continue on the branch itself adopts it", async () => {
  await using project = await createProject();
  await leaveStale(project);
  await project.repo.git("switch", "-q", STALE);
  await using session = await startSession(project, { choice: "continue" });
  equal((await session.next()).adopted_branch, STALE);
  const done = await session.until("end");
  deepEqual([done.merged, done.from_branch, done.to_branch], [true, STALE, "main"]);
  equal(await project.repo.git("show", "main:src/old.ts"), "export const old = 1;");
});

Deno.test("R11: continue on a normal branch works on a new task branch and commits", async () => {
  await using project = await createProject();
  await leaveStale(project);
  await using session = await startSession(project, { choice: "continue" });
  await session.until(13);
  match(await project.repo.git("branch", "--show-current"), new RegExp(session.id));
  equal((await session.until("end")).merged, true);
  match(await listTaskBranches(project), new RegExp(STALE));
});

Deno.test("a damaged checkpoint is set aside and the generation before is used", async () => {
  await using project = await createProject();
  await using session = await startProcess(project);
  await session.until(12);
  const path = join(project.dir, ".code-intel/sessions", `${session.id}.json`);
  const text = await Deno.readTextFile(path);
  await Deno.writeTextFile(path, text.slice(0, text.length / 2));
  const status = await session.restart();
  deepEqual([status.ok, status.step], [true, 10]);
  match(JSON.stringify(status.notices), /damaged/);
  equal((await session.until("end")).merged, true);
});

Deno.test("a start on the task branch of a parked session is refused with on_task_branch", async () => {
  await using project = await createProject();
  await using session = await startSession(project);
  await session.until(19);
  const parked = await session.accept({ park: true, reason: "later" });
  match(parked.head, /^llm_task_/);
  const refused = await session.begin();
  equal(refused.error, "on_task_branch");
  match(refused.problems[0].hint, /git switch main/);
  await project.repo.git("switch", "-q", "main");
  const started = await session.begin();
  deepEqual([started.ok, started.parked_sessions.length], [true, 1]);
});
