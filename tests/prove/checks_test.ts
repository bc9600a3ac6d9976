/** Which checks of a change run, in which order, and what keeps one from running. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { SYSTEM_CLOCK } from "../../src/base/clock.ts";
import { SILENT_LOGGER } from "../../src/base/logger.ts";
import { Runs } from "../../src/evidence/runs/run_in_checkouts.ts";
import type { VerificationResultRow } from "../../src/evidence/runs/verification.ts";
import { diffTrees } from "../../src/git/trees/changes.ts";
import { createTrees } from "../../src/ledger/trees.ts";
import type { CheckInput } from "../../src/prove/check_input.ts";
import { runChecks } from "../../src/prove/checks.ts";
import { createServices } from "../../src/services/services.ts";
import { ProjectPaths } from "../../src/workflow/context/project_paths.ts";
import { testNeeding } from "../support/needs.ts";
import { createTempRepo } from "../support/temp_repo.ts";

const ADD = "exports.add = (a, b) => a + b;\n";
const WRONG = "exports.add = (a, b) => a - b;\n";
const TEST = `const { test } = require("node:test");
const assert = require("node:assert");
test("adds", () => assert.strictEqual(require("../src/add.js").add(1, 2), 3));
`;
const RED = TEST.replace('"adds"', '"never"').replace("3)", "4)");

interface Asked extends Partial<CheckInput> {
  /** How long the commands took on the tree of before, where that is known. */
  readonly knownMs?: number;
}

/** Runs the checks of a change of these files, with the tests of `near` as the nearest. */
async function check(
  { before, after, near = [], knownMs, run = ["node", "--test", "test/"], ...asked }: Asked & {
    readonly before: Readonly<Record<string, string>>;
    readonly after: Readonly<Record<string, string>>;
    readonly near?: readonly string[];
    readonly run?: readonly string[];
  },
) {
  const place = await createTempRepo({ files: { "src/add.js": ADD, ...before } });
  const { dir: projectRoot, repo } = place;
  const base = (await place.git("rev-parse", "HEAD^{tree}")).trim();
  await place.commit("Change", after);
  const tree = (await place.git("rev-parse", "HEAD^{tree}")).trim();
  const stateDir = await Deno.makeTempDir();
  const get = (name: string) => name === "CODE_INTEL_STATE_DIR" ? stateDir : Deno.env.get(name);
  const options = { projectDir: projectRoot, logger: SILENT_LOGGER, offered: [], get };
  const { verification } = await createServices(options);
  const found = await verification.loadCommands({
    ...await verification.readSettings(),
    verify: [{ name: "test", run, timeout_s: 60 }],
  });
  const ran: string[] = [];
  const runs = await Runs.open({
    ...{ projectRoot, stateDir, clock: SYSTEM_CLOCK, tree, repeatsRed: false },
    runId: "checks",
    signal: new AbortController().signal,
    now: { command: "", purpose: null, lastLine: "" },
    onStarted: () => Promise.resolve(),
  });
  const known = { name: "test", durationMs: knownMs } as unknown as VerificationResultRow;
  const { facts, checks } = await runChecks({
    ...{ repo, trees: createTrees(repo), paths: new ProjectPaths(projectRoot, projectRoot) },
    ...{ found, commands: found.commands, verification, runs },
    change: { base, tree, files: await diffTrees(repo, base, tree), isInWorktree: true },
    checkout: { isSure: false },
    memory: {
      readResults: (_, [command]) =>
        Promise.resolve(knownMs === undefined || command?.run.at(-1) !== "test/" ? null : [known]),
      saveResults: () => Promise.resolve(),
    },
    runsBase: true,
    findNearTests: () => Promise.resolve(near),
    trial: { seconds: 10, isGate: false },
    withinMs: Infinity,
    onCheck: (name) => ran.push(name),
    ...asked,
  });
  const states = Object.fromEntries(checks.map(({ name, state, why }) => [name, [state, why]]));
  return { facts, states, ran };
}

const TESTS = { "test/add.test.js": TEST, "test/other.test.js": RED };
const NEAR = ["test/add.test.js"];

Deno.test("a nearest test that fails by the change leaves the other commands out", async () => {
  const { facts, states } = await check({
    before: TESTS,
    after: { "src/add.js": WRONG },
    near: NEAR,
    knownMs: 60_000,
  });
  deepEqual(facts.nearest?.verdict.verdict, "failed");
  deepEqual(facts.nearest?.results[0]?.run, ["node", "--test", ...NEAR]);
  deepEqual(facts.nearest?.verdict.commands[0]?.lost, []);
  deepEqual([states["nearest"], states["commands"]], [
    ["done", "node --test test/add.test.js"],
    [
      "skipped",
      "the verdict is sure",
    ],
  ]);
});

