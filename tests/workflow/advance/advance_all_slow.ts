/** Several payloads in one call: how far a row goes, what ends it, and that no check is left out. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import type { Answer, Project } from "../project_fixture.ts";
import {
  codesOf,
  COMMON,
  createProject,
  expectOk,
  FRAME,
  planned,
  started,
} from "../project_fixture.ts";

const SIGNAL = new AbortController().signal;
const REVIEW = { ...COMMON, reviewed_files: ["src/a.ts"], commit_message: "Change a" };
const MERGE = { ...COMMON, on_conflict: "resolve" };

async function send(project: Project, data: unknown, ...then: readonly unknown[]): Promise<Answer> {
  return await project.workflow.submitPhase(data, SIGNAL, undefined, { then });
}

function toPlan(...items: readonly string[]) {
  const tasks = items.map((item, index) => ({
    id: `task_${index + 1}`,
    description: item,
    status: "pending",
    checklist: [{ item, status: "pending" }],
  }));
  return { ...COMMON, tasks };
}

function toReport(id: number, item: string, evidence: string) {
  return { task_id: `task_${id}`, checklist: [{ item, status: "done", evidence }] };
}

async function edit(project: Project, path: string, line: string): Promise<void> {
  expectOk(await project.workflow.addExploredFiles([path as never]));
  expectOk(await project.clear(path));
  const file = join(project.root, path);
  await Deno.writeTextFile(file, `${line}\n${await Deno.readTextFile(file)}`);
}

Deno.test("a row of payloads goes from the frame to the merge, with the checkpoints of single calls", async () => {
  await using project = await createProject({ after: started });
  const begun = expectOk(await send(project, FRAME, toPlan("Change a", "Change b")));
  deepEqual([begun.step, begun.taken], [13, ["QUERY_FRAME", "READY (plan)"]]);
  equal(begun.next_task.id, "task_1");
  await edit(project, "src/a.ts", "first");
  await edit(project, "src/b.ts", "second");
  const reports = {
    ...COMMON,
    tasks: [toReport(1, "Change a", "src/a.ts:1"), toReport(2, "Change b", "src/b.ts:1")],
  };
  const review = { ...REVIEW, reviewed_files: ["src/a.ts", "src/b.ts"] };
  const stopped = expectOk(await send(project, reports, { summary: "done" }, review, MERGE));
  deepEqual([stopped.phase, stopped.not_taken], ["PRE_COMMIT", 2], "the review is read first");
  match(stopped.stopped, /review/);
  deepEqual(stopped.taken, ["READY (implement)", "READY (implement)", "READY (complete)"]);
  const merged = expectOk(await send(project, review, MERGE));
  deepEqual([merged.session_complete, merged.not_taken], [true, undefined]);
  deepEqual(merged.taken, ["PRE_COMMIT", "MERGE"]);
  const committed = merged.earlier.find(({ phase }: Answer) => phase === "PRE_COMMIT");
  equal(typeof committed.commit, "string", JSON.stringify(merged.earlier));
  const log = await project.repo.git("show", "--format=%s", "--name-only", committed.commit);
  match(log, /^Change a\n\nsrc\/a\.ts\nsrc\/b\.ts/);
});

Deno.test("a row ends at the first payload that is refused; what was accepted before it stands", async () => {
  await using project = await createProject({ after: planned("Change a", "Change b") });
  await edit(project, "src/a.ts", "first");
  const reports = [toReport(1, "Change a", "src/a.ts:1"), toReport(2, "Change b", "src/b.ts:1")];
  const refused = await send(project, { ...COMMON, tasks: reports }, { summary: "done" }, REVIEW);
  deepEqual([refused.ok, refused.step, refused.taken], [false, 13, ["READY (implement)"]]);
  deepEqual(refused.not_taken, 3, "the refused one and the two behind it");
  match(refused.stopped, /refused/);
  equal(codesOf(refused).length > 0, true);
  deepEqual((await project.state()).tasks.map(({ status }) => status), ["completed", "pending"]);
});

Deno.test("a row smuggles nothing past a step that sends the work back or that is not there", async () => {
  await using project = await createProject({ after: planned("Change a") });
  await edit(project, "src/a.ts", "first");
  const report = { ...COMMON, ...toReport(1, "Change a", "src/a.ts:1") };
  expectOk(await send(project, report));
  // The evidence is gone, so the completion reopens the task: the review and the merge stay unread.
  const a = join(project.root, "src/a.ts");
  await Deno.writeTextFile(a, (await Deno.readTextFile(a)).replace("first\n", ""));
  await Deno.writeTextFile(join(project.root, "src/b.ts"), "changed\n");
  const back = await send(project, { summary: "done", change_resolution: [] }, REVIEW, MERGE);
  equal(back.session_complete, undefined);
  equal(back.ok === false || back.not_taken === 2, true, JSON.stringify(back));
  equal(["READY_IMPL", "READY_COMPLETE"].includes((await project.state()).stage), true);
});

Deno.test("a payload for another step than the session is at is refused in a row too", async () => {
  await using project = await createProject();
  expectOk(await project.start({ flags: { no_doc: true, no_verify: true } }));
  const answer = { ...COMMON, needs_more_information: false, reason: "All is known here" };
  const refused = await send(project, FRAME, answer, answer);
  deepEqual([refused.ok, refused.phase, refused.not_taken], [false, "EXPLORATION", 2]);
  equal((await project.state()).stage, "EXPLORATION");
});

Deno.test("advice alone does not stop a row, which is past its question; where it decides the way it does", async () => {
  const offered = ["search_text", "search_files", "find_definitions", "find_references"];
  await using project = await createProject({ offered });
  const quote = "add a login form";
  const slot = { value: "login", quote };
  const reproduced = { command: "npm test", showed: "1 failed" };
  const explored = {
    ...COMMON,
    explored_files: ["src/a.ts"],
    findings: ["a finding"],
    reproduced,
  };
  const one = { needs_more_information: false, reason: "All is known here" };
  const two = { has_unverified_hypotheses: false, reason: "All is known here" };
  const explore = async (slots: Readonly<Record<string, unknown>>) => {
    expectOk(await project.start({ query: quote, flags: { no_doc: true } }));
    expectOk(await project.submit({ ...FRAME, slots }));
    for (const tool of ["search_text", "search_files"] as const) {
      await project.workflow.record(await project.workflow.admit(tool, null), {
        tool,
        argsHash: "0123456789abcdef",
        subject: "a",
        ok: true,
        total: 1,
        files: ["src/a.ts"],
        symbols: [],
        durationMs: 1,
        via: "mcp",
      });
    }
    return expectOk(await send(project, explored, one, two));
  };
  const gone = await explore({ target_feature: slot, observed_issue: slot });
  deepEqual([gone.phase, gone.stopped], ["Q3", undefined]);
  deepEqual(gone.earlier, undefined);
  equal((await project.state()).evaluation?.confidence, "low");
  expectOk(await project.submit({ abandon: true, reason: "once more", restore: false }));
  const stopped = await explore({});
  deepEqual([stopped.phase, stopped.not_taken], ["Q1", 2], JSON.stringify(stopped));
});

Deno.test("a row hands the count of its first payload on, and ends where the conversation was lost", async () => {
  await using project = await createProject({ after: started });
  const counted = expectOk(
    await send(project, { ...FRAME, compaction_count: 0 }, toPlan("Change a")),
  );
  deepEqual([counted.step, counted.phase_summaries], [13, undefined]);
  const lost = await send(
    project,
    { ...toPlan("Change a", "Change b"), compaction_count: 1 },
    toReport(1, "Change a", "src/a.ts:1"),
  );
  deepEqual([lost.ok, lost.not_taken], [true, 1]);
  match(lost.stopped, /phase_summaries/);
});

Deno.test("a row ends with the session, and is refused whole where it is too long", async () => {
  await using project = await createProject({ after: started });
  const long = await send(project, FRAME, ...Array.from({ length: 24 }, () => ({ ...COMMON })));
  deepEqual([long.ok, codesOf(long)], [false, ["too_long"]]);
  equal((await project.state()).stage, "QUERY_FRAME", "nothing of it was taken");
  const parked = expectOk(await send(project, { park: true, reason: "the day is over" }, FRAME));
  deepEqual([parked.status, parked.not_taken, parked.stopped], [
    "parked",
    1,
    "The session is parked.",
  ]);
});
