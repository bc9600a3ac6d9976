/** Sessions of a project without git: the ledger judges by trees of a private git directory. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { applyRestore, planRestore } from "../../src/project/restore.ts";
import type { Project } from "./project_fixture.ts";
import {
  codesOf,
  COMMON,
  createPlainProject,
  createProject,
  expectOk,
  expectRefused,
  FRAME,
  started,
} from "./project_fixture.ts";

const FILES = { "src/a.ts": "a\nb\nc\n", "src/b.ts": "b\n", "README.md": "# Test\n" };
const QUICK = { flags: { quick: true, no_doc: true, no_verify: true } } as const;
const LOOK = { intent: "INVESTIGATE", flags: { no_doc: true } } as const;

const resolve = (path: string, action: string, extra: object = {}) => ({
  change_resolution: [{ path, action, reason: "settled by the test", ...extra }],
});

/** A quick session at READY implement with one task. */
async function createReady(): Promise<Project> {
  const project = await createPlainProject(FILES);
  expectOk(await project.start(QUICK));
  await project.plan("change a");
  return project;
}

Deno.test("a start without git takes the ledger by a tree of a private git directory", async () => {
  await using project = await createPlainProject(FILES);
  expectOk(await project.start(QUICK));
  const { ledger, workspace } = await project.state();
  match(ledger?.tree ?? "", /^[0-9a-f]{40}$/);
  ok(await project.repo.exists(".code-intel/backup/git/HEAD"));
  equal(await project.repo.exists(".git"), false);
  deepEqual([ledger?.head, ledger?.mode, workspace.hasGit], [null, "strict", false]);
  equal(workspace.baselineTree, ledger?.tree);
});

Deno.test("a change by other hands blocks the next step, and restore brings back what was there", async () => {
  await using project = await createPlainProject(FILES);
  expectOk(await project.start(QUICK));
  await project.repo.write({ "src/a.ts": "changed\n", "src/new.ts": "new\n" });
  const refused = await project.submit(FRAME);
  expectRefused(refused, "unauthorized_change", "unauthorized_change");
  deepEqual(refused.problems.map(({ path }: { path: string }) => path), ["src/a.ts", "src/new.ts"]);
  const done = await project.submit(resolve("src/new.ts", "restore"));
  expectRefused(done, "unauthorized_change");
  match(done.bring_back[0], /^code-intel restore session_\w+ --to \d+ src\/new\.ts$/);
  equal(await project.repo.exists("src/new.ts"), false);
  await project.must(resolve("src/a.ts", "restore"));
  equal(await project.repo.read("src/a.ts"), FILES["src/a.ts"]);
  await project.repo.write({ "src/a.ts": "of the person\n" });
  await project.must(resolve("src/a.ts", "person"));
  const { ledger, workspace } = await project.state();
  equal(workspace.baselineTree, ledger?.tree, "the person's change is part of the baseline");
  await project.must(FRAME);
});

Deno.test("putting a change back by hand settles it as well", async () => {
  await using project = await createPlainProject(FILES);
  expectOk(await project.start(QUICK));
  await project.repo.write({ "src/a.ts": "changed\n" });
  expectRefused(await project.submit(FRAME), "unauthorized_change");
  await project.repo.write({ "src/a.ts": FILES["src/a.ts"] });
  await project.must(FRAME);
});

Deno.test("a claim until the end covers a folder, and a rule that begins to ignore hides nothing", async () => {
  await using project = await createPlainProject(FILES);
  expectOk(await project.start(QUICK));
  await project.repo.write({ "src/b.ts": "mine\n" });
  const row = resolve("src", "person", { until_end: true });
  await project.must(row);
  await project.repo.write({ "src/b.ts": "mine again\n", ".gitignore": "README.md\n" });
  await project.repo.write({ "README.md": "hidden\n" });
  const refused = await project.submit(FRAME);
  deepEqual(refused.problems.map(({ path }: { path: string }) => path), [
    ".gitignore",
    "README.md",
  ]);
});

