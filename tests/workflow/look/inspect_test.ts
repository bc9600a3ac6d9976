/** What an inspection books, keeps and reports, over a real repository. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import type { Answer, Project } from "../project_fixture.ts";
import {
  codesOf,
  COMMON,
  createProject,
  expectOk,
  expectRefused,
  FRAME,
  planned,
  started,
  toLines,
} from "../project_fixture.ts";

async function snapshots(project: Project): Promise<readonly string[]> {
  const { sessionId } = await project.state();
  const refs = await project.repo.git(
    "for-each-ref",
    "--format=%(refname)",
    `refs/code-intel/${sessionId}`,
  );
  return refs.split("\n").filter((ref) => /\/\d{4}$/.test(ref));
}

Deno.test("inspect() keeps what it found once for each state of the disk", async () => {
  await using project = await createProject({ after: started });
  await project.repo.write({ "src/a.ts": "found\n" });
  const before = (await snapshots(project)).length;
  expectRefused(await project.submit(FRAME), "unauthorized_change");
  expectRefused(await project.submit(FRAME), "unauthorized_change");
  const kept = await snapshots(project);
  equal(kept.length, before + 1);
  equal(await project.repo.git("show", `${kept.at(-1)}:src/a.ts`), "found");
  await project.repo.write({ "src/a.ts": "found again\n" });
  expectRefused(await project.submit(FRAME), "unauthorized_change");
  equal((await snapshots(project)).length, before + 2);
  const { sessionId } = await project.state();
  const notes = (await project.store.readRecords(sessionId)).records
    .filter((record) => record.kind === "note");
  equal(notes.length, 2);
});

Deno.test("inspect() counts every finding, however many are listed", async () => {
  await using project = await createProject({ after: started });
  const files = Array.from({ length: 60 }, (_, at) => [`new/${at}.ts`, "x\n"]);
  await project.repo.write(Object.fromEntries(files));
  const reply = await project.submit(FRAME);
  deepEqual([reply.problems.length, reply.unsettled_total], [50, 60]);
});

Deno.test("inspect() moves the ledger on by cleared edits and leaves the baseline", async () => {
  await using project = await createProject({ after: planned("Change a") });
  const before = await project.state();
  expectOk(await project.work({ "src/a.ts": toLines(3) }, ["src/a.ts:3"]));
  const after = await project.state();
  equal(after.workspace.baselineTree, before.workspace.baselineTree);
  equal(await project.repo.git("show", `${after.ledger?.tree}:src/a.ts`), toLines(3).trim());
});

Deno.test("inspect() brings what a claim of the person takes into the baseline, three-way", async () => {
  await using project = await createProject({ after: planned("Change a") });
  expectOk(
    await project.work({ "src/a.ts": toLines(10).replace("line 5", "five") }, [
      "src/a.ts:5",
    ]),
  );
  // The person edits the same file on another line, in a step without clearances.
  await project.must({ summary: "complete" });
  const both = toLines(10).replace("line 5", "five").replace("line 10", "ten");
  await project.repo.write({ "src/a.ts": both });
  const row = { path: "src/a.ts", action: "person", reason: "I did", until_end: true };
  await project.must({
    ...COMMON,
    reviewed_files: [],
    rest: "keep",
    commit_message: "Five",
    change_resolution: [row],
  });
  const { workspace } = await project.state();
  equal(
    await project.repo.git("show", `${workspace.baselineTree}:src/a.ts`),
    toLines(10).replace("line 10", "ten").trim(),
  );
  equal(
    await project.repo.git("show", "HEAD:src/a.ts"),
    toLines(10).replace("line 5", "five").trim(),
  );
  equal(await project.repo.read("src/a.ts"), both);
});

Deno.test("inspect() looks at nothing where a person switched the ledger off", async () => {
  await using project = await createProject({ enforcement: "off" });
  expectOk(await project.start());
  await project.repo.write({ "src/a.ts": "x\n", ".mcp.json": "{}" });
  const reply = expectOk(await project.submit(FRAME));
  equal(reply.warnings, undefined);
});

Deno.test("inspect() finds what the verification rests on, by the file", async () => {
  const config = JSON.stringify({ verify: [{ name: "test", run: ["npm", "test"] }] });
  const scripts = (test: string, other = "x") => JSON.stringify({ scripts: { test, other } });
  await using project = await createProject({
    files: {
      "a.ts": "a\n",
      ".code-intel/config.json": config,
      "package.json": scripts("deno test"),
      ".gitignore": ".code-intel/\n",
    },
    after: planned("Change the scripts"),
  });
  expectOk(await project.workflow.addExploredFiles(["package.json"]));
  expectOk(await project.clear("package.json"));
  // Another script than the one that is run is an edit like any other.
  await project.repo.write({ "package.json": scripts("deno test", "y") });
  const report = {
    ...COMMON,
    task_id: "task_1",
    checklist: [{ item: "Change the scripts", status: "done", evidence: "package.json:1" }],
  };
  await project.repo.write({ "package.json": scripts("true") });
  const found = expectRefused(await project.submit(report), "protected_change");
  equal(found.problems[0].path, "package.json");
  for (const action of ["restore", "authorize"]) {
    const rows = [{ path: "package.json", action, reason: "so" }];
    const reply = await project.submit({ ...report, change_resolution: rows });
    expectRefused(reply, "action_not_offered");
  }
  await project.repo.write({ "package.json": scripts("deno test", "y") });
  expectOk(await project.submit({ ...report }));
  await project.repo.write({ "package.json": scripts("true") });
  expectRefused(await project.submit({ summary: "complete" }), "unauthorized_change");
  const rows = [{ path: "package.json", action: "person", reason: "They want it" }];
  expectOk(await project.submit({ summary: "complete", change_resolution: rows }));
});

Deno.test("inspect() finds changed rules that git ignores", async () => {
  await using project = await createProject({
    files: { "a.ts": "a\n", ".gitignore": ".code-intel/\n" },
  });
  await project.repo.write({ ".code-intel/config.json": "{}" });
  expectOk(await project.start());
  await project.repo.write({
    ".code-intel/config.json": '{"enforcement":"off"}',
    ".code-intel/phase_contract.yml": "phases: {}\n",
  });
  const reply = await project.submit(FRAME);
  deepEqual(reply.problems.map(({ path }: Answer) => path), [
    ".code-intel/config.json",
    ".code-intel/phase_contract.yml",
  ]);
});

Deno.test("findUnresolved() stops update_context from washing what another hand wrote", async () => {
  await using project = await createProject({ after: started });
  const save = (text: string) =>
    project.workflow.updateContext({ extraNotes: text }) as Promise<Answer>;
  const saved = expectOk(await save("one"));
  deepEqual([saved.call, /no session commits it/.test(saved.uncommitted)], ["submit_phase", true]);
  expectOk(await project.submit(FRAME));
  const path = ".code-intel/context.yml";
  const own = await project.repo.read(path);
  await project.repo.write({ [path]: `${own}interventions:\n  threshold: 99\n` });
  expectRefused(await save("two"), "protected_change");
  await project.repo.write({ [path]: own });
  expectOk(await save("two"));
  deepEqual(codesOf(await project.submit({ ...COMMON, tasks: [] })).includes(path), false);
  equal((await project.repo.read(path)).includes("two"), true);
});

Deno.test("bookServerFile() books its file alone: a finding beside it stays one", async () => {
  await using project = await createProject({ after: started });
  await project.repo.write({ "src/a.ts": "x\n" });
  expectOk(await project.workflow.updateContext({ extraNotes: "one" }) as Answer);
  const reply = expectRefused(await project.submit(FRAME), "unauthorized_change");
  equal(reply.problems[0].path, "src/a.ts");
});
