/** Review, commit and merge over the real server, the long ways round: discards, hooks that reformat, conflicts. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import type { Project } from "../support/session/session_driver.ts";
import { startSession } from "../support/session/hosted_session.ts";
import { createProject, installHook, SAMPLE_EDITS } from "../support/session/session_driver.ts";

Deno.test("a file that both changed: only the agent's hunks are committed", async () => {
  await using project = await createProject();
  const old = Array.from({ length: 12 }, (_, index) => `line ${index + 1}`);
  await project.repo.commit("Long", { "src/long.txt": `${old.join("\n")}\n` });
  const person = old.with(1, "line 2 of the person").join("\n");
  await project.repo.write({ "src/long.txt": `${person}\n` });
  const both = old.with(1, "line 2 of the person").with(10, "line 11 of the agent").join("\n");
  await using session = await startSession(project, { edits: { "src/long.txt": `${both}\n` } });
  await session.until(17);
  const shown = await session.must("review_changes");
  deepEqual(shown.changes.map(({ path }: { path: string }) => path), ["src/long.txt"]);
  equal((await session.until("end")).merged, true);
  const committed = await project.repo.git("show", "main:src/long.txt");
  equal(committed, old.with(10, "line 11 of the agent").join("\n"));
  equal(await project.repo.read("src/long.txt"), `${both}\n`);
  equal(await project.repo.git("status", "-s"), " M src/long.txt");
});

Deno.test("a failing pre-commit hook leads to READY with its output; the mended work is committed", async () => {
  await using project = await createProject();
  await installHook(
    project,
    "pre-commit",
    "git show :src/auth.ts | grep -q fix1 || { echo 'lint: fix1 is missing' >&2; exit 1; }",
  );
  const before = await project.repo.git("rev-parse", "HEAD");
  await using session = await startSession(project);
  await session.until(18);
  const refused = await session.next();
  deepEqual([refused.step, refused.git_hook_failed], [12, true]);
  match(refused.reason, /lint: fix1 is missing/);
  equal(await project.repo.git("rev-parse", "HEAD"), before);
  equal((await session.until("end")).merged, true);
  equal(await project.repo.git("rev-list", "--count", `${before}..main`), "2");
});

async function listFiles({ repo }: Project, ref: string): Promise<string> {
  return await repo.git("ls-tree", "-r", "--name-only", ref);
}

Deno.test("a discarded new file is removed, and the work is verified and reviewed again", async () => {
  await using project = await createProject();
  await using session = await startSession(project, {
    edits: { ...SAMPLE_EDITS, "src/debug.txt": "probe\n" },
    discard: ["src/debug.txt"],
  });
  await session.until(17);
  const discarded = await session.next();
  // The only evidence of the second task went with its file: the task is reported again.
  deepEqual([discarded.step, discarded.discarded_files], [13, ["src/debug.txt"]]);
  equal(await project.repo.exists("src/debug.txt"), false);
  await session.must("get_session_status");
  await session.accept({
    task_id: "task_2",
    checklist: [{ item: "Change src/debug.txt", status: "skipped", reason: "was only a probe" }],
  });
  const done = await session.until("end");
  equal(done.merged, true);
  equal((await listFiles(project, "main")).includes("debug"), false);
  // What was discarded is still in a snapshot.
  const refs = await project.repo.git("for-each-ref", "--format=%(refname)", "refs/code-intel");
  const holds = await Promise.all(
    refs.split("\n").filter((ref) => !ref.includes("/branches/"))
      .map((ref) => project.repo.git("ls-tree", "-r", "--name-only", ref)),
  );
  ok(holds.some((files) => files.includes("src/debug.txt")), "a snapshot keeps the probe");
});

Deno.test("a discard of an untracked leftover goes through 15 and 17 again", async () => {
  await using project = await createProject();
  await using session = await startSession(project, { discard: ["src/left.txt"] });
  await session.until(13);
  await session.leave("src/left.txt", "left\n");
  await session.until(17);
  equal((await session.next()).step, 15);
  equal(await project.repo.exists("src/left.txt"), false);
  equal((await session.until("end")).merged, true);
  equal((await listFiles(project, "main")).includes("left.txt"), false);
});

Deno.test("changes that overlap with the person's are asked about, and taken with their word", async () => {
  await using project = await createProject();
  await project.repo.commit("Long", { "src/long.txt": "one\ntwo\nthree\n" });
  await project.repo.write({ "src/long.txt": "one\nTWO\nthree\n" });
  await using session = await startSession(project, {
    edits: { "src/long.txt": "one\nTWO and more\nthree\n" },
  });
  await session.until(17);
  const payload = await session.prepare();
  const refused = await session.submit(payload);
  equal(refused.problems[0].code, "person_changes_mixed");
  equal((await session.accept({ ...payload, include_person_changes: ["src/long.txt"] })).step, 18);
  equal((await session.until("end")).merged, true);
  equal(await project.repo.git("show", "main:src/long.txt"), "one\nTWO and more\nthree");
});

Deno.test("a pre-commit hook that reformats leads to a second review, then the commit is made", async () => {
  await using project = await createProject();
  await installHook(
    project,
    "pre-commit",
    "grep -q formatted src/auth.ts || { echo '// formatted' >> src/auth.ts; git add src/auth.ts; }",
  );
  const before = await project.repo.git("rev-parse", "HEAD");
  await using session = await startSession(project);
  await session.until(18);
  const again = await session.next();
  deepEqual([again.step, again.hooks_changed], [17, ["src/auth.ts"]]);
  equal(await project.repo.git("rev-parse", "HEAD"), before);
  match((await session.must("review_changes")).changes[0].diff, /\+\/\/ formatted/);
  equal((await session.until("end")).merged, true);
  match(await project.repo.git("show", "main:src/auth.ts"), /\/\/ formatted$/);
  equal(await project.repo.git("rev-list", "--count", `${before}..main`), "2");
  equal(await project.repo.git("status", "-s"), "");
});

/** A session whose base got another change of the same line. */
async function startConflicting(project: Project, onConflict?: "resolve" | "park") {
  const session = await startSession(project, {
    edits: {
      "src/hash.ts": "export function hash(text: string): string {\n  return text + '!';\n}\n",
    },
    resolutions: {
      "src/hash.ts":
        "export function hash(text: string): string {\n  return `?${text}` + '!';\n}\n",
    },
    ...(onConflict === undefined ? {} : { onConflict }),
  });
  await session.until(19);
  const worktree = await Deno.makeTempDir({ prefix: "code-intel-other-" });
  await project.repo.git("worktree", "add", "-q", "--force", worktree, "main");
  await Deno.writeTextFile(
    join(worktree, "src/hash.ts"),
    "export function hash(text: string): string {\n  return '?' + text;\n}\n",
  );
  await Deno.writeTextFile(join(worktree, "src/other.ts"), "export const other = 1;\n");
  await project.repo.git("-C", worktree, "add", "-A");
  await project.repo.git("-C", worktree, "commit", "-q", "-m", "Other work");
  await project.repo.git("worktree", "remove", "--force", worktree);
  return session;
}

