/**
 * A session of a project that is a folder of its worktree: what the agent is told and what it sends are
 * paths of the project, git and the ledger work with paths of the worktree, and no step mixes them up.
 */
import { join } from "node:path";
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import type { Answer, Project } from "./project_fixture.ts";
import {
  codesOf,
  COMMON,
  createProject,
  expectOk,
  expectRefused,
  toLines,
} from "./project_fixture.ts";

const FILES = {
  "app/src/a.ts": toLines(10),
  "app/src/b.ts": toLines(5),
  "lib/shared.ts": toLines(3),
} as const;

const createApp = (files: Readonly<Record<string, string>> = FILES) =>
  createProject({ files, subfolder: "app" });

const MERGE = { summary: "merge" };
const REVIEW = { ...COMMON, reviewed_files: [], rest: "keep", commit_message: "Change a" };

/** Somebody else commits to the base, without touching the worktree. */
async function moveBase(project: Project, files: Readonly<Record<string, string>>): Promise<void> {
  const side = `${project.repo.dir}-side`;
  await project.repo.git("worktree", "add", "-q", side, "main");
  for (const [path, text] of Object.entries(files)) {
    await Deno.writeTextFile(join(side, path), text);
  }
  await project.repo.git("-C", side, "commit", "-qam", "Base moved");
  await project.repo.git("worktree", "remove", side);
}

const SESSION_TEXT = toLines(10).replace("line 2\n", "two\n");
const BASE_TEXT = toLines(10).replace("line 2\n", "base\n");
const RESOLVED = toLines(10).replace("line 2\n", "both\n");

/** A session at READY, whose merge conflicted in `app/src/a.ts` and `lib/shared.ts`. */
async function toConflict(project: Project): Promise<Answer> {
  expectOk(await project.start());
  await project.plan("Change a", "Change shared");
  expectOk(await project.work({ "src/a.ts": SESSION_TEXT }, ["src/a.ts:2"]));
  expectOk(await project.work({ "../lib/shared.ts": "ours\n" }, ["../lib/shared.ts:1"]));
  await project.must({ summary: "complete" });
  await project.must(REVIEW);
  await moveBase(project, { "app/src/a.ts": BASE_TEXT, "lib/shared.ts": "theirs\n" });
  return await project.must({ ...MERGE, on_conflict: "resolve" });
}

const toMarked = (text: string) => `<<<<<<< ours\n${text}=======\nbase\n>>>>>>> theirs\n`;

Deno.test("a conflict in a subfolder project is refused while its markers are left in, and merges without", async () => {
  await using project = await createApp();
  const conflict = await toConflict(project);
  deepEqual(conflict.conflicts, ["src/a.ts", "../lib/shared.ts"]);
  const items = conflict.next_task.checklist;
  deepEqual(items, [
    "Resolve the conflict in src/a.ts",
    "Resolve the conflict in ../lib/shared.ts",
  ]);
  expectOk(await project.clear("src/a.ts", "../lib/shared.ts"));
  await project.repo.write({
    "app/src/a.ts": toMarked(RESOLVED),
    "lib/shared.ts": toMarked("both\n"),
  });
  const toReport = (...evidence: readonly string[]) => ({
    ...COMMON,
    task_id: "resolve_conflicts_1",
    checklist: items.map((item: string, at: number) => ({
      item,
      status: "done",
      evidence: evidence[at],
    })),
  });
  const refused = await project.submit(toReport("src/a.ts:3", "../lib/shared.ts:2"));
  expectRefused(refused, "conflict_markers", "conflict_markers");
  deepEqual(refused.problems.map(({ path }: Answer) => path), ["src/a.ts", "../lib/shared.ts"]);

  await project.repo.write({ "app/src/a.ts": RESOLVED, "lib/shared.ts": "both\n" });
  await project.must(toReport("src/a.ts:2", "../lib/shared.ts:1"));
  await project.must({ summary: "complete" });
  await project.must({ ...REVIEW, commit_message: "Resolve" });
  equal((await project.must(MERGE)).merged, true);
  equal(await project.repo.git("show", "HEAD:app/src/a.ts"), RESOLVED.trimEnd());
  equal(await project.repo.git("show", "HEAD:lib/shared.ts"), "both");
  equal(await project.repo.git("status", "--porcelain", "--", "app/src", "lib"), "");
});

