/** Requirements of `docs/requirements.md` that need whole sessions; the others are in `requirements_test.ts`. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import {
  createProject,
  installHook,
  SAMPLE_EDITS,
  startSession,
} from "../support/session_driver.ts";

Deno.test("R6: checklists, evidence and explored files survive a restart", async () => {
  await using project = await createProject();
  await using session = await startSession(project, {
    edits: { ...SAMPLE_EDITS, "src/hash.ts": "export const hash = (t: string) => `${t}!`;\n" },
  });
  await session.until(13);
  await session.next();
  const status = await session.restart();
  equal(status.next_task.id, "task_2");
  const [first] = (await session.checkpoint()).state.tasks;
  equal(first.checklist[0].evidence, "src/auth.ts:4");
  equal((await session.call("check_write_target", { file_path: "README.md" })).ok, false);
  const bare = await session.submit({ task_id: "task_2", checklist: [] });
  equal(bare.ok, false);
  equal((await session.until("end")).merged, true);
});

Deno.test("R31: a discarded new file is neither committed nor merged", async () => {
  await using project = await createProject();
  await using session = await startSession(project, { discard: ["debug.txt"] });
  await session.until(13);
  await session.leave("debug.txt", "x\n");
  equal((await session.until("end")).merged, true);
  equal((await project.repo.git("ls-tree", "-r", "--name-only", "main")).includes("debug"), false);
  equal(await project.repo.exists("debug.txt"), false);
});

Deno.test("R32: the person's edits made before the session stay, and cannot be reverted by the review", async () => {
  await using project = await createProject();
  await project.repo.write({ "src/view.ts": "export const shown = 'mine';\n" });
  await using session = await startSession(project);
  await session.until(17);
  const refused = await session.submit({
    ...await session.prepare(),
    reviewed_files: ["src/auth.ts", { path: "src/view.ts", decision: "discard", reason: "odd" }],
  });
  equal(refused.problems[0].code, "not_changed");
  equal((await session.until("end")).merged, true);
  equal(await project.repo.read("src/view.ts"), "export const shown = 'mine';\n");
  equal(await project.repo.git("status", "-s"), " M src/view.ts");
});

Deno.test("R34: no merge without review and commit", async () => {
  await using project = await createProject();
  await installHook(project, "pre-commit", "exit 1");
  const before = await project.repo.git("rev-parse", "main");
  await using session = await startSession(project);
  await session.until(15);
  equal((await session.submit({ on_conflict: "resolve" })).step, 15);
  await session.until(18);
  const refused = await session.next();
  deepEqual([refused.step, refused.git_hook_failed], [12, true]);
  equal(await project.repo.git("rev-parse", "main"), before);
});
