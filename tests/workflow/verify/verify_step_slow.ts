/** Step 15 with the project's own commands: the server runs them, and its result is the verdict. */
import {
  deepStrictEqual as deepEqual,
  match,
  rejects,
  strictEqual as equal,
} from "node:assert/strict";
import { join } from "node:path";
import { NO_ASKER } from "../../../src/base/asker.ts";
import type { Project } from "../project_fixture.ts";
import { COMMON } from "../project_fixture.ts";
import {
  allow,
  createVerified,
  FLAGS,
  IN_WORKTREE,
  plan,
  reachVerification,
  REPORT,
  REVIEW,
} from "./verified_project.ts";

Deno.test("a trusted command that fails convicts, whatever passed says", async () => {
  await using project = await createVerified(["grep", "-q", "wanted", "src/a.ts"]);
  await allow(project);
  await reachVerification(project, "other\n");
  const reply = await project.submit({ ...REPORT, passed: true });
  equal(reply.verified, false);
  equal(reply.verification_source, "server");
  equal(reply.sent_back, true);
  equal(reply.step, 12);
  equal(reply.commands[0].exit_code, 1);
});

Deno.test("a trusted command that passes is the verdict, and the commit says yes", async () => {
  await using project = await createVerified(["grep", "-q", "wanted", "src/a.ts"]);
  await allow(project);
  await reachVerification(project, "wanted\n");
  const reply = await project.submit({ ...REPORT, passed: false });
  equal(reply.verified, true);
  equal(reply.step, 17);
  await project.must({
    ...COMMON,
    reviewed_files: [],
    rest: "keep",
    commit_message: "Say what is wanted",
  });
  await project.must({ summary: "merge" });
  const message = await project.repo.git("log", "-1", "--format=%B", "HEAD^2");
  match(message, /^Code-Intel-Verified: yes$/m);
});

Deno.test("commands that nobody allowed are never run silently", async () => {
  await using project = await createVerified(["touch", "ran.txt"]);
  await reachVerification(project, "wanted\n");
  const reply = await project.submit({ ...REPORT, passed: true });
  equal(reply.error, "verify_untrusted");
  equal(reply.step, 15);
  match(reply.problems[0].hint, /code-intel trust/);
  equal(await exists(join(project.root, "ran.txt")), false);
  const accepted = await project.must({ user_decision: "accept", user_reason: "it is fine" });
  equal(accepted.step, 17);
});

Deno.test("the person who is asked in a form allows the commands, and they run at once", async () => {
  await using project = await createVerified(["grep", "-q", "wanted", "src/a.ts"]);
  await reachVerification(project, "wanted\n");
  const asked: string[] = [];
  const asker = {
    ask: ({ message }: { readonly message: string }) => {
      asked.push(message);
      return Promise.resolve({ kind: "answered" as const, values: { allow: true } });
    },
  };
  const signal = new AbortController().signal;
  const reply = await project.workflow.submitPhase({ ...REPORT, passed: true }, signal, asker);
  equal(reply.ok && reply["verified"], true);
  match(asked[0] ?? "", /grep/);
  const { entries } = await project.verification.trust.list();
  equal(entries[0]?.by, "asked");
});

Deno.test("a form that is declined changes nothing, and the same call asks again", async () => {
  await using project = await createVerified(["touch", "ran.txt"]);
  await reachVerification(project, "wanted\n");
  let count = 0;
  const asker = {
    ask: () => {
      count++;
      return Promise.resolve({ kind: "declined" as const });
    },
  };
  const signal = new AbortController().signal;
  for (const _ of [1, 2]) {
    const reply = await project.workflow.submitPhase({ ...REPORT, passed: true }, signal, asker);
    equal(reply.ok, false);
  }
  equal(count, 2);
  equal(await exists(join(project.root, "ran.txt")), false);
  const none = await project.workflow.submitPhase({ ...REPORT, passed: true }, signal, NO_ASKER);
  equal(none.ok, false);
});

