/** The command `tests` on a real repository with the real store: by file, line and symbol, as text and data. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { runHosted } from "../../support/server/hosted_cli.ts";
import { readContents } from "../../../src/features/runs/store/open_runs.ts";
import { saveRun } from "../../../src/features/runs/store/run_folder.ts";
import { buildRecord, createRecordedProject } from "./store/recorded_project.ts";

/** A table alone leads from `dispatch` to `handle`. */
const FILES = {
  "cart.py": "def handle():\n    return 2\n\ndef idle():\n    return 1\n",
  "table.py":
    "import cart as own\n\nTABLE = {'a': vars(own)['han' + 'dle']}\n\ndef dispatch(key):\n    return TABLE[key]()\n",
  "page.py": "from cart import handle\n\ndef page():\n    return handle()\n",
  "tests/test_page.py": "from page import page\n\ndef test_page():\n    assert page()\n",
  "tests/test_table.py":
    "from table import dispatch\n\ndef test_a():\n    assert dispatch('a')\n\ndef test_b():\n    assert dispatch('a')\n",
};
const RUN = {
  tests: {
    "tests/test_table.py tests/test_table.py::test_a": ["cart.py handle", "table.py dispatch"],
    "tests/test_table.py tests/test_table.py::test_b": ["cart.py handle", "table.py dispatch"],
  },
  calls: [["table.py dispatch", "cart.py handle", 6]] as const,
};
const COMMAND = "python -m unittest tests/test_table.py tests/test_page.py";

