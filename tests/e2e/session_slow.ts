/** Whole sessions over the real server, one for each flow that flags and answers lead along. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { startSession } from "../support/session/hosted_session.ts";
import { createProject, listTaskBranches } from "../support/session/session_driver.ts";

/** Flags, the steps that the session goes through, and how it ends. */
const FLOWS: readonly {
  readonly name: string;
  readonly flags?: Readonly<Record<string, boolean>>;
  readonly intent?: "INVESTIGATE" | "QUESTION";
  readonly gateLevel?: "full";
  readonly steps: readonly number[];
  readonly end: string;
  readonly commits: number;
}[] = [
  {
    name: "fast skips 5-11 and 18 and still commits and merges",
    flags: { fast: true },
    steps: [4, 12, 13, 14, 15, 17, 19, 19],
    end: "merged",
    commits: 2,
  },
  {
    name: "quick has no branch and no commit and ends after 15",
    flags: { quick: true },
    steps: [4, 12, 13, 14, 15, 19],
    end: "completed",
    commits: 0,
  },
  {
    name: "quick with no_verify ends after 14",
    flags: { quick: true, no_verify: true },
    steps: [4, 12, 13, 14, 19],
    end: "completed",
    commits: 0,
  },
  {
    name: "no_verify goes from 14 to 17",
    flags: { no_verify: true, no_doc: true },
    steps: [5, 6, 8, 10, 12, 13, 14, 17, 18, 19, 19],
    end: "merged",
    commits: 2,
  },
  {
    name: "no_quality commits at 17 and merges at 19",
    flags: { no_quality: true },
    steps: [4, 5, 6, 8, 10, 12, 13, 14, 15, 17, 19, 19],
    end: "merged",
    commits: 2,
  },
  {
    name: "an investigation ends after Q3",
    intent: "INVESTIGATE",
    steps: [4, 5, 6, 8, 10, 19],
    end: "completed",
    commits: 0,
  },
  {
    name: "a question with no_verify never enters READY",
    intent: "QUESTION",
    flags: { no_verify: true, no_quality: true },
    steps: [4, 5, 6, 8, 10, 19],
    end: "completed",
    commits: 0,
  },
  {
    name: "only_explore ends after Q3 whatever the intent",
    flags: { only_explore: true },
    steps: [4, 5, 6, 8, 10, 19],
    end: "completed",
    commits: 0,
  },
  {
    name: "only_verify starts at 15 and ends there",
    flags: { only_verify: true },
    steps: [19],
    end: "completed",
    commits: 0,
  },
  {
    name: "gate_level full runs 7, 9 and 11 in spite of three times no",
    gateLevel: "full",
    steps: [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 17, 18, 19, 19],
    end: "merged",
    commits: 2,
  },
];

for (const { name, flags, intent, gateLevel, steps, end, commits } of FLOWS) {
  Deno.test(`flow: ${name}`, async () => {
    await using project = await createProject();
    const before = await project.repo.git("rev-parse", "HEAD");
    await using session = await startSession(project, {
      ...(flags === undefined ? {} : { flags }),
      ...(intent === undefined ? {} : { intent }),
      ...(gateLevel === undefined ? {} : { gateLevel }),
    });
    const done = await session.until("end");
    deepEqual(session.steps, steps);
    deepEqual([done.phase, done.end], ["SESSION_COMPLETE", end]);
    const total = await project.repo.git("rev-list", "--count", `${before}..main`);
    equal(Number(total), commits);
    equal(await listTaskBranches(project), "");
    const isWritten = !["INVESTIGATE", "QUESTION"].includes(intent ?? "") &&
      flags?.only_explore !== true && flags?.only_verify !== true;
    equal((await project.repo.read("src/auth.ts")).includes("a name is needed"), isWritten);
  });
}

Deno.test("the questions answered with yes lead through 7, 9 and 11", async () => {
  await using project = await createProject();
  await using session = await startSession(project, { answers: [true, true, true] });
  await session.until(12);
  deepEqual(session.steps, [4, 5, 6, 7, 8, 9, 10, 11, 12]);
});

Deno.test("an investigation with impact analysis ends after 11", async () => {
  await using project = await createProject();
  await using session = await startSession(project, {
    intent: "INVESTIGATE",
    answers: [false, false, true],
  });
  await session.until("end");
  deepEqual(session.steps, [4, 5, 6, 8, 10, 11, 19]);
});

Deno.test("back_to goes to EXPLORATION and keeps tasks and branch; the fourth time the person is asked", async () => {
  await using project = await createProject();
  await using session = await startSession(project);
  await session.until(13);
  const branch = await project.repo.git("branch", "--show-current");
  const back = { back_to: "EXPLORATION", reason: "the wrong place was explored" };
  for (const count of [1, 2, 3]) {
    equal((await session.accept(back)).step, 5);
    equal((await session.checkpoint()).state.counters.backs, count);
    equal((await session.call("check_write_target", { file_path: "src/auth.ts" })).ok, false);
    await session.until(12);
    equal(session.reply.existing_tasks[0].id, "task_1");
    await session.until(13);
  }
  equal(await project.repo.git("branch", "--show-current"), branch);
  const asked = await session.accept(back);
  deepEqual([asked.user_escalation, asked.cause, asked.step], [true, "back_limit", 13]);
  equal((await session.accept({ user_decision: "continue", user_reason: "try again" })).step, 5);
  equal((await session.until("end")).merged, true);
});

Deno.test("nothing to do: all items skipped end the session without commit and branch", async () => {
  await using project = await createProject();
  const before = await project.repo.git("rev-parse", "main");
  await using session = await startSession(project, { skipAll: true });
  const done = await session.until("end");
  deepEqual([done.end, done.committed], ["completed", false]);
  ok(done.branch_removed.startsWith("llm_task_"), "the reply names the removed branch");
  equal(await project.repo.git("rev-parse", "main"), before);
  equal(await project.repo.git("branch", "--show-current"), "main");
  equal(await listTaskBranches(project), "");
});