Deno.test("an edit of a cleared file is booked, and a later change is put back to it", async () => {
  await using project = await createReady();
  expectOk(await project.workflow.addExploredFiles(["src/a.ts"]));
  expectOk(await project.clear("src/a.ts"));
  const { visit } = await project.state();
  await project.repo.write({ "src/a.ts": "a\nB\nc\n" });
  await project.must({ back_to: "EXPLORATION", reason: "one more look is needed" });
  equal((await project.state()).visit > visit, true);
  await project.repo.write({ "src/a.ts": "by hand\n" });
  expectRefused(await project.submit(COMMON), "unauthorized_change");
  const done = await project.must(resolve("src/a.ts", "restore"));
  equal(await project.repo.read("src/a.ts"), "a\nB\nc\n", "the booked version, not the first one");
  equal(done.bring_back.length, 1);
});

Deno.test("in READY a change is authorised through the write guard", async () => {
  await using project = await createReady();
  await project.repo.write({ "src/b.ts": "b\nmore\n" });
  const first = await project.submit(resolve("src/b.ts", "authorize"));
  expectRefused(first, "not_explored");
  expectOk(await project.workflow.addExploredFiles(["src/b.ts"]));
  await project.must(resolve("src/b.ts", "authorize"));
  const [task] = (await project.state()).tasks;
  await project.must({
    ...COMMON,
    task_id: task?.id,
    checklist: [{ item: task?.checklist[0]?.item, status: "done", evidence: "src/b.ts:2" }],
  });
});

Deno.test("evidence is compared with the baseline: old lines, untouched files and stubs are refused", async () => {
  await using project = await createReady();
  const wrong = await project.work({ "src/a.ts": "a\nB\nc\n" }, ["src/a.ts:1"]);
  expectRefused(wrong, "checklist_evidence_not_changed");
  const report = (evidence: string) =>
    project.state().then(({ tasks: [task] }) =>
      project.submit({
        ...COMMON,
        task_id: task?.id,
        checklist: [{ item: task?.checklist[0]?.item, status: "done", evidence }],
      })
    );
  expectRefused(await report("src/b.ts:1"), "checklist_evidence_not_changed");
  await project.repo.write({ "src/a.ts": "a\nfunction f() { throw new Error('todo'); }\nc\n" });
  expectRefused(await report("src/a.ts:2"), "checklist_evidence_empty_impl");
  await project.repo.write({ "src/a.ts": "a\nB\nc\n" });
  expectOk(await report("src/a.ts:2"));
  // The work is taken back after its report: the evidence is gone with it.
  await project.repo.write({ "src/a.ts": FILES["src/a.ts"] });
  expectRefused(await project.submit(COMMON), "unauthorized_change");
  const rows = [{ path: "src/a.ts", action: "person", reason: "They took it back" }];
  const reopened = await project.submit({ ...COMMON, change_resolution: rows });
  deepEqual(reopened.evidence_stale, ["task_1"]);
  await project.repo.write({ "src/a.ts": "a\nb\nc\nd\n" });
  expectOk(await report("src/a.ts:4"));
  const done = expectOk(await project.submit(COMMON));
  deepEqual([done.session_complete, done.end], [true, "completed"]);
});

Deno.test("a new file counts as changed wholly", async () => {
  await using project = await createReady();
  expectOk(await project.workflow.addExploredFiles(["src"]));
  expectOk(await project.work({ "src/new.ts": "one\ntwo\n" }, ["src/new.ts:1-2"]));
});

Deno.test("files that steer the program are judged, and only the person's word settles them", async () => {
  await using project = await createPlainProject(FILES);
  expectOk(await project.start(QUICK));
  await project.repo.write({ ".mcp.json": "{}", ".code-intel/config.json": "{}" });
  const refused = await project.submit(FRAME);
  expectRefused(refused, "protected_change", "protected_change");
  await project.must({
    change_resolution: [".mcp.json", ".code-intel/config.json"].map((path) => ({
      path,
      action: "person",
      reason: "the person wrote it",
    })),
  });
  await project.must(FRAME);
});

Deno.test("an investigation is judged the same way, and leaving passes in spite of findings", async () => {
  await using project = await createPlainProject(FILES);
  expectOk(await project.start(LOOK));
  await project.repo.write({ "src/a.ts": "changed\n" });
  expectRefused(await project.submit(FRAME), "unauthorized_change");
  expectOk(await project.submit({ abandon: true, reason: "enough of the test" }));
  equal(await project.repo.read("src/a.ts"), "changed\n");
});