Deno.test("a merge conflict changes nothing until the agent chooses", async () => {
  await using project = await createProject();
  await using session = await startConflicting(project);
  const before = await project.repo.state();
  const refused = await session.submit({});
  deepEqual([refused.error, refused.step], ["merge_conflict", 19]);
  match(refused.problems[0].hint, /resolve.*park/);
  equal(await project.repo.state(), before);
});

Deno.test("on_conflict resolve: READY, verified and reviewed again, merged with both changes", async () => {
  await using project = await createProject();
  await using session = await startConflicting(project, "resolve");
  const conflict = await session.next();
  deepEqual([conflict.step, conflict.substep], [13, "implement"]);
  deepEqual(conflict.conflicts, ["src/hash.ts"]);
  equal(conflict.next_task.id, "resolve_conflicts_1");
  match(await project.repo.read("src/hash.ts"), /^<<<<<<< /m);
  const done = await session.until("end");
  equal(done.merged, true);
  deepEqual(session.steps.slice(-6), [14, 15, 17, 18, 19, 19]);
  const merged = await project.repo.git("show", "main:src/hash.ts");
  match(merged, /\?\$\{text\}.*'!'/);
  equal(await project.repo.git("show", "main:src/other.ts"), "export const other = 1;");
  equal(await project.repo.git("status", "-s"), "");
  equal(await project.repo.git("branch", "--show-current"), "main");
});

Deno.test("a conflict that is reported with its markers left in is refused", async () => {
  await using project = await createProject();
  await using session = await startConflicting(project, "resolve");
  await session.next();
  const left = await project.repo.read("src/hash.ts");
  await session.must("check_write_target", { file_path: "src/hash.ts" });
  await project.repo.write({ "src/hash.ts": `// kept\n${left}` });
  const refused = await session.submit({
    task_id: "resolve_conflicts_1",
    checklist: [{
      item: "Resolve the conflict in src/hash.ts",
      status: "done",
      evidence: "src/hash.ts:1-5",
    }],
  });
  deepEqual([refused.step, refused.problems[0].code], [13, "conflict_markers"]);
});

Deno.test("on_conflict park parks the session and changes nothing; it can be resumed", async () => {
  await using project = await createProject();
  await using session = await startConflicting(project, "park");
  const [base, head] = [
    await project.repo.git("rev-parse", "main"),
    await project.repo.git("rev-parse", "HEAD"),
  ];
  const parked = await session.next();
  deepEqual([parked.parked, parked.status], [true, "parked"]);
  equal(await project.repo.git("rev-parse", "main"), base);
  equal(await project.repo.git("rev-parse", "HEAD"), head);
  equal(await project.repo.git("status", "-s"), "");
  const resumed = await session.call("get_session_status", { session_id: session.id });
  deepEqual([resumed.ok, resumed.step], [true, 19]);
  equal((await session.accept({ on_conflict: "resolve" })).step, 13);
  equal((await session.until("end")).merged, true);
});

Deno.test("every changed file has to be reviewed, and a file that is not changed is left out by name", async () => {
  await using project = await createProject();
  await using session = await startSession(project);
  await session.until(17);
  const payload = await session.prepare();
  const empty = await session.submit({ ...payload, reviewed_files: [] });
  deepEqual(empty.problems.map(({ code }: { code: string }) => code), ["file_not_reviewed"]);
  equal(await project.repo.read("src/auth.ts"), SAMPLE_EDITS["src/auth.ts"]);
  const view = { path: "src/view.ts", decision: "discard", reason: "no work of mine" };
  const odd = await session.submit({ ...payload, reviewed_files: [view], rest: "keep" });
  equal(odd.problems[0].code, "not_changed");
  const reply = await session.accept({
    ...payload,
    reviewed_files: ["src/view.ts"],
    rest: "keep",
  });
  equal(reply.step, 18);
  match(String(reply.left_out), /^"src\/view\.ts" is no file that this session changed/);
});