for (const subfolder of [undefined, "app"]) {
  const where = subfolder === undefined ? "at the root" : "in a subfolder";
  Deno.test(`markers are found ${where} although another plan took the place of the conflict's task`, async () => {
    const prefix = subfolder === undefined ? "" : `${subfolder}/`;
    await using project = await createProject({
      files: { [`${prefix}src/a.ts`]: toLines(10) },
      ...(subfolder === undefined ? {} : { subfolder }),
    });
    expectOk(await project.start());
    await project.plan("Change a");
    expectOk(await project.work({ "src/a.ts": SESSION_TEXT }, ["src/a.ts:2"]));
    await project.must({ summary: "complete" });
    await project.must(REVIEW);
    await moveBase(project, { [`${prefix}src/a.ts`]: BASE_TEXT });
    await project.must({ ...MERGE, on_conflict: "resolve" });
    const { tasks } = await project.state();
    const kept = tasks.filter(({ status }) => status === "completed")
      .map(({ id, description, status, checklist }) => ({ id, description, status, checklist }));
    const other = {
      id: "mend",
      description: "Mend",
      status: "pending",
      checklist: [{ item: "Mend it", status: "pending" }],
    };
    await project.must({ ...COMMON, tasks: [...kept, other] });
    const refused = await project.work({ "src/a.ts": toMarked(RESOLVED) }, ["src/a.ts:3"]);
    expectRefused(refused, "conflict_markers");
    expectOk(await project.work({ "src/a.ts": RESOLVED }, ["src/a.ts:2"]));
    await project.must({ summary: "complete" });
  });
}

Deno.test("the paths of a brief in a subfolder can be sent back as they stand", async () => {
  await using project = await createApp();
  expectOk(await project.start());
  await project.plan("Change a");
  expectOk(await project.workflow.addExploredFiles(["src/a.ts", "../lib/shared.ts", "src"]));
  const { brief } = await project.workflow.getStatus({}) as Answer;
  const paths: readonly string[] = brief.explored_files.items;
  deepEqual([...paths].sort(), ["../lib/shared.ts", "src", "src/a.ts"]);
  expectOk(await project.workflow.addExploredFiles(paths));
  expectOk(await project.clear(...paths.filter((path) => path.endsWith(".ts"))));
  await project.workflow.updateContext({ projectRulesSummary: "Names are English." });
  await project.repo.write({ "app/src/b.ts": "broken\n" });
  const status = await project.workflow.getStatus({}) as Answer;
  const hook = JSON.parse(await project.workflow.hooks.brief(5_000) ?? "{}");
  for (const told of [status.brief, hook]) {
    deepEqual(told.explored_files.items, brief.explored_files.items);
    equal(told.project_rules, "Names are English.");
    equal(told.unsettled.total, 1);
    match(String(told.unsettled.items[0]), /^src\/b\.ts was modified .*"path": "src\/b\.ts"/);
  }
});

Deno.test("review, discard and evidence in a subfolder work on the files that the agent names", async () => {
  await using project = await createApp();
  expectOk(await project.start());
  await project.plan("Change both", "Add one");
  expectOk(await project.work({ "src/a.ts": SESSION_TEXT }, ["src/a.ts:2"]));
  const wrong = await project.work({ "src/c.ts": "export const c = 1;\n" }, ["app/src/c.ts:1"]);
  deepEqual(codesOf(wrong).length, 1, "a path of the worktree is no path of the project");
  expectOk(await project.work({ "src/c.ts": "export const c = 1;\n" }, ["src/c.ts:1"]));
  await project.must({ summary: "complete" });
  const listed = expectOk(await project.workflow.reviewChanges({ maxBytes: 20_000 }) as Answer);
  deepEqual(listed.changes.map(({ path }: Answer) => path), ["src/a.ts", "src/c.ts"]);
  const discarded = await project.must({
    ...REVIEW,
    reviewed_files: ["src/a.ts", { path: "src/c.ts", decision: "discard", reason: "debug" }],
  });
  deepEqual(discarded.discarded_files, ["src/c.ts"]);
  equal(await project.repo.exists("app/src/c.ts"), false);
});