Deno.test("what changed while a session was parked is the person's, what was found before still stands", async () => {
  await using project = await createPlainProject(FILES);
  expectOk(await project.start(QUICK));
  await project.repo.write({ "src/a.ts": "before\n" });
  expectOk(await project.submit({ park: true, reason: "for the test only" }));
  const { sessionId, workspace } = await project.state();
  match(workspace.parkTree ?? "", /^[0-9a-f]{40}$/);
  await project.repo.write({ "src/b.ts": "meanwhile\n" });
  const resumed = expectOk(await project.workflow.getStatus({ sessionId }));
  deepEqual(resumed.booked_as_person, ["src/b.ts"]);
  const refused = await project.submit(FRAME);
  deepEqual(refused.problems.map(({ path }: { path: string }) => path), ["src/a.ts"]);
});

Deno.test("a session goes on without git when a repository is made beside it", async () => {
  await using project = await createPlainProject(FILES);
  expectOk(await project.start(QUICK));
  await project.repo.git("init", "-q");
  await project.repo.write({ "src/a.ts": "changed\n" });
  expectRefused(await project.submit(FRAME), "unauthorized_change");
  equal((await project.state()).workspace.hasGit, false);
});

Deno.test("a session with git stops when the repository is gone, instead of passing unseen", async () => {
  await using project = await createProject({ after: started });
  await Deno.remove(join(project.root, ".git"), { recursive: true });
  const other = await project.reopen();
  const refused = await other.submitPhase(FRAME, new AbortController().signal);
  expectRefused(refused, "git_required");
});

Deno.test("lost states stop every step but leaving", async () => {
  await using project = await createPlainProject(FILES);
  expectOk(await project.start(QUICK));
  await Deno.remove(join(project.root, ".code-intel/backup/git"), { recursive: true });
  const other = await project.reopen();
  const { signal } = new AbortController();
  const refused = await other.submitPhase(FRAME, signal);
  deepEqual(codesOf(refused), ["manifest_failed"]);
  expectOk(await other.submitPhase({ park: true, reason: "the state is lost" }, signal));
  const { sessionId } = await project.state();
  expectOk(await other.getStatus({ sessionId }));
  ok((await other.submitPhase({ abandon: true, reason: "nothing to save" }, signal)).ok);
});

Deno.test("a session of an earlier version, whose states were manifests, can only be left", async () => {
  await using project = await createPlainProject(FILES);
  expectOk(await project.start(QUICK));
  const { store } = project;
  await store.withOperation(async () => {
    const found = await store.findActive();
    if (found?.kind !== "loaded") throw new Error("no session");
    const { state, revision } = found.checkpoint;
    const tree = `manifest:${"0".repeat(64)}`;
    const ledger = state.ledger && { ...state.ledger, tree };
    const workspace = { ...state.workspace, baselineTree: tree };
    const old = { ...state, workspace, ...(ledger && { ledger }) };
    await store.save({ state: old }, { expectedRevision: revision });
  });
  const refused = await project.submit(FRAME);
  expectRefused(refused, "manifest_failed");
  match(refused.problems[0].message, /an earlier version/);
  match(refused.problems[0].hint, /^Abandon the session/);
  expectOk(await project.submit({ abandon: true, reason: "it is of an earlier version" }));
  expectOk(await project.start(QUICK));
});

Deno.test("what a private git directory holds is listed and brought back, and goes with its sessions", async () => {
  await using project = await createPlainProject(FILES);
  expectOk(await project.start(QUICK));
  const { sessionId } = await project.state();
  const { restoreDeps, cleanDeps } = await project.services.openMaintenance();
  await project.repo.write({ "src/a.ts": "changed\n" });
  const planned = await planRestore(restoreDeps, {
    ...{ sessionId, paths: ["src/a.ts"], from: project.root, exact: false },
  });
  if (planned.kind === "refused") throw new Error(String(planned.problem.message));
  const done = await applyRestore(restoreDeps, planned.plan);
  deepEqual([done.written, done.bookedIn], [["src/a.ts"], sessionId]);
  equal(await project.repo.read("src/a.ts"), FILES["src/a.ts"]);
  await project.must(FRAME);
  const before = new Date(Date.now() + 60_000);
  deepEqual(await cleanDeps.pruneSnapshots({ before, keepSessions: [sessionId] }), []);
  deepEqual(await cleanDeps.listOldSnapshots?.({ before, keepSessions: [] }), [sessionId]);
  deepEqual(await cleanDeps.pruneSnapshots({ before, keepSessions: [] }), [sessionId]);
  equal(await project.repo.exists(".code-intel/backup/git"), false);
});
