/** Each way out of a finding, over real files: put back, the person's, authorised. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { planRestore } from "../../../src/project/restore.ts";
import type { Answer, Project } from "../project_fixture.ts";
import {
  COMMON,
  createProject,
  expectOk,
  expectRefused,
  FRAME,
  planned,
  started,
  toLines,
} from "../project_fixture.ts";

type Action = "restore" | "person" | "authorize" | "undo";

function settle(
  project: Project,
  action: Action,
  ...paths: readonly string[]
): Promise<Answer> {
  const rows = paths.map((path) => ({ path, action, reason: "so" }));
  return project.submit({ change_resolution: rows });
}

const REPORT = {
  ...COMMON,
  task_id: "task_1",
  checklist: [{ item: "Change a", status: "done", evidence: "src/a.ts:5" }],
};

Deno.test("restore puts back content, mode, link and name, and removes what is new", async () => {
  await using project = await createProject();
  await Deno.symlink("a.ts", join(project.root, "src/link"));
  expectOk(await project.start());
  const before = await project.repo.state();
  await project.repo.git("mv", "src/a.ts", "src/c.ts");
  await project.repo.git("reset", "-q");
  await Deno.chmod(join(project.root, "src/b.ts"), 0o755);
  await Deno.remove(join(project.root, "src/link"));
  await project.repo.write({ "src/link": "a file\n", "new/deep.ts": "new\n" });
  const found = await project.submit(FRAME);
  equal(found.unsettled_total, 5);
  const reply = expectOk(await settle(project, "restore", "**"));
  deepEqual(reply.resolved, ["restore: **"]);
  equal(await project.repo.state(), before);
  equal(await Deno.readLink(join(project.root, "src/link")), "a.ts");
  equal(await project.repo.exists("new/deep.ts"), false);
  expectOk(await project.submit(FRAME));
});

Deno.test("restore keeps the person's dirty version of the start, not the committed one", async () => {
  await using project = await createProject();
  await project.repo.write({ "src/b.ts": "dirty\n" });
  expectOk(await project.start());
  await project.repo.write({ "src/b.ts": "overwritten\n" });
  await project.submit(FRAME);
  expectOk(await settle(project, "restore", "src/b.ts"));
  equal(await project.repo.read("src/b.ts"), "dirty\n");
});

Deno.test("restore keeps the session's own booked work", async () => {
  await using project = await createProject({ after: planned("Change a") });
  const edited = toLines(10).replace("line 5", "five");
  expectOk(await project.work({ "src/a.ts": edited }, ["src/a.ts:5"]));
  await project.must({ summary: "complete" });
  await project.repo.write({ "src/a.ts": "by a script\n" });
  await project.submit({ ...COMMON });
  expectOk(await settle(project, "restore", "src/a.ts"));
  equal(await project.repo.read("src/a.ts"), edited);
});

Deno.test("restore names the line that brings back what it took, and the line works", async () => {
  await using project = await createProject({ after: started });
  await project.repo.write({ "src/a.ts": "theirs\n", "src/it's new.ts": "new\n" });
  await project.submit(FRAME);
  const { bring_back: lines, bring_back_note: note } = expectOk(
    await settle(project, "restore", "src"),
  );
  match(note, /person/);
  const { sessionId } = await project.state();
  const [, id = "", to = "", ...paths] =
    /^code-intel restore (\S+) --to (\d+) (src\/a\.ts) ('src\/it'\\''s new\.ts')$/.exec(lines[0]) ??
      [];
  deepEqual([lines.length, id, paths.length], [1, sessionId, 2]);
  equal(await project.repo.exists("src/it's new.ts"), false);
  const { createServices } = await import("../../../src/services/services.ts");
  const { SILENT_LOGGER } = await import("../../../src/base/logger.ts");
  const options = { projectDir: project.root, logger: SILENT_LOGGER, offered: [] };
  const { restoreDeps } = await (await createServices(options)).openMaintenance();
  const planned = await planRestore(restoreDeps, {
    sessionId: id,
    paths: ["src/a.ts", "src/it's new.ts"],
    from: project.root,
    to: Number(to),
    exact: false,
  });
  if (planned.kind === "refused") throw new Error(String(planned.problem.message));
  deepEqual([...planned.plan.writes].sort(), ["src/a.ts", "src/it's new.ts"]);
});

Deno.test("person leaves the file alone, and keeps it out of the session's changes and its commit", async () => {
  await using project = await createProject({ after: planned("Change a") });
  const edited = toLines(10).replace("line 5", "five");
  expectOk(await project.work({ "src/a.ts": edited }, ["src/a.ts:5"]));
  await project.repo.write({ "src/b.ts": "theirs\n", "src/new.ts": "theirs\n" });
  await Deno.remove(join(project.root, "README.md"));
  const found = await project.submit({ summary: "complete" });
  equal(found.unsettled_total, 3);
  expectOk(await settle(project, "person", "src", "README.md"));
  await project.must({ summary: "complete" });
  const input = { maxBytes: 50_000 };
  const review = await project.workflow.reviewChanges(input) as Answer;
  deepEqual(review.changes.map(({ path }: Answer) => path), ["src/a.ts"]);
  await project.must({ ...COMMON, reviewed_files: ["src/a.ts"], commit_message: "Five" });
  equal(await project.repo.git("show", "--format=", "--name-only"), "src/a.ts");
  equal(await project.repo.git("status", "-s"), " D README.md\n M src/b.ts\n?? src/new.ts");
  equal(await project.repo.read("src/b.ts"), "theirs\n");
  const { decisions } = await project.state();
  deepEqual(decisions.map(({ decision, source }) => [decision, source]), [
    ["person: src", "relayed"],
    ["person: README.md", "relayed"],
  ]);
});

Deno.test("person with until_end on a folder is said once, before or after the change", async () => {
  await using project = await createProject({ after: started });
  const row = { path: "src", action: "person", reason: "I edit there", until_end: true };
  await project.must({ change_resolution: [row] });
  await project.repo.write({ "src/b.ts": "one\n" });
  await project.must(FRAME);
  await project.repo.write({ "src/b.ts": "two\n", "src/deep/new.ts": "new\n" });
  await project.plan("Change a");
  const review = await project.workflow.reviewChanges({ maxBytes: 50_000 }) as Answer;
  deepEqual([review.total_changes, review.person_changes], [0, ["src/b.ts", "src/deep/new.ts"]]);
  await project.repo.write({ "README.md": "not in the folder\n" });
  expectRefused(await project.submit(REPORT), "unauthorized_change");
});

Deno.test("authorize books a change of READY to the task, by the rules of the write guard", async () => {
  await using project = await createProject({ after: planned("Change a") });
  await project.repo.write({ "src/a.ts": toLines(10).replace("line 5", "five") });
  expectRefused(await project.submit(REPORT), "unauthorized_change");
  expectRefused(await settle(project, "authorize", "src/a.ts"), "not_explored");
  expectOk(await project.workflow.addExploredFiles(["src/a.ts"]));
  expectOk(await settle(project, "authorize", "src/a.ts"));
  equal((await project.must(REPORT)).substep, "complete");
});

Deno.test("authorize judges a deleted file as a file and a new one by its folder", async () => {
  await using project = await createProject({ after: planned("Change a") });
  expectOk(await project.workflow.addExploredFiles(["src/a.ts"]));
  await Deno.remove(join(project.root, "src/b.ts"));
  await project.repo.write({ "src/new.ts": "new\n", "lib/new.ts": "new\n" });
  expectRefused(await project.submit(REPORT), ...Array(3).fill("unauthorized_change"));
  const gone = expectRefused(await settle(project, "authorize", "src/b.ts"), "not_explored");
  match(gone.problems[0].hint, /restore/);
  expectRefused(await settle(project, "authorize", "lib/new.ts"), "folder_not_explored");
  const rows = [
    { path: "src/b.ts", action: "restore", reason: "so" },
    { path: "src/new.ts", action: "authorize", reason: "so" },
  ];
  const reply = await project.submit({ change_resolution: rows });
  deepEqual([reply.unsettled_total, reply.problems[0].path], [1, "lib/new.ts"]);
  expectOk(await project.workflow.addExploredFiles(["src/b.ts"]));
  await Deno.remove(join(project.root, "src/b.ts"));
  expectRefused(await project.submit(REPORT), ...Array(2).fill("unauthorized_change"));
  equal((await settle(project, "authorize", "src/b.ts")).unsettled_total, 1);
});

Deno.test("authorize is for READY alone, and never for what is protected", async () => {
  await using project = await createProject({ after: started });
  await project.must(FRAME);
  await project.repo.write({ "src/a.ts": "x\n" });
  expectRefused(await settle(project, "authorize", "src/a.ts"), "write_not_allowed");
  expectOk(await settle(project, "restore", "src/a.ts"));
  await project.plan("Change a");
  await project.repo.write({ ".mcp.json": "{}" });
  expectRefused(await project.submit(REPORT), "protected_change");
  expectRefused(await settle(project, "authorize", ".mcp.json"), "path_protected");
  equal(await project.repo.exists(".mcp.json"), true);
});

Deno.test("resolutions are carried out all or none", async () => {
  await using project = await createProject({ after: started });
  await project.repo.write({ "src/a.ts": "x\n" });
  await project.submit(FRAME);
  expectRefused(await settle(project, "restore", "src/a.ts", "src/b.ts"), "no_finding");
  equal(await project.repo.read("src/a.ts"), "x\n");
});

Deno.test("person for a file of git's folder takes that file, and no other one", async () => {
  await using project = await createProject({ after: started });
  await project.repo.write({
    ".git/hooks/pre-commit": "#!/bin/sh\n",
    ".git/info/exclude": "src\n",
  });
  await project.repo.git("config", "alias.x", "log");
  const found = await project.submit(FRAME);
  deepEqual(found.problems.map(({ path }: Answer) => path), [
    ".git/config",
    ".git/hooks/pre-commit",
    ".git/info/exclude",
  ]);
  const left = await settle(project, "person", ".git/config");
  equal(left.unsettled_total, 2);
  expectRefused(await settle(project, "restore", ".git/hooks/pre-commit"), "action_not_offered");
  expectOk(await settle(project, "person", ".git/hooks", ".git/info/exclude"));
});

Deno.test("abandon with restore keeps the person's lines of a file that the session changed too", async () => {
  await using project = await createProject({ after: planned("Change a") });
  const ours = toLines(10).replace("line 2\n", "session\n");
  expectOk(await project.work({ "src/a.ts": ours }, ["src/a.ts:2"]));
  await project.must({ summary: "complete" });
  // The person rewrites a line of the session's, and two of their own.
  const both = ours.replace("session\n", "person over session\n").replace("line 8\n", "person\n");
  await project.repo.write({ "src/a.ts": `${both}mine\n` });
  await project.must({
    change_resolution: [{ path: "src/a.ts", action: "person", reason: "mine" }],
  });
  expectOk(await project.submit({ abandon: true, reason: "no", restore: true }));
  const left = `${toLines(10).replace("line 8\n", "person\n")}mine\n`;
  equal(await project.repo.read("src/a.ts"), left);
});

/** A project with a filter that fails for the first content of `src/b.ts` while a file says so. */
async function withFilter(project: Project): Promise<void> {
  const smudge = 'c=$(cat); case "$c" in "line 1"*) [ ! -e .git/fail ] || exit 1;; esac; echo "$c"';
  await project.repo.git("config", "filter.x.smudge", smudge);
  await project.repo.git("config", "filter.x.clean", "cat");
  await project.repo.git("config", "filter.x.required", "true");
  await project.repo.write({ ".git/info/attributes": "src/b.ts filter=x\n" });
  await started(project);
}