Deno.test("the nearest tests do not run apart where all take a few seconds, nor where they fail and nobody knows of before", async () => {
  const change = {
    before: TESTS,
    after: { "src/add.js": `${ADD}exports.more = 1;\n` },
    near: NEAR,
  };
  const quick = await check({ ...change, knownMs: 500 });
  deepEqual(quick.states["nearest"], ["needless", "all tests take a few seconds"]);
  const away = await check({
    ...change,
    after: { "src/add.js": WRONG },
    checkout: "it is switched off",
  });
  deepEqual(away.states["nearest"], [
    "needless",
    "they fail, and nobody knows how they did before",
  ]);
  equal(away.facts.commands?.place?.kind, "worktree");
});

Deno.test("a red run saves the changed tests, which come behind the commands only where no nearest test ran; what failed before saves nothing", async () => {
  const added = { "src/add.js": WRONG, "test/add.test.js": `${TEST}// more\n` };
  const red = await check({ before: TESTS, after: added });
  deepEqual(red.ran, ["diff", "nearest"]);
  const short = await check({
    before: { "test/add.test.js": TEST },
    after: { "src/add.js": `${ADD}exports.sub = (a, b) => a - b;\n`, "test/sub.test.js": SUB },
    withinMs: 60_000,
  });
  deepEqual(short.ran.slice(0, 4), ["diff", "nearest", "changed_tests", "commands"]);
  equal(short.facts.changedTests?.proving, 1);
  const known = await check({
    before: TESTS,
    after: { "src/add.js": `${ADD}exports.sub = (a, b) => a - b;\n`, "test/sub.test.js": SUB },
  });
  equal(known.facts.commands?.verdict.verdict, "still_red");
  deepEqual(known.ran, ["diff", "nearest", "changed_tests", "commands", "wrong_versions"]);
  equal(known.facts.changedTests?.proving, 1);
  const whole = await check({
    before: TESTS,
    after: { "src/add.js": `${ADD}exports.sub = (a, b) => a - b;\n`, "test/sub.test.js": SUB },
    knownMs: 500,
  });
  deepEqual(whole.ran, ["diff", "nearest", "commands", "changed_tests", "wrong_versions"]);
});

const SUB = TEST.replace('"adds"', '"subs"').replace(".add(1, 2), 3", ".sub(3, 2), 1");

Deno.test("where no clean checkout is made, changed tests and wrong versions come to no verdict and say why", async () => {
  const { facts } = await check({
    before: { "test/add.test.js": TEST },
    after: { "src/add.js": `${ADD}exports.sub = (a, b) => a - b;\n`, "test/sub.test.js": SUB },
    checkout: "it is switched off",
    planWrongVersions: () =>
      Promise.resolve(({ hindrance }) =>
        Promise.resolve({
          ...{ total: 0, killed: 0, broken: 0, survivors: [], tests: [] },
          unknown: hindrance,
        })
      ),
  });
  deepEqual([facts.changedTests?.proving, facts.changedTests?.tests], [0, []]);
  match(facts.changedTests?.unknown ?? "", /^No clean checkout works here\.$/);
  equal(facts.wrongVersions?.unknown, "no clean checkout works here");
});

Deno.test("a changed test that needs CI, or another test before it, is named; one that stands by itself is not", async () => {
  const leftOut = { commands: "asked", wrong_versions: "asked" };
  const after = { "src/add.js": `${ADD}exports.sub = (a, b) => a - b;\n` };
  const needsCi = SUB.replace("3, 2), 1", "3, 2), process.env.CI ? 1 : 2");
  const ci = await check({
    before: TESTS,
    leftOut,
    after: { ...after, "test/sub.test.js": needsCi },
  });
  deepEqual(ci.facts.unsteady, ["test/sub.test.js: subs"]);
  const alone = await check({
    before: TESTS,
    leftOut,
    after: { ...after, "test/sub.test.js": SUB },
  });
  deepEqual(alone.facts.unsteady, []);
  const chain = ["one", "two", "three", "four"].map((name, at) =>
    `Deno.test("${name}", () => { if (last !== ${at}) throw new Error(String(last)); last = sub(${at} + 2, 1); });\n`
  );
  const ordered = await check({
    before: { "src/sub.js": "export const sub = (a) => a;\n" },
    after: {
      "src/sub.js": "export const sub = (a, b) => a - b;\n",
      "test/sub_test.js": `import { sub } from "../src/sub.js";\nlet last = 0;\n${chain.join("")}`,
    },
    leftOut,
    run: [Deno.execPath(), "test", "test/"],
  });
  match((ordered.facts.unsteady ?? []).join(), /^test\/sub_test\.js: (?:one|two|three|four)/);
});

