/**
 * Any lock of git, at any step, then a commit by the person: nothing of either side is lost. Another git that holds the
 * index wrote back the state before the merge, and the person's next commit took the merged lines out of HEAD.
 */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import type { Answer, Project } from "../project_fixture.ts";
import { COMMON, createProject, expectOk, started, toLines } from "../project_fixture.ts";

const EDITED = toLines(10).replace("line 5\n", "five\n");

const PLAN = {
  ...COMMON,
  tasks: [{
    id: "task_1",
    description: "Change a",
    status: "pending",
    checklist: [{ item: "Change a", status: "pending" }],
  }],
};

/** The way to the merge; each step can be sent again. */
const STEPS: Readonly<Record<string, (project: Project) => Promise<Answer>>> = {
  plan: (project) => project.submit(PLAN),
  implement: (project) => project.work({ "src/a.ts": EDITED }, ["src/a.ts:5"]),
  complete: (project) => project.submit({ summary: "complete" }),
  commit: (project) =>
    project.submit({
      ...COMMON,
      reviewed_files: ["src/a.ts"],
      rest: "keep",
      commit_message: "Change a",
    }),
  merge: (project) => project.submit(COMMON),
};

const LOCKS = [
  "index.lock",
  "HEAD.lock",
  "refs/heads/main.lock",
  "refs/heads/TASK.lock",
  "packed-refs.lock",
  "config.lock",
  "refs/notes/code-intel.lock",
  "shallow.lock",
];

/** The locks that stop a step; every other step passes beside the lock. */
const STOPPED: Readonly<Record<string, readonly string[]>> = {
  plan: ["index.lock", "HEAD.lock", "refs/heads/main.lock", "refs/heads/TASK.lock"],
  commit: ["index.lock", "HEAD.lock", "refs/heads/TASK.lock"],
  merge: [
    "index.lock",
    "HEAD.lock",
    "refs/heads/main.lock",
    "refs/heads/TASK.lock",
    "packed-refs.lock",
  ],
};

async function lock(project: Project, name: string): Promise<string> {
  const { sessionId } = await project.state();
  const path = join(
    project.repo.dir,
    ".git",
    name.replace("TASK", `llm_task_${sessionId}_from_main`),
  );
  await project.repo.write({ [path.slice(project.repo.dir.length + 1)]: "" });
  // A young lock is waited for.
  await Deno.utime(path, new Date(0), new Date(0));
  return path;
}

/** The person commits a note; git takes nothing else along. */
async function commitNote(project: Project): Promise<void> {
  await project.repo.write({ "README.md": "# Test\nnote\n" });
  await project.repo.git("add", "README.md");
  await project.repo.git("commit", "-q", "-m", "note");
  equal(await project.repo.git("show", "--format=", "--name-only", "HEAD"), "README.md");
}

/** Sends a step; what stands against it after the person's commit is settled as its hints say. */
async function pass(project: Project, step: string): Promise<Answer> {
  const reply = await STEPS[step]?.(project);
  if (reply.ok === true) return reply;
  const rows = reply.problems.map(({ hint }: Answer) => {
    const [, path, actions = ""] = /"path": "([^"]+)", "action": "([^"]+)"/.exec(hint) ?? [];
    const action = actions.includes("person") ? "person" : "undo";
    return { path, action, reason: "The note is mine" };
  });
  const settled = await project.submit({ change_resolution: rows });
  if (settled.ok !== true) throw new Error(JSON.stringify([reply, settled], null, 1));
  return expectOk(await STEPS[step]?.(project));
}

/** What the reply of a step says of its effect. */
const TOLD: Readonly<Record<string, (reply: Answer) => unknown>> = {
  plan: (reply) => reply.substep,
  commit: (reply) => reply.step,
  merge: (reply) => [reply.merged, reply.end],
};

for (const [step, tell] of Object.entries(TOLD)) {
  Deno.test(`the payload of ${step} that is sent again once index.lock is gone gets its own reply`, async () => {
    const walk = async (isLocked: boolean) => {
      await using project = await createProject({ after: started });
      await project.must({ ...COMMON, slots: {} });
      const all = Object.keys(STEPS);
      for (const before of all.slice(0, all.indexOf(step))) await pass(project, before);
      if (isLocked) {
        const path = await lock(project, "index.lock");
        equal((await STEPS[step]?.(project)).error, "git_locked");
        await Deno.remove(path);
      }
      return tell(expectOk(await STEPS[step]?.(project)));
    };
    deepEqual(await walk(true), await walk(false));
  });
}

for (const step of Object.keys(STEPS)) {
  for (const name of LOCKS) {
    Deno.test(`${name} at ${step}, then a commit by the person: nothing is lost`, async () => {
      await using project = await createProject({ after: started });
      await project.must({ ...COMMON, slots: {} });
      const all = Object.keys(STEPS);
      const at = all.indexOf(step);
      for (const before of all.slice(0, at)) await pass(project, before);
      const refs = await project.repo.git("for-each-ref", "refs/heads");
      const path = await lock(project, name);
      const reply = await STEPS[step]?.(project);
      const isStopped = STOPPED[step]?.includes(name) === true;
      deepEqual([reply.ok, isStopped ? reply.error : null], [
        !isStopped,
        isStopped ? "git_locked" : null,
      ]);
      if (isStopped) {
        match(reply.problems[0].message, /^Not done yet: [\s\S]*\.lock"/);
        equal(await project.repo.git("for-each-ref", "refs/heads"), refs);
      }
      await Deno.remove(path);
      await commitNote(project);
      for (const next of all.slice(isStopped ? at : at + 1)) await pass(project, next);
      equal(await project.repo.git("branch", "--show-current"), "main");
      // A commit on the reviewed branch may have been undone: then its content is in the file.
      match(await project.repo.git("status", "--porcelain"), /^(?:|M {2}README\.md)$/);
      equal(await project.repo.read("README.md"), "# Test\nnote\n");
      equal(await project.repo.git("show", "HEAD:src/a.ts"), EDITED.trimEnd());
    });
  }
}
