/** Restore at a real terminal in further places: during a session, from a folder, of a branch. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { deleteBranch } from "../../../src/git/mod.ts";
import { runOnTerminal, runProgram } from "../../support/cli.ts";
import { createProject } from "../../support/project.ts";
import { setUp, START } from "./restore_place.ts";
import { testNeeding } from "../../support/needs.ts";

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
      return JSON.parse((await runProgram(words, { cwd, env })).stdout);
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
    const { stdout } = await runProgram([...START, "--json"], { cwd, env });
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
