/** The safety valves over the real server, every way out of them: each restore, each answer of the person. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import type { Project, Session, SessionOptions } from "../support/session/session_driver.ts";
import { startSession } from "../support/session/hosted_session.ts";
import {
  createProject,
  openServer,
  SAMPLE_EDITS,
  SAMPLE_FILES,
} from "../support/session/session_driver.ts";
import { createProjectAt, resume } from "../support/session/walked_project.ts";

const FAILURES = [false, false, false, false, false, false, false, false];

Deno.test("the third failure of a task leads to step 16, the second step 16 to the person", async () => {
  await using project = await createProject();
  await using session = await startSession(project, { verifications: FAILURES });
  await session.until(15);
  for (const step of [12, 12, 16]) {
    await session.until(15);
    const failed = await session.next();
    deepEqual([failed.step, failed.verified], [step, false]);
    match(JSON.stringify(failed), /1 test failed/);
  }
  equal(session.reply.failed_tasks[0].failure_count, 3);
  const intervened = await session.next();
  deepEqual([intervened.step, intervened.intervention_count], [12, 1]);
  equal(intervened.failure_counts_reset, true);
  await session.until(16);
  const asked = await session.next();
  deepEqual([asked.ok, asked.user_escalation, asked.cause], [true, true, "intervention_limit"]);
  match(asked.expected_payload.user_decision, /continue \| accept \| park \| abandon/);
  const refused = await session.submit({ prompt_used: "x", action_taken: "y" });
  equal(refused.error, "user_decision_required");
});

async function withNote({ repo }: Project): Promise<void> {
  await repo.write({ "README.md": "# Sample\n\nthe person's line\n" });
}

for (const restoreTo of ["none", "plan", "baseline"] as const) {
  Deno.test(`an intervention with restore_to ${restoreTo} leaves the right files and goes on`, async () => {
    await using project = await createProjectAt(16, {
      before: withNote,
      verifications: [false, false, false],
    });
    await using session = await resume(project, { restoreTo });
    const reply = await session.next();
    const auth = await project.repo.read("src/auth.ts");
    const original = SAMPLE_FILES["src/auth.ts"];
    const withFixes = /fix2/.test(auth);
    if (restoreTo === "baseline") {
      equal(auth, original);
      deepEqual([reply.step, reply.restored_to], [12, "baseline"]);
    } else if (restoreTo === "plan") {
      // The last plan was made after the first fix and before the second.
      deepEqual([withFixes, reply.restored_to], [false, "plan"]);
      match(auth, /a name is needed/);
    } else {
      deepEqual([withFixes, reply.restored_to], [true, undefined]);
    }
    equal(await project.repo.read("README.md"), "# Sample\n\nthe person's line\n");
    const tasks = reply.existing_tasks.map(({ status }: { status: string }) => status);
    equal(tasks[0], restoreTo === "baseline" ? "pending" : "completed");
    const done = await session.until("end");
    equal(done.merged, true);
    equal(await project.repo.git("status", "-s"), " M README.md");
  });
}

/** What each answer of the person does after the escalation of a verification. */
const EXITS: readonly {
  readonly decision: string;
  readonly check: (session: Session) => Promise<void>;
}[] = [
  {
    decision: "continue",
    check: async (session) => {
      deepEqual([session.step, session.reply.user_escalation], [12, undefined]);
      const { counters, tasks } = (await session.checkpoint()).state;
      deepEqual([counters.interventions, tasks[0].failureCount], [0, 0]);
      equal((await session.until("end")).merged, true);
    },
  },
  {
    decision: "accept",
    check: async (session) => {
      equal(session.step, 17);
      equal((await session.until("end")).merged, true);
      const message = await session.project.repo.git("log", "-1", "--format=%B", "main^2");
      match(message, /^Code-Intel-Verified: overridden \(relayed\)$/m);
    },
  },
  {
    decision: "park",
    check: async (session) => {
      equal(session.reply.status, "parked");
      const again = await session.call("get_session_status", { session_id: session.id });
      deepEqual([again.ok, again.user_escalation], [true, true]);
    },
  },
  {
    decision: "abandon",
    check: async (session) => {
      deepEqual([session.isOver, session.reply.end], [true, "abandoned"]);
      const { repo } = session.project;
      match(await repo.read("src/auth.ts"), /a name is needed/);
      equal(await repo.git("branch", "--show-current"), "main");
    },
  },
];

