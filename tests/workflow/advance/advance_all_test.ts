/** Several payloads in one call, in short: how far a row goes, and what is said of the rest. */
import { deepStrictEqual as deepEqual, match } from "node:assert/strict";
import type { Answer, Project } from "../project_fixture.ts";
import { codesOf, COMMON, createProject, FRAME, started } from "../project_fixture.ts";

const SIGNAL = new AbortController().signal;

async function send(project: Project, data: unknown, ...then: readonly unknown[]): Promise<Answer> {
  return await project.workflow.submitPhase(data, SIGNAL, undefined, { then });
}

function toPlan(item: string) {
  const checklist = [{ item, status: "pending" }];
  return { tasks: [{ id: "task_1", description: item, status: "pending", checklist }] };
}

Deno.test("a payload behind the first one leaves out what it would only repeat", async () => {
  await using project = await createProject({ after: started });
  const reply = await send(project, { ...FRAME, compaction_count: 0 }, toPlan("Change a"));
  deepEqual([reply.ok, reply.step, reply.not_taken], [true, 13, undefined]);
  deepEqual(reply.taken, ["QUERY_FRAME", "READY (plan)"]);
  deepEqual((await project.state()).tasks.map(({ id }) => id), ["task_1"]);
});

Deno.test("what is no payload is refused behind the first one as it is alone, and the rest is not taken", async () => {
  await using project = await createProject({ after: started });
  const row = await send(project, FRAME, "READY", toPlan("Change a"));
  deepEqual([row.ok, row.step, row.taken, row.not_taken], [false, 12, ["QUERY_FRAME"], 2]);
  match(row.stopped, /refused/);
  const alone = await send(project, "READY");
  deepEqual([row.error, codesOf(row)], [alone.error, codesOf(alone)]);
  deepEqual(row.problems, alone.problems);
  deepEqual((await project.state()).tasks, []);
});

Deno.test("more payloads than one call may have are all refused, before the first is read", async () => {
  await using project = await createProject({ after: started });
  const many = Array.from({ length: 40 }, () => ({ ...COMMON }));
  const reply = await send(project, FRAME, ...many);
  deepEqual([reply.ok, codesOf(reply), reply.taken], [false, ["too_long"], undefined]);
  deepEqual((await project.state()).stage, "QUERY_FRAME");
});
