/** Restore at a real terminal in further places: during a session, from a folder, of a branch. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { deleteBranch } from "../../../src/git/branches/branches.ts";
import { takeSnapshot } from "../../../src/git/snapshots/snapshots.ts";
import { runOnTerminal } from "../../support/server/cli.ts";
import { runHosted } from "../../support/server/hosted_cli.ts";
import { testNeeding } from "../../support/needs.ts";
import { createProject } from "../../support/session/project.ts";
import { setUp, START } from "./restore_place.ts";

Deno.test("snapshots lists number, time, label and changed files, also as JSON", async () => {
  const { project, repo, run, json, id } = await setUp();
  await using _ = project;
  // A clean-up of later on is not what a person looks for.
  const at = new Date(Date.now() + 60_000);
  await takeSnapshot(repo.repo, { sessionId: "cleanup", label: "before delete", at });
  const { session_id: shown, snapshots, total } = await json("snapshots");
  equal(shown, id);
  equal(total, snapshots.length);
  equal(snapshots[0].label, "start");
  deepEqual(snapshots.map((one: { number: number }) => one.number), [1, 2, 3, 4]);
  deepEqual(snapshots.map((one: { changed_files: number }) => one.changed_files), [0, 2, 0, 0]);
  const { stdout } = await run("snapshots", id);
  match(stdout, /^ {3}1 {2}\d{4}-\d\d-\d\d \d\d:\d\d \S+ {2}start {2}\(0 changed files\)$/m);
  match(stdout, /restore session_\S+ --to N/);
  const none = await run("snapshots", "session_20200101_000000_0000");
  equal(none.code, 1);
  match(none.stdout, /nothing found/);
});

Deno.test("restore refuses without a terminal and changes nothing, but shows what it would do", async () => {
  const { project, repo, run, json, id } = await setUp();
  await using _ = project;
  const { code, stderr } = await run("restore", id, "--exact");
  equal(code, 1);
  match(stderr, /Only a person at a terminal/);
  const dry = await json("restore", id, "--dry-run", "--exact");
  deepEqual(dry.would_write, ["src/auth.ts"]);
  deepEqual(dry.would_remove, ["src/new.ts"]);
  const soft = await json("restore", id, "--dry-run");
  deepEqual([soft.would_remove, soft.not_in_snapshot], [[], ["src/new.ts"]]);
  equal(await repo.read("src/auth.ts"), "changed\n");
  ok(await repo.exists("src/new.ts"));
  const rows: readonly (readonly [words: readonly string[], said: string])[] = [
    [["nobody"], "no_snapshots"],
    [["../../heads"], "no_snapshots"],
    [[id, "--to", "9"], "no_snapshots"],
    [[id, "../elsewhere"], "outside_worktree"],
    [[id, "no/such"], "not_in_snapshot"],
    [["--branch", "no_such"], "not_kept"],
  ];
  for (const [words, error] of rows) {
    equal((await json("restore", ...words, "--dry-run")).error, error, words.join(" "));
  }
  equal((await run("restore", "--dry-run")).code, 64);
});

testNeeding(
  ["terminal"],
  "restore writes only what a person confirms, and its own snapshot undoes it",
  async () => {
    const { project, repo, type, json, id } = await setUp();
    await using _ = project;
    const index = await repo.git("ls-files", "-s");
    const before = await repo.read("src/hash.ts");
    await repo.write({ "src/hash.ts": "not saved anywhere\n" });
    match(await type("n\n", "restore", id), /not_confirmed/);
    equal(await repo.read("src/auth.ts"), "changed\n");

    const shown = await type("y\n", "restore", id);
    match(shown, /write {3}"src\/auth.ts"/);
    match(shown, /undo: code-intel restore session_\S+ --to 5 --exact/);
    match(await repo.read("src/auth.ts"), /export function login/);
    equal(await repo.read("src/hash.ts"), before);
    ok(await repo.exists("src/new.ts"), "only --exact deletes");
    equal(await repo.git("ls-files", "-s"), index);

    const { snapshots } = await json("snapshots", id);
    equal(snapshots.at(-1).label, "before restore of 1");
    await type("y\n", "restore", id, "--to", "5", "--exact");
    equal(await repo.read("src/hash.ts"), "not saved anywhere\n");
    equal(await repo.read("src/auth.ts"), "changed\n");
  },
);

testNeeding(
  ["terminal"],
  "restore during a session is the person's, and the agent goes on without a finding",
  async () => {
    const project = await createProject();
    await using _ = project;
    const { dir: cwd, repo } = project;
    const env = { ...project.env, NO_COLOR: "1" };
    const submit = async (data: unknown) => {
      const words = ["session", "submit", JSON.stringify(data), "--json"];
      return JSON.parse((await runHosted(words, { cwd, env })).stdout);
    };
    const frame = {
      summary: "s",
      tools_used: [],
      action_type: "investigate",
      slots: {},
      target_symbols: [],
      scope: "",
      constraints: [],
    };
    const { stdout } = await runHosted([...START, "--json"], { cwd, env });
    const { session_id: id } = JSON.parse(stdout);
    const original = await repo.read("src/auth.ts");
    await repo.write({ "src/auth.ts": "changed by the shell\n", "src/new.ts": "new\n" });
    match(
      await runOnTerminal(["restore", id, "src/auth.ts"], { cwd, env, typed: "y\n" }),
      new RegExp(`booked_to_person_in: ${id}`),
    );
    equal(await repo.read("src/auth.ts"), original);
    const reply = await submit(frame);
    deepEqual(reply.problems.map(({ path }: { path: string }) => path), ["src/new.ts"]);
    // A later state that the person wants, such as one of another session, is theirs as well.
    await runOnTerminal(["restore", id, "src/auth.ts", "--to", "2"], { cwd, env, typed: "y\n" });
    equal(await repo.read("src/auth.ts"), "changed by the shell\n");
    await repo.remove("src/new.ts");
    equal((await submit(frame)).ok, true);
  },
);

testNeeding(
  ["terminal"],
  "restore takes paths relative to the folder of the person, and touches no others",
  async () => {
    const { project, repo, cwd, env, id } = await setUp();
    await using _ = project;
    await repo.write({ "src/hash.ts": "mine\n" });
    const options = { cwd: `${cwd}/src`, env, typed: "y\n" };
    const shown = await runOnTerminal(["restore", id, "auth.ts", "new.ts", "--exact"], options);
    match(shown, /undo: code-intel restore session_\S+ --to \d+ --exact auth\.ts new\.ts/);
    match(await repo.read("src/auth.ts"), /export function login/);
    equal(await repo.exists("src/new.ts"), false);
    equal(await repo.read("src/hash.ts"), "mine\n");
    match(
      await runOnTerminal(["restore", id, "auth.ts"], options),
      /All is as it was then/,
    );
  },
);

testNeeding(
  ["terminal"],
  "restore --branch makes a deleted branch again, and never moves one",
  async () => {
    const { project, repo, type, json } = await setUp();
    await using _ = project;
    await repo.git("branch", "side/one");
    const tip = await repo.git("rev-parse", "side/one");
    equal((await deleteBranch(repo.repo, "side/one")).kind, "deleted");
    const { branches } = await json("snapshots", "--branches");
    deepEqual([branches[0].branch, branches[0].tip], ["side/one", tip]);
    match(await type("n\n", "restore", "--branch", "side/one"), /not_confirmed/);
    match(await type("y\n", "restore", "--branch", "side/one"), /restored: true/);
    equal(await repo.git("rev-parse", "side/one"), tip);
    await repo.git(
      "branch",
      "-f",
      "side/one",
      await repo.git("commit-tree", "HEAD^{tree}", "-m", "x"),
    );
    match(await type("y\n", "restore", "--branch", "side/one"), /branch_exists/);
  },
);