/** Goes to the report of the third failure. */
async function failTwice(session: Session): Promise<void> {
  for (const _ of [1, 2]) {
    await session.next();
    await session.until(15);
  }
}

for (const { decision, check } of EXITS) {
  Deno.test(`R5: user_decision ${decision} is a way out of the escalation, after a restart too`, async () => {
    await using project = await createProjectAt(15, {
      on: failTwice,
      flags: { no_intervention: true },
      verifications: [false, false, false],
    });
    await using session = await resume(project, { open: openServer });
    await session.next();
    equal(session.reply.cause, "verification_limit");
    const status = await session.restart();
    deepEqual([status.ok, status.user_escalation, status.step], [true, true, 15]);
    await session.accept({ user_decision: decision, user_reason: "their words" });
    await check(session);
  });
}

Deno.test("failures that name no task count for the session", async () => {
  await using project = await createProject();
  const options: SessionOptions = { verifications: FAILURES, failedTasks: [] };
  await using session = await startSession(project, options);
  await session.until(16);
  equal((await session.checkpoint()).state.counters.verificationFailures, 3);
});

Deno.test("R8: a failure_count that the agent sends is ignored", async () => {
  await using project = await createProject();
  await using session = await startSession(project, { verifications: [false, false, false] });
  await session.until(15);
  await session.next();
  for (const step of [12, 16]) {
    const payload = await session.prepare();
    const tasks = (payload.tasks as readonly Record<string, unknown>[])
      .map((task) => ({ ...task, failure_count: 0 }));
    await session.accept({ tasks });
    await session.until(15);
    equal((await session.next()).step, step);
  }
});

Deno.test("quality issues three times: the completion is forced, and the commit is made and merged", async () => {
  await using project = await createProject();
  const before = await project.repo.git("rev-parse", "HEAD");
  const issues = [["names are unclear"], ["still unclear"], ["unclear for good"]];
  await using session = await startSession(project, { quality: issues });
  for (const count of [1, 2]) {
    await session.until(18);
    const reverted = await session.next();
    deepEqual([reverted.step, reverted.quality_revert_count], [12, count]);
    match(reverted.reason, /unclear/);
    equal(await project.repo.git("rev-parse", "HEAD"), before);
  }
  await session.until(18);
  const forced = await session.next();
  deepEqual([forced.step, forced.forced_completion, forced.committed], [19, true, true]);
  match(forced.warning, /open quality issues/);
  const end = await session.until("end");
  deepEqual([end.merged, end.forced_completion, end.open_issues], [true, true, [
    "unclear for good",
  ]]);
  equal(await project.repo.git("rev-list", "--count", `${before}..main`), "2");
  for (const commit of ["main", "main^2"]) {
    const key = "trailers:key=Code-Intel-Forced,valueonly";
    equal(
      await project.repo.git("log", "-1", `--format=%(${key})`, commit),
      "completion forced with 1 open issue\nunclear for good\n",
    );
  }
  const note = await project.repo.git("notes", "--ref=code-intel", "show", "main^2");
  deepEqual(JSON.parse(note.split("\n\n")[1] ?? "").predicate.forced, ["unclear for good"]);
  const content = await project.repo.git("show", "main:src/auth.ts");
  match(content, /a name is needed[^]*fix\d/);
  equal(content.startsWith(`${SAMPLE_EDITS["src/auth.ts"]}`.trimEnd()), true);
});

Deno.test("quick: three failures ask the person, and accept ends the session", async () => {
  await using project = await createProject();
  await using session = await startSession(project, {
    flags: { quick: true },
    verifications: FAILURES,
  });
  await session.untilAsked();
  const done = await session.accept({ user_decision: "accept", user_reason: "good enough" });
  deepEqual([done.session_complete, done.end], [true, "completed"]);
});