Deno.test("a cancelled call ends the commands and changes nothing; the same payload runs them again", async () => {
  const gate = join(await Deno.makeTempDir(), "open");
  const script =
    `echo begun; while [ ! -e "${gate}" ]; do sleep 0.05; done; grep -q wanted src/a.ts`;
  await using project = await createVerified(["sh", "-c", script]);
  await allow(project);
  await reachVerification(project, "wanted\n");
  const cancel = new AbortController();
  const told: string[] = [];
  const before = await project.state();
  const call = project.workflow.submitPhase(
    { ...REPORT, passed: true },
    cancel.signal,
    NO_ASKER,
    {
      progress: (_done, _total, message) => {
        told.push(message);
        // On a busy machine the first message may come before the command says anything.
        if (message.endsWith(": begun")) cancel.abort();
      },
    },
  );
  await rejects(call, { code: "cancelled" });
  match(told.at(-1) ?? "", /, \d+ s: begun$/);
  deepEqual((await project.verification.runner.readRunning(before.sessionId)).length, 0);
  deepEqual(await project.state(), before);
  await Deno.writeTextFile(gate, "");
  equal((await project.submit({ ...REPORT, passed: true })).verified, true);
});

Deno.test("a run on the untouched tree excuses nothing when a hook cleared a file before its end", async () => {
  const gate = join(await Deno.makeTempDir(), "open");
  const script = `while [ ! -e "${gate}" ]; do sleep 0.05; done; ! grep -q wanted src/a.ts`;
  await using project = await createVerified(["sh", "-c", script], {}, "auto");
  await allow(project);
  const { session_id, verify_baseline } = await project.start({ flags: FLAGS });
  equal(verify_baseline, "running");
  await project.must({ ...COMMON, slots: {} });
  const checklist = [{ item: "Rewrite src/a.ts", status: "pending" }];
  const task = { id: "task_1", description: "Rewrite it", status: "pending", checklist };
  await project.must({ ...COMMON, tasks: [task] });
  await project.workflow.addExploredFiles(["src/a.ts"]);
  const cleared = await (await project.reopen()).hooks.clear([join(project.root, "src/a.ts")]);
  equal(cleared?.ok, true);
  await project.repo.write({ "src/a.ts": "first\nwanted\n" });
  await Deno.writeTextFile(gate, "");
  while ((await project.verification.runner.read(session_id)).length === 0) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const item = { item: "Rewrite src/a.ts", status: "done", evidence: "src/a.ts:2" };
  await project.must({ ...COMMON, task_id: "task_1", checklist: [item] });
  await project.must({ summary: "all done" });
  const reply = await project.submit({ ...REPORT, passed: true });
  equal(reply.verified, false);
  equal(reply.verification_source, "server");
});

Deno.test("no command applies to the changed files: the result is the client's own word", async () => {
  await using project = await createVerified(["false"], { paths: ["docs/**"] });
  await allow(project);
  await reachVerification(project, "other\n");
  const reply = await project.submit({ ...REPORT, passed: true });
  equal(reply.verification_source, "self-reported");
});

Deno.test("a result counts for the tree that it was made on: an edit in between runs again", async () => {
  await using project = await createVerified(["grep", "-q", "wanted", "src/a.ts"]);
  await allow(project);
  await reachVerification(project, "other\n");
  equal((await project.submit({ ...REPORT, passed: true })).verified, false);
  const runs = async () =>
    (await project.verification.runner.read((await project.state()).sessionId))
      .filter(({ kind }) => kind === "verify").length;
  equal(await runs(), 1);
  await plan(project, "wanted\n", "task_2");
  equal((await project.submit({ ...REPORT, passed: true })).verified, true);
  equal(await runs(), 2);
});

Deno.test("a result is void once a file that it rested on was discarded", async () => {
  await using project = await createVerified(["test", "-f", "src/new.ts"]);
  await allow(project);
  await reachVerification(project, "wanted\n", { alsoWrites: "src/new.ts" });
  equal((await project.submit({ ...REPORT, passed: true })).verified, true);
  const review = {
    ...COMMON,
    commit_message: "Say what is wanted",
    reviewed_files: [{ path: "src/new.ts", decision: "discard", reason: "a leftover" }],
    rest: "keep",
  };
  equal((await project.must(review)).step, 15);
  equal((await project.submit({ ...REPORT, passed: true })).verified, false);
});