Deno.test("changes in a subfolder are settled by the paths that the refusal names", async () => {
  await using project = await createApp();
  expectOk(await project.start());
  await project.plan("Change a");
  await project.repo.write({ "app/src/b.ts": "by a script\n", "lib/shared.ts": "by a script\n" });
  expectOk(await project.clear());
  const refused = await project.submit({ park: false, ...COMMON });
  const paths = refused.problems.map(({ path }: Answer) => path);
  deepEqual(paths, ["src/b.ts", "../lib/shared.ts"]);
  const restored = expectOk(
    await project.submit({
      change_resolution: paths.map((path: string) => ({ path, action: "restore", reason: "mine" })),
    }),
  );
  equal(await project.repo.read("app/src/b.ts"), toLines(5));
  equal(await project.repo.read("lib/shared.ts"), toLines(3));
  match(restored.bring_back[0], / src\/b\.ts \.\.\/lib\/shared\.ts$/);
});

Deno.test("what the person had begun is named by paths of the project where it stands in the way", async () => {
  await using project = await createApp();
  await project.repo.write({ "app/src/a.ts": toLines(10).replace("line 2\n", "mine\n") });
  expectOk(await project.start());
  await project.plan("Change a");
  expectOk(await project.work({ "src/a.ts": SESSION_TEXT }, ["src/a.ts:2"]));
  await project.must({ summary: "complete" });
  const mixed = expectRefused(await project.submit(REVIEW), "person_changes_mixed");
  equal(mixed.problems[0].path, "src/a.ts");
  await project.must({ ...REVIEW, include_person_changes: ["src/a.ts"] });
  await moveBase(project, { "app/src/b.ts": "base\n" });
  await project.repo.write({ "app/src/b.ts": "mine\n" });
  const theirs = { path: "src/b.ts", action: "person", reason: "I work on it", until_end: true };
  const inTheWay = expectRefused(
    await project.submit({ ...MERGE, change_resolution: [theirs] }),
    "person_changes_in_the_way",
  );
  equal(inTheWay.problems[0].path, "src/b.ts");
  match(inTheWay.problems[0].message, /written: src\/b\.ts$/);
});

Deno.test("a new project in a subfolder has its own folder explored from the start", async () => {
  await using project = await createApp({ "app/README.md": "# App\n" });
  expectOk(await project.start());
  await project.plan("Begin");
  expectOk(await project.clear("main.ts"));
  const elsewhere = await project.clear("../main.ts");
  deepEqual(codesOf(elsewhere), ["folder_not_explored"]);
  match(elsewhere.problems[0].hint, /\["\.\."\]/);
  const far = await project.workflow.addExploredFiles(["new/deeper/x.ts"]) as Answer;
  match(far.problems[0].hint, /folder: "\."/);
});

Deno.test("an ignored file of a subfolder project is copied to where its path in the project says", async () => {
  await using project = await createApp({ ...FILES, ".gitignore": ".env\n" });
  await project.repo.write({ "app/.env": "KEY=1\n" });
  const { session_id: id } = expectOk(await project.start());
  await project.plan("Change the key");
  expectOk(await project.workflow.addExploredFiles([".env"]));
  expectOk(await project.clear(".env"));
  equal(await project.repo.read(`app/.code-intel/backup/${id}/.env`), "KEY=1\n");
});

Deno.test("a parked session in a subfolder names what changed meanwhile as the agent knows it", async () => {
  await using project = await createApp();
  const { session_id: sessionId } = expectOk(await project.start());
  await project.plan("Change a");
  await project.must({ park: true, reason: "later" });
  await project.repo.write({ "app/src/b.ts": "mine\n" });
  await project.repo.git("config", "core.hooksPath", "nowhere");
  const back = expectOk(await project.workflow.getStatus({ sessionId }) as Answer);
  deepEqual(back.booked_as_person, ["src/b.ts", ".git/config"]);
});
