/** The commands `runs record` and `runs status` on a real project, and what they refuse. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { runHosted } from "../../support/server/hosted_cli.ts";
import { createProject } from "../../support/session/project.ts";
import { trustCommand } from "../../support/session/trusted_command.ts";
import { testNeeding } from "../../support/needs.ts";
import { needProgram } from "./ways/apart_run.ts";

const GO = needProgram("go", "version");
const FILES = {
  "go.mod": "module example.com/shop\n\ngo 1.20\n",
  "a.go": "package shop\n\nfunc Add(a int) int { return a + 1 }\n\nfunc Idle() {}\n",
  "a_test.go": `package shop

import "testing"

func TestAdd(t *testing.T) {
	if Add(1) != 2 {
		t.Fatal()
	}
}
`,
};

async function createRecorded(verify: readonly object[]) {
  const project = await createProject();
  await project.repo.write({ ...FILES, ".code-intel/config.json": JSON.stringify({ verify }) });
  const run = (...words: string[]) => runHosted(words, { cwd: project.dir, env: project.env });
  return { project, run };
}

Deno.test("runs record refuses what nobody allowed, what runs no tests, and what cannot be watched, with the next step", async () => {
  const verify = [{ name: "test", run: ["tox"] }, { name: "lint", run: ["true"] }];
  const { project, run } = await createRecorded(verify);
  await using _ = project;
  const untrusted = await run("runs", "record");
  equal(untrusted.code, 1);
  match(untrusted.stderr, /verify_untrusted: [\s\S]*code-intel trust/);
  const none = await run("runs", "record", "--", "true");
  equal(none.code, 1);
  match(none.stderr, /nothing_to_record: [\s\S]*runs record -- npm test/);
  const unwatched = await run("runs", "record", "--json", "--", "tox", "-e", "test");
  equal(unwatched.code, 1);
  match(JSON.parse(unwatched.stdout).problems[0].message, /Runs of tox cannot be watched/);
  const removing = await run("runs", "record", "--", "rm", "-rf", "pytest");
  match(removing.stderr, /nothing_to_record/);
  match((await run("runs", "status")).stdout, /^Nothing is recorded yet: [\s\S]*test: Runs of tox/);
});

Deno.test("runs record says why nothing came of a command that did not start, and of one without a folder", async () => {
  const { project } = await createRecorded([]);
  await using _ = project;
  const words = ["runs", "record", "--", "./gone/pytest", "-q"];
  const gone = await runHosted(words, { cwd: project.dir, env: project.env });
  equal(gone.code, 1);
  match(gone.stdout, /nothing recorded\. It could not be started: .*gone\/pytest.* Install it, or/);
  const failing = ["runs", "record", "--", "sh", "-c", "echo pytest broke; exit 2"];
  const broken = await runHosted(failing, { cwd: project.dir, env: project.env });
  match(broken.stdout, /exit code 2: pytest broke\. No test was seen to run\.\n$/);
  const homeless = await runHosted(words, {
    cwd: project.dir,
    env: { HOME: "", XDG_STATE_HOME: "" },
  });
  equal(homeless.code, 1);
  match(homeless.stderr, /no folder of the user [\s\S]*Set HOME, or CODE_INTEL_STATE_DIR/);
});

Deno.test("session start in a shell does not say that the untouched tree is run: that would end with the command", async () => {
  const command = { name: "test", run: ["sleep", "5"] };
  const { project, run } = await createRecorded([command]);
  await using _ = project;
  await project.repo.write({ ".code-intel/context.yml": "runs: on\n" });
  await trustCommand(project, command);
  const words = ["--intent", "MODIFY", "--no-doc", "--json", "add an idle function"];
  const { stdout } = await run("session", "start", ...words);
  match(JSON.parse(stdout).verify_baseline, /^not run: .* would end with this command/);
});

testNeeding(
  [GO],
  "runs record stores what the commands run, and status, questions and doctor tell of it",
  async () => {
    const command = { name: "test", run: ["go", "test", "./..."] };
    const { project, run } = await createRecorded([command]);
    await using _ = project;
    const part = await run("runs", "record", "--", "go", "test", "-short", "./...");
    equal(part.code, 0, part.stderr);
    match(part.stdout, /^test: recorded 1 test and 1 function \(go test\) in [\d.]+ s\n$/);
    const known = async () => JSON.parse((await run("runs", "status", "--json")).stdout);
    equal((await known()).extent, "recorded for 1 test");
    await trustCommand(project, command);
    const { ok, total, commands } = JSON.parse((await run("runs", "record", "--json")).stdout);
    deepEqual([ok, total, commands[0].is_whole, commands[0].counted], [true, 1, true, 1]);
    const { runs, commands: plans } = await known();
    deepEqual(runs.map((one: { command: string }) => one.command), [
      "go test ./...",
      "go test -short ./...",
    ]);
    deepEqual(plans, [{ name: "test", runner: "go test", is_watched: true }]);
    match((await run("doctor")).stdout, /Record of runs[^\n]*recorded for 1 test; [\d.]+ MB/);
  },
);

const PYTHON = needProgram("python3", "--version");
const CASES = `import unittest, lib
class A(unittest.TestCase):
    def test_a(self):
        self.assertEqual(lib.one(), VALUE)
`;

testNeeding(
  [PYTHON],
  "runs record runs a typed command where it is typed, and ends as the tests do",
  async () => {
    const { project } = await createRecorded([]);
    await using _ = project;
    const own = { "lib.py": "def one():\n    return 1\n", "test_a.py": CASES };
    await project.repo.write({ "sub dir/lib.py": own["lib.py"] });
    await project.repo.write({ "sub dir/test_a.py": own["test_a.py"].replace("VALUE", "1") });
    const at = { cwd: `${project.dir}/sub dir`, env: project.env };
    const words = ["runs", "record", "--whole", "--", "python3", "-m", "unittest", "-q"];
    const passed = await runHosted(words, at);
    equal(passed.code, 0, passed.stderr);
    match(passed.stdout, /^test: recorded 1 test and /);
    const told = await runHosted(["tests", "sub dir/lib.py:one"], {
      cwd: project.dir,
      env: project.env,
    });
    match(told.stdout, /^seen {6}sub dir\/test_a\.py {2}1 test/);
    match(told.stdout, /\nsh -c 'cd '.*sub dir.* && python3 -m unittest -q'\n$/);

    await project.repo.write({ "sub dir/test_a.py": own["test_a.py"].replace("VALUE", "2") });
    const failed = await runHosted(words, at);
    equal(failed.code, 1);
    match(
      failed.stdout,
      /recorded 1 test [\s\S]*failed with exit code 1 \(test_a .*\): /,
    );
    const { has_failed: hasFailed, commands } = JSON.parse(
      (await runHosted([...words.slice(0, 2), "--json", ...words.slice(3)], at)).stdout,
    );
    deepEqual([hasFailed, commands[0].recorded], [true, 1]);
    const { runs } = JSON.parse((await runHosted(["runs", "status", "--json"], at)).stdout);
    deepEqual(runs[0].is_whole, false, "a part is no whole record");
    const stopping = [...words.slice(0, 2), "--", ...words.slice(4), "-f"];
    match((await runHosted(stopping, at)).stdout, /no whole record:\n {2}The run ended before/);
  },
);