Deno.test("tests lists the tests that were seen to run a function before those that links lead to, and ends with the command", async () => {
  await using project = await createRecordedProject(FILES);
  const { repo } = project;
  const env = { CODE_INTEL_STATE_DIR: join(repo.dir, ".git") };
  const run = (...words: string[]) => runHosted(words, { cwd: repo.dir, env });
  const before = await run("tests", "cart.py:handle");
  equal(before.code, 0, before.stderr);
  match(before.stdout, /^resolved {2}tests\/test_page\.py\n\(No recorded run tells of it/);

  await project.record(RUN);
  const told = await run("tests", "cart.py:2");
  equal(told.code, 0, told.stderr);
  deepEqual(told.stdout.split("\n"), [
    "seen      tests/test_table.py  2 tests: test_a, test_b",
    "resolved  tests/test_page.py",
    "(recorded for 2 tests)",
    COMMAND,
    "",
  ]);
  const { tests, command, target, complete, runs } = JSON.parse(
    (await run("tests", "cart.py:handle", "--json")).stdout,
  );
  deepEqual([target, command, complete, runs], [
    ...["cart.py:handle", COMMAND, true, "recorded for 2 tests"],
  ]);
  deepEqual(tests[0], {
    ...{ file: "tests/test_table.py", proof: "seen", tests: 2, nearest: ["test_a", "test_b"] },
  });

  const idle = await run("tests", "cart.py:idle", "--json");
  const { tests: none, notices } = JSON.parse(idle.stdout);
  deepEqual([none, notices], [[], ["No recorded test ran it."]]);
  equal(idle.code, 1);
  match((await run("tests", "table.py:3")).stdout, /in no named function/);
  equal((await run("tests", "cart.py")).stdout.split("\n").at(-2), COMMAND);
  match((await run("tests", "cart.py:gone")).stderr, /symbol_not_found/);
  // A command that was recorded is known to start, whatever the project would be guessed to run with.
  await project.record({ ...RUN, more: { command: [".venv/bin/python", "-m", "pytest", "-q"] } });
  match(
    (await run("tests", "cart.py:handle")).stdout,
    /^\.venv\/bin\/python -m pytest -q tests\/test_table\.py tests\/test_page\.py$/m,
  );
  for (const gone of ["gone.py:3", "gone.py"]) {
    match((await run("tests", gone)).stderr, /path_not_found/, gone);
  }
  // A test that git ignores ran it: that cannot be listed, and is no whole answer.
  await project.record({ tests: { ...RUN.tests, "tmp/test_x.py test_x": ["cart.py idle"] } });
  const hidden = JSON.parse((await run("tests", "cart.py:idle", "--json")).stdout);
  equal(hidden.complete, undefined);
  match(hidden.notices.join(), /ran it that are not listed: git ignores tmp\/test_x\.py/);
});

Deno.test("tests names those that ran the callers of a new function, marked as such", async () => {
  await using project = await createRecordedProject(FILES);
  await project.record(RUN);
  const helper = "def half():\n    return 1\n\ndef handle():\n    return half() * 2\n";
  await project.repo.write({ "cart.py": helper });
  const { stdout } = await runHosted(["tests", "cart.py:half"], {
    cwd: project.repo.dir,
    env: { CODE_INTEL_STATE_DIR: join(project.repo.dir, ".git") },
  });
  deepEqual(stdout.split("\n"), [
    "caller    tests/test_table.py  2 tests: test_a, test_b",
    "(recorded for 2 tests, 1 file changed since)",
    "(No recorded test ran it: no record knows it as it is now. Those marked `caller` ran what calls it.)",
    "python -m unittest tests/test_table.py",
    "",
  ]);
});

Deno.test("a file of tests that is moved as it is keeps what its tests ran, under its new name", async () => {
  await using project = await createRecordedProject(FILES);
  const { repo } = project;
  await project.record(RUN);
  await repo.git("mv", "tests/test_table.py", "tests/test_moved.py");
  const env = { CODE_INTEL_STATE_DIR: join(repo.dir, ".git") };
  const run = (...words: string[]) => runHosted(words, { cwd: repo.dir, env });
  const { stdout } = await run("tests", "cart.py:handle");
  match(stdout, /^seen {6}tests\/test_moved\.py {2}2 tests: test_a, test_b\n/);
  match(stdout, /unittest tests\/test_moved\.py tests\/test_page\.py\n$/);
  const state = await project.load();
  const [test] = state?.findTests([{ path: "cart.py", name: "handle" }]).tests ?? [];
  deepEqual([test?.name, test?.isCurrent], ["tests/test_moved.py::test_a", true]);
  // Its own record counts from then on.
  const moved = "tests/test_moved.py tests/test_moved.py::test_a";
  await project.record({ tests: { [moved]: ["cart.py handle"] } });
  match(
    (await run("tests", "cart.py:handle")).stdout,
    /^seen {6}tests\/test_moved\.py {2}1 test: test_a\n/,
  );
});

Deno.test("the command for tests is that of the record that ran most of them, and never one that chose some", async () => {
  await using project = await createRecordedProject(FILES);
  const { repo } = project;
  const env = { CODE_INTEL_STATE_DIR: join(repo.dir, ".git") };
  const ask = async () =>
    (await runHosted(["tests", "cart.py:handle"], { cwd: repo.dir, env })).stdout
      .trimEnd().split("\n").at(-1);
  const part = (command: string[], tests: typeof RUN.tests = RUN.tests) =>
    project.record({ ...RUN, tests, more: { command, commands: 0, at: new Date().toISOString() } });
  await part(["pytest", "-q"]);
  await part(["pytest", "-q", "-k", "paid"]);
  equal(await ask(), "pytest -q tests/test_table.py tests/test_page.py");
  await using other = await createRecordedProject(FILES);
  await other.record({ ...RUN, more: { command: ["bash", "-c", "cd 'sub dir' && pytest"] } });
  const { stdout } = await runHosted(["tests", "cart.py:handle"], {
    cwd: other.repo.dir,
    env: { CODE_INTEL_STATE_DIR: join(other.repo.dir, ".git") },
  });
  match(stdout, /\nbash -c 'cd '\\''sub dir'\\'' && pytest'\n$/);
});

Deno.test("of neighbours that were recorded together nobody says which of them ran it", async () => {
  await using project = await createRecordedProject(FILES);
  await project.services.index.sync();
  const files = await project.services.index.read(readContents);
  const record = buildRecord(files, RUN);
  const tests = record.tests.map((test) => ({ ...test, unit: "group" as const }));
  await saveRun(project.services.parts, { ...record, tests });
  const { stdout } = await runHosted(["tests", "cart.py:handle"], {
    cwd: project.repo.dir,
    env: { CODE_INTEL_STATE_DIR: join(project.repo.dir, ".git") },
  });
  match(stdout, /test_table\.py {2}some of 2 neighbouring tests: test_a, test_b\n/);
  match(stdout, /\(recorded for 2 neighbouring tests\)/);
  const { impact } = project.services;
  const input = { isDiff: false, changeDescription: "", depth: 2 };
  const found = await impact.analyze({ ...input, targetFiles: [], symbols: ["handle"] });
  equal(found.kind === "refused" ? null : found.seen?.isComplete, false);
});

Deno.test("of definitions with one name answers say that a test ran one of them", async () => {
  await using project = await createRecordedProject({
    "shop.py":
      "class Cart:\n    @property\n    def total(self):\n        return 1\n\n    @total.setter\n    def total(self, value):\n        pass\n",
    "tests/test_shop.py": "from shop import Cart\n\ndef test_a():\n    assert Cart().total\n",
  });
  await project.record({ tests: { "tests/test_shop.py test_a": ["shop.py Cart.total"] } });
  const options = {
    cwd: project.repo.dir,
    env: { CODE_INTEL_STATE_DIR: join(project.repo.dir, ".git") },
  };
  const { stdout } = await runHosted(["tests", "shop.py:7"], options);
  match(stdout, /It has 2 definitions: records do not tell which of them a test ran/);
  const symbols = await runHosted(["symbols", "shop.py"], options);
  match(symbols.stdout, /run by tests, it or another of 2 definitions of this name/);
});

Deno.test("tests says of a variable that runs tell of functions alone", async () => {
  await using project = await createRecordedProject({ "shop.py": "LIMIT = 3\n" });
  await project.record({ tests: {} });
  const { stdout } = await runHosted(["tests", "shop.py:LIMIT"], {
    cwd: project.repo.dir,
    env: { CODE_INTEL_STATE_DIR: join(project.repo.dir, ".git") },
  });
  match(stdout, /nothing found[\s\S]*Runs tell of functions alone, and no link or name leads/);
});

Deno.test("tests of Go runs the tests by their names, in the package of each", async () => {
  const test = (name: string) => `func ${name}(t *testing.T) { Add(1) }\n`;
  const head = 'package shop\n\nimport "testing"\n\n';
  await using project = await createRecordedProject({
    "go.mod": "module example.com/shop\n\ngo 1.20\n",
    "a.go": "package shop\n\nfunc Add(a int) int { return a + 1 }\n\nfunc Idle() {}\n",
    "a_test.go": `${head}${test("TestAdd")}${test("TestOther")}`,
    "b_test.go": `${head}${test("TestMore")}`,
  });
  const env = { CODE_INTEL_STATE_DIR: join(project.repo.dir, ".git") };
  const run = async () =>
    (await runHosted(["tests", "a.go:Add"], { cwd: project.repo.dir, env })).stdout
      .trimEnd().split("\n").at(-1);
  equal(await run(), "go test -run '^(TestAdd|TestOther|TestMore)$' ./.");
  const tests = { "a_test.go example.com/shop.TestAdd": ["a.go Add"] };
  const command = ["go", "test", "-race", "./..."];
  await project.record({ tests, more: { command, runner: "go test" } });
  equal(await run(), "go test -race -run '^(TestAdd|TestMore)$' ./.");
});

Deno.test("tests shows and runs the nearest files of very many, and says so", async () => {
  const names = Array.from({ length: 35 }, (_, at) => `tests/test_${at}.py`);
  const more = Object.fromEntries(names.map((name) => [name, "def test_a():\n    pass\n"]));
  await using project = await createRecordedProject({ ...FILES, ...more });
  const tests = names.map((name) => [`${name} ${name}::test_a`, ["cart.py idle"]] as const);
  await project.record({ tests: Object.fromEntries(tests) });
  const { stdout } = await runHosted(["tests", "cart.py:idle"], {
    cwd: project.repo.dir,
    env: { CODE_INTEL_STATE_DIR: join(project.repo.dir, ".git") },
  });
  const lines = stdout.trimEnd().split("\n");
  equal(lines.filter((line) => line.startsWith("seen ")).length, 30);
  deepEqual(lines.slice(30, -1), [
    "(5 more files: --json lists all)",
    "(recorded for 35 tests)",
    "(The command runs the nearest 30 of 35 files.)",
  ]);
  equal(lines.at(-1)?.split(" ").length, 33);
});

Deno.test("impact and references tell of the real records what the table alone leads to", async () => {
  await using project = await createRecordedProject(FILES);
  await project.record(RUN);
  const { explorer, impact } = project.services;
  const input = { isDiff: false, changeDescription: "", depth: 2 };
  const found = await impact.analyze({ ...input, targetFiles: ["cart.py"], symbols: ["handle"] });
  if (found.kind === "refused") throw new Error(JSON.stringify(found.problems));
  const edges = found.files.flatMap((file) => file.edges);
  deepEqual(
    edges.filter(({ confidence }) => confidence === "seen").map(({ path, line }) => [path, line]),
    [["table.py", 6]],
  );
  const named = { symbol: "handle", maxResults: 100, includeText: false };
  const references = await explorer.findReferences(named);
  if (references.kind === "refused") throw new Error(JSON.stringify(references.problems));
  deepEqual(
    references.references.filter(({ kind }) => kind === "seen").map((
      { path, line, within },
    ) => [path, line, within]),
    [["table.py", 6, "dispatch"]],
  );
  // The record is of other contents: the answer says so, and promises nothing.
  await project.repo.write({ "table.py": `# new\n${FILES["table.py"]}` });
  const later = await impact.analyze({ ...input, targetFiles: ["cart.py"], symbols: ["handle"] });
  if (later.kind === "refused") throw new Error(JSON.stringify(later.problems));
  equal(later.seen?.isComplete, false);
  deepEqual(later.seen?.extent.changed, ["table.py"]);
});