const HEAD_UNDO = { path: "HEAD", action: "undo", reason: "so" };

Deno.test("all resolutions or none: files that were put back change again when a later file fails", async () => {
  await using project = await createProject({ after: withFilter });
  await project.repo.git("commit", "-q", "--allow-empty", "-m", "Somebody");
  await project.repo.write({ "src/a.ts": "theirs\n", "src/b.ts": "theirs\n", "src/n.ts": "new\n" });
  await project.submit(FRAME);
  const before = await project.repo.state();
  await project.repo.write({ ".git/fail": "" });
  const files = ["src/n.ts", "src/a.ts", "src/b.ts"];
  const rows = files.map((path) => ({ path, action: "restore", reason: "so" }));
  const failed = project.submit({ change_resolution: [HEAD_UNDO, ...rows] });
  const failure: Answer = await failed.then((reply) => reply, (thrown) => thrown);
  match(String(failure.message), /smudge/);
  await project.repo.remove(".git/fail");
  equal(await project.repo.state(), before);
  const reply = expectOk(await project.submit({ change_resolution: [...rows, HEAD_UNDO] }));
  deepEqual(reply.resolved, [...files.map((path) => `restore: ${path}`), "undo: HEAD"]);
  equal(await project.repo.read("src/a.ts"), toLines(10));
});

Deno.test("all resolutions or none: no file is put back where HEAD cannot be", async () => {
  await using project = await createProject({ after: started });
  await project.repo.git("commit", "-q", "--allow-empty", "-m", "Somebody");
  await project.repo.write({ "src/a.ts": "theirs\n", "src/b.ts": "mine\n" });
  await project.submit(FRAME);
  const before = await project.repo.state();
  await project.repo.write({ ".git/HEAD.lock": "" });
  await Deno.utime(join(project.root, ".git/HEAD.lock"), new Date(0), new Date(0));
  const rows = [
    { path: "src/a.ts", action: "restore", reason: "so" },
    { path: "src/b.ts", action: "person", reason: "so" },
    HEAD_UNDO,
  ];
  const failure: Answer = await project.submit({ change_resolution: rows })
    .then((reply) => reply, (thrown) => thrown);
  match(String(failure.message), /HEAD\.lock/);
  await project.repo.remove(".git/HEAD.lock");
  equal(await project.repo.state(), before);
  const again = await project.submit(FRAME);
  equal(again.unsettled_total, 3, JSON.stringify(again.problems));
  expectOk(await project.submit({ change_resolution: rows }));
});