/** What a run with the change lost, with the trees whose results were kept. */
async function findLost(
  { test, before = {}, after = {}, near = NEAR, run = ["node", "--test", "test/"] }: {
    readonly test: string;
    readonly before?: Readonly<Record<string, string>>;
    readonly after?: Readonly<Record<string, string>>;
    readonly near?: readonly string[];
    readonly run?: readonly string[];
  },
) {
  const saved: string[] = [];
  const { facts } = await check({
    before: { "test/add.test.js": TEST, ...before },
    after: { "src/add.js": `${ADD}\n`, "test/add.test.js": test, ...after },
    ...{ near, run },
    leftOut: { changed_tests: "asked", wrong_versions: "asked" },
    memory: {
      readResults: () => Promise.resolve(null),
      saveResults: (tree) => Promise.resolve(void saved.push(tree)),
    },
  });
  const lost = [facts.nearest, facts.commands].flatMap((one) => one?.verdict.commands ?? [])
    .flatMap((command) => command.lost);
  return { lost, saved: new Set(saved).size };
}

const MORE = 'test("more", () => assert.ok(require("../src/add.js").add));\n';

Deno.test("a test that is skipped or gone is lost though another came; tests that only came need no run of before", async () => {
  const skipped = TEST.replace('"adds", ', '"adds", { skip: process.pid > 0 }, ') + MORE;
  deepEqual((await findLost({ test: skipped })).lost, [{ kind: "skipped", tests: ["adds"] }]);
  const muted = TEST.replace('test("adds"', 'const later = () => {};\nlater("adds"') + MORE;
  deepEqual((await findLost({ test: muted })).lost, [{ kind: "gone", tests: ["adds"] }]);
  const { lost, saved } = await findLost({ test: TEST + MORE });
  // The tree with the change alone has results: nothing was run on the one of before.
  deepEqual([lost, saved], [[], 1]);
});

Deno.test("what a helper skips is looked for by the commands, and a test that one run alone lacks is not lost", async () => {
  const helped = TEST.replace('"adds", ', '"adds", require("./how.js"), ');
  const files = { before: { "test/add.test.js": helped, "test/how.js": "module.exports = {};\n" } };
  const off = { "test/how.js": "module.exports = { skip: true };\n" };
  const { lost } = await findLost({ ...files, test: helped + MORE, after: off, near: [] });
  deepEqual(lost, [{ kind: "skipped", tests: ["adds"] }]);
  const mark = `${await Deno.makeTempDir()}/mark`;
  const chance = TEST.replace(
    'test("adds", ',
    `const fs = require("fs");
const skip = !fs.existsSync("${mark}");
fs.writeFileSync("${mark}", "");
test("adds", { skip }, `,
  ) + MORE;
  deepEqual((await findLost({ test: chance })).lost, []);
});

testNeeding(
  ["pytest"],
  "a new file of settings that leaves tests out hides none, nor does a runner that names none of itself",
  async () => {
    const python = {
      "cart.py": "def total(prices):\n    return sum(prices)\n",
      "test_cart.py": `import unittest
from cart import total


class CartTest(unittest.TestCase):
    def test_total(self):
        self.assertEqual(total([5, 2]), 7)

    def test_none(self):
        self.assertEqual(total([]), 0)
`,
    };
    const own = `${python["test_cart.py"]}
    def test_more(self):
        self.assertEqual(total([1]), 1)

    def run(self, result=None):
        return result if "none" in self.id() else super().run(result)
`;
    const { lost } = await findLost({
      ...{ test: TEST, before: python, near: ["test_cart.py"] },
      after: { "cart.py": `${python["cart.py"]}\n`, "test_cart.py": own },
      run: ["python3", "-m", "unittest", "-q"],
    });
    match(lost.map(({ kind, tests }) => `${kind} ${tests.join()}`).join(), /^gone test_none/);
    const settings = '[tool.pytest.ini_options]\naddopts = "-k total"\n';
    const steered = await findLost({
      ...{ test: TEST, before: python, near: ["test_cart.py"] },
      after: { "cart.py": `${python["cart.py"]}\n`, "pyproject.toml": settings },
      run: ["python3", "-m", "pytest", "-q"],
    });
    deepEqual(steered.lost, [{ kind: "gone", tests: ["test_cart.py::CartTest::test_none"] }]);
  },
);