async function readTrailer(project: Project): Promise<string> {
  return await project.repo.git(
    "log",
    "-1",
    "--format=%(trailers:key=Code-Intel-Verified,valueonly)",
  );
}

Deno.test("what the person changes after a result voids nothing, and the trailer of a run in the worktree says it", async () => {
  const run = ["grep", "-q", "wanted", "src/a.ts"];
  await using project = await createVerified(run, {}, "off", IN_WORKTREE);
  await allow(project);
  await reachVerification(project, "wanted\n");
  equal((await project.submit({ ...REPORT, passed: true })).verified, true);
  await project.repo.write({ "notes.txt": "mine\n" });
  const mine = { path: "notes.txt", action: "person", reason: "The person took notes" };
  const reply = await project.must({ ...REVIEW, change_resolution: [mine] });
  equal(reply.verified, "yes, tree differs");
  equal((await readTrailer(project)).trim(), "yes, tree differs");
});

Deno.test("a run that had a file of the person's which the commit has not says so too", async () => {
  await using project = await createVerified(["grep", "-q", "mine", "notes.txt"]);
  await allow(project);
  await reachVerification(project, "wanted\n");
  await project.repo.write({ "notes.txt": "mine\n" });
  const mine = { path: "notes.txt", action: "person", reason: "The person took notes" };
  await project.submit({ change_resolution: [mine] });
  equal((await project.submit({ ...REPORT, passed: true })).verified, true);
  equal((await project.must(REVIEW)).verified, "yes, tree differs");
});

Deno.test("what a command writes itself makes no tree that differs", async () => {
  const run = ["touch", "out.txt"];
  await using project = await createVerified(run, { writes: ["out.txt"] });
  await allow(project);
  await reachVerification(project, "wanted\n");
  equal((await project.submit({ ...REPORT, passed: true })).verified, true);
  equal((await project.must(REVIEW)).verified, "yes (worktree)");
});

Deno.test("work that a git hook changes after a result is verified again before it is committed", async () => {
  await using project = await createVerified(["grep", "-q", "wanted", "src/a.ts"]);
  await allow(project);
  const hook = join(project.root, ".git/hooks/pre-commit");
  await Deno.mkdir(join(project.root, ".git/hooks"), { recursive: true });
  const format =
    "grep -q formatted src/a.ts || printf 'formatted\\n' >> src/a.ts; git add src/a.ts";
  await Deno.writeTextFile(hook, `#!/bin/sh\n${format}\n`);
  await Deno.chmod(hook, 0o755);
  await reachVerification(project, "wanted\n");
  equal((await project.submit({ ...REPORT, passed: true })).step, 17);
  equal((await project.must(REVIEW)).hooks_changed?.join(), "src/a.ts");
  const reply = await project.must(REVIEW);
  equal([reply.step, reply.verification_void].join(), "15,true");
  equal(reply.changed_since_verification.join(), "src/a.ts");
  equal((await project.submit({ ...REPORT, passed: true })).step, 17);
  equal((await project.must(REVIEW)).verified, "yes");
  match(await project.repo.git("show", "HEAD:src/a.ts"), /formatted/);
});

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

Deno.test("what a command is known to write is booked to it; any other file is a finding", async () => {
  for (const [writes, error] of [[["out.txt"], undefined], [[], "unauthorized_change"]] as const) {
    const settings = writes.length > 0 ? {} : IN_WORKTREE;
    await using project = await createVerified(["touch", "out.txt"], { writes }, "off", settings);
    await allow(project);
    await reachVerification(project, "wanted\n");
    const reply = await project.submit({ ...REPORT, passed: true });
    equal(reply.error, error);
    equal(reply.step, error === undefined ? 17 : 15);
  }
});

Deno.test("a command that cannot be started says so, and is not excused by a baseline without it either", async () => {
  await using project = await createVerified(["no-such-program"], {}, "auto");
  await allow(project);
  await reachVerification(project, "other\n", { waitsForBaseline: true });
  const reply = await project.submit({ ...REPORT, passed: true });
  equal(reply.verified, false);
  match(reply.reason, /could not be started: "no-such-program" was not found/);
  match(reply.commands[0].failure, /could not be started/);
});
