/** What the review shows: every kind of change, whose it is, within the budget, complete page by page. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { diffText } from "../../../src/git/trees/changes.ts";
import type { Answer, Project } from "../project_fixture.ts";
import {
  createPlainProject,
  createProject,
  expectOk,
  expectRefused,
  planned,
  toLines,
} from "../project_fixture.ts";

const MAX = 64_000;

async function review(project: Project, input: Readonly<Record<string, unknown>> = {}) {
  return await project.workflow.reviewChanges({ maxBytes: MAX, ...input }) as Answer;
}

async function toReady(files: Readonly<Record<string, string>>): Promise<Project> {
  const project = await createProject({ files, after: planned("Change all") });
  return project;
}

Deno.test("reviewChanges() names every kind of change, with the diff where there is one", async () => {
  await using project = await toReady({
    "edit.ts": toLines(10),
    "old.ts": toLines(30),
    "gone.ts": "gone\n",
    "run.sh": "#!/bin/sh\n",
    "pixel.bin": "\u0000\u0001",
    "日本 語.ts": "a\n",
  });
  await project.repo.write({
    "edit.ts": toLines(10).replace("line 5", "five"),
    "new.ts": "new\n",
    "pixel.bin": "\u0000\u0002",
    "日本 語.ts": "b\n",
  });
  await project.repo.git("mv", "old.ts", "moved.ts");
  await project.repo.write({ "moved.ts": toLines(30).replace("line 3\n", "three\n") });
  await project.repo.remove("gone.ts");
  await Deno.chmod(join(project.root, "run.sh"), 0o755);
  const reply = expectOk(await review(project));
  const rows = new Map<string, Answer>(reply.changes.map((row: Answer) => [row.path, row]));
  deepEqual([...rows.keys()].toSorted(), [
    "edit.ts",
    "gone.ts",
    "moved.ts",
    "new.ts",
    "pixel.bin",
    "run.sh",
    "日本 語.ts",
  ]);
  equal(reply.total_changes, 7);
  equal(reply.truncated, undefined);
  const moved = rows.get("moved.ts");
  deepEqual([moved.change_type, moved.from], ["renamed", "old.ts"]);
  match(moved.diff, /rename from old\.ts/);
  match(moved.diff, /^\+three$/m);
  deepEqual([rows.get("pixel.bin").is_binary, rows.get("pixel.bin").diff], [true, ""]);
  equal(rows.get("run.sh").mode, "100644 → 100755");
  equal(rows.get("gone.ts").change_type, "deleted");
  equal(rows.get("new.ts").change_type, "added");
  match(rows.get("日本 語.ts").diff, /^\+b$/m);
});

Deno.test("reviewChanges() keeps the person's files apart and marks those that both changed", async () => {
  await using project = await createProject();
  await project.repo.write({
    "mine.ts": "mine\n",
    "src/a.ts": `${toLines(10)}mine\n`,
    ".code-intel/context.yml": "# the program's\n",
  });
  expectOk(await project.start());
  await project.plan("Change a");
  await project.repo.write({
    "src/a.ts": `${toLines(10).replace("line 2\n", "two\n")}mine\n`,
    "src/b.ts": "session\n",
  });
  const reply = expectOk(await review(project));
  deepEqual(reply.changes.map(({ path, shared }: Answer) => [path, shared]), [
    ["src/a.ts", true],
    ["src/b.ts", undefined],
  ]);
  deepEqual([reply.person_changes.toSorted(), reply.person_total], [["mine.ts", "src/a.ts"], 2]);
  deepEqual(reply.code_intel_files, [".code-intel/context.yml"]);
  equal(/^\+mine$/m.test(reply.changes[0].diff), false);
  const one = expectOk(await review(project, { path: "src/a.ts" }));
  equal(one.changes[0].shared, true, "the view of one file says it too");
});

Deno.test("reviewChanges() keeps its budget in bytes and names the call that goes on", async () => {
  const names = ["a", "b", "c", "d"];
  for (const line of ["line of text\n", "日本語の行\n"]) {
    await using project = await toReady({ "README.md": "x\n" });
    for (const name of names) await project.repo.write({ [`${name}.ts`]: line.repeat(300) });
    for (const maxBytes of [4_000, 8_000, 16_000]) {
      const reply = expectOk(await review(project, { maxBytes }));
      const sizeBytes = new TextEncoder().encode(JSON.stringify(reply)).length;
      equal(sizeBytes <= maxBytes, true, `${sizeBytes} of ${maxBytes}`);
      equal(reply.total_changes, 4);
      const { next } = reply.truncated;
      equal(next.tool, "review_changes");
      const cut = reply.changes.find((row: Answer) => row.diff_cut === true);
      equal(next.arguments.path, cut.path);
      expectOk(await review(project, { ...next.arguments, maxBytes }));
    }
  }
});

Deno.test("reviewChanges() in brief names the places of a change that is too long to be shown", async () => {
  await using project = await toReady({ "README.md": "x\n" });
  await project.repo.write({ "a.ts": "a line of text\n".repeat(300) });
  const reply = expectOk(await review(project, { maxBytes: 4_000, isBrief: true }));
  deepEqual(
    reply.changes.map(({ path, added, not_in_evidence, diff }: Answer) => [
      path,
      added,
      not_in_evidence,
      diff,
    ]),
    [["a.ts", 300, ["1-300"], undefined]],
  );
  equal(reply.truncated, undefined);
});

Deno.test("reviewChanges() shows a diff by pages that put together are the whole of it", async () => {
  await using project = await toReady({ "a.ts": "x\n" });
  const text = Array.from({ length: 400 }, (_, at) => `${at} 日本 😀 "quoted" \\ \t end\n`).join(
    "",
  );
  await project.repo.write({ "a.ts": text });
  const { workspace } = await project.state();
  let whole = "";
  let pages = 0;
  let input: Readonly<Record<string, unknown>> = { path: "a.ts" };
  for (; pages < 200; pages++) {
    const reply = expectOk(await review(project, { ...input, maxBytes: 4_000 }));
    equal(new TextEncoder().encode(JSON.stringify(reply)).length <= 4_000, true);
    whole += reply.changes[0].diff;
    if (reply.truncated === undefined) break;
    input = reply.truncated.next.arguments;
  }
  equal(pages > 5, true);
  await project.submit({ park: true, reason: "to have a tree to compare with" });
  const parked = await project.store.loadAll();
  const state = parked[0]?.kind === "loaded" ? parked[0].checkpoint.state : null;
  const [from, to] = [workspace.baselineTree ?? "", state?.workspace.parkTree ?? ""];
  const diff = await diffText(project.repo.repo, from, to, ["a.ts"]);
  equal(
    whole,
    diff.slice(diff.indexOf("@@ ")),
    "the entry names the file, so the head is left out",
  );
});

Deno.test("reviewChanges() takes a folder for the changes below it", async () => {
  await using project = await toReady({
    "src/a.ts": "a\n",
    "src/deep/b.ts": "b\n",
    "srcs.ts": "c\n",
  });
  await project.repo.write({ "src/a.ts": "1\n", "src/deep/b.ts": "2\n", "srcs.ts": "3\n" });
  for (const path of ["src", "src/", "./src"]) {
    const reply = expectOk(await review(project, { path }));
    deepEqual(reply.changes.map((row: Answer) => row.path), ["src/a.ts", "src/deep/b.ts"], path);
  }
});

Deno.test("reviewChanges() cuts the list of thousands of files, its total exact", async () => {
  await using project = await toReady({ "README.md": "x\n" });
  const files = Array.from({ length: 400 }, (_, at) => [`src/file_number_${at}.ts`, `${at}\n`]);
  await project.repo.write(Object.fromEntries(files));
  const reply = expectOk(await review(project, { maxBytes: 8_000 }));
  equal(JSON.stringify(reply).length <= 8_000, true);
  deepEqual([reply.total_changes, reply.truncated.total], [400, 400]);
});

Deno.test("reviewChanges() refuses a file that was not changed, and names the list", async () => {
  await using project = await toReady({ "a.ts": "a\n" });
  const reply = expectRefused(await review(project, { path: "a.ts" }), "not_changed");
  equal(reply.call, "review_changes");
  expectOk(await review(project));
});

Deno.test("reviewChanges() says what is missing without git and without a session", async () => {
  await using project = await createPlainProject({ "a.ts": "a\n" });
  expectRefused(await review(project), "no_active_session");
  expectOk(await project.start({ flags: { quick: true } }));
  expectRefused(await review(project), "git_required");
});

Deno.test("reviewChanges() shows paths of a project below the worktree as the agent knows them", async () => {
  await using project = await createProject({
    files: { "app/src/a.ts": "a\n", "lib/b.ts": "b\n" },
    subfolder: "app",
    after: planned("Change a"),
  });
  await project.repo.write({ "app/src/a.ts": "1\n", "lib/b.ts": "2\n" });
  const reply = expectOk(await review(project));
  deepEqual(reply.changes.map((row: Answer) => row.path), ["src/a.ts", "../lib/b.ts"]);
  expectOk(await review(project, { path: "../lib/b.ts" }));
});

Deno.test("reviewChanges() names what the next submission will be stopped by, and reads on", async () => {
  await using project = await createProject({ after: planned("Change a") });
  await project.repo.write({ "src/b.ts": "by a script\n", ".mcp.json": "{}" });
  const reply = expectOk(await project.workflow.reviewChanges({ maxBytes: 20_000 }) as Answer);
  deepEqual(reply.unsettled, [
    { code: "protected_change", path: ".mcp.json" },
    { code: "unauthorized_change", path: "src/b.ts" },
  ]);
  deepEqual([reply.unsettled_total, reply.total_changes], [2, 2]);
  await project.repo.git("checkout", "-q", "src/b.ts");
  await project.repo.remove(".mcp.json");
  const clean = expectOk(await project.workflow.reviewChanges({ maxBytes: 20_000 }) as Answer);
  equal(clean.unsettled, undefined);
});
