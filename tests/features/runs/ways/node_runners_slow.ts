/** Runners of the registry, as they are: mocha, Jest and Vitest tell each test, AVA each file. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import type { OtherNeed } from "../../../support/needs.ts";
import { testNeeding } from "../../../support/needs.ts";
import { makeProject, needProgram, showTests } from "./apart_run.ts";
import { SELECTED, STOPPED } from "../../../../src/features/runs/record/channel.ts";
import { watchNode } from "./node_run.ts";

const PACKAGES = ["mocha@11.7.5", "jest@29.7.0", "vitest@3.2.4", "vite@7.1.12", "ava@6.4.1"];

const TEST = `describe("price", () => {
  BEFORE(() => on("sold", () => 2));
  it("is rounded up", () => {
    if (emit("round", 1.5) !== 2) throw new Error("wrong");
  });
  it("is not sold", () => {
    if (emit("sold") !== 1) throw new Error("wrong");
  });
  it.skip("is left out", () => {});
});
`;

const ROOT = await makeProject({
  "package.json": '{"name":"shop","private":true,"ava":{"files":["ava/*"]}}',
  "src/events.js":
    `const handlers = {};\nexports.on = (name, one) => {\n  handlers[name] = one;\n};\nexports.emit = (name, value) => handlers[name](value);\n`,
  "src/price.js":
    `require("./events.js").on("round", function up(value) {\n  return Math.ceil(value);\n});\n`,
  "mocha/price.js":
    `const { on, emit } = require("../src/events.js");\nrequire("../src/price.js");\n${
      TEST.replace("BEFORE", "before")
    }`,
  "jest/price.test.js":
    `const { on, emit } = require("../src/events.js");\nrequire("../src/price.js");\n${
      TEST.replace("BEFORE", "beforeAll")
    }`,
  "ava/price.js":
    `const test = require("ava");\nconst { emit } = require("../src/events.js");\nrequire("../src/price.js");\ntest("is rounded up", (t) => t.is(emit("round", 1.5), 2));\n`,
  "vitest/events.ts":
    `interface Handlers {\n  [name: string]: (value?: number) => number;\n}\nconst handlers: Handlers = {};\nexport const on = (name: string, one: Handlers[string]) => {\n  handlers[name] = one;\n};\nexport const emit = (name: string, value?: number) => handlers[name](value);\n`,
  "vitest/price.ts":
    `import { on } from "./events";\n\ninterface Sum {\n  value: number;\n}\non("round", function up(value: Sum["value"]) {\n  return Math.ceil(value);\n});\n`,
  "vitest/price.test.ts":
    `import { beforeAll, describe, it } from "vitest";\nimport { emit, on } from "./events";\nimport "./price";\n${
      TEST.replace("BEFORE", "beforeAll")
    }`,
});

async function install(): Promise<OtherNeed> {
  const args = ["install", "--no-audit", "--no-fund", "--no-save", "--prefer-offline", ...PACKAGES];
  const output = await new Deno.Command("npm", { args, cwd: ROOT }).output().catch(() => null);
  return {
    what: "mocha, Jest, Vitest and AVA of the registry",
    hindrance: output?.success === true ? null : "npm cannot install them",
  };
}
const RUNNERS = await install();

const BIN = join(ROOT, "node_modules", ".bin");

/** What each test ran of the sources; in each of them both runs fail alike. */
async function show(program: string, ...args: readonly string[]) {
  const run = [join(BIN, program), ...args];
  const { recording, plain, watched, notes } = await watchNode({}, run, { root: ROOT });
  equal(watched.split("\n")[0], plain.split("\n")[0]);
  deepEqual([recording.isWhole, notes], [true, ""]);
  const isOwn = (place: string) => /^(?:src|vitest)\/\w+\.[jt]s:/.test(place);
  const shown = Object.entries(showTests(recording));
  return shown.map(([name, ran]) => [name, ran.split(" ").filter(isOwn).join(" ")]).sort();
}

const LOADED = ["loaded", "src/events.js:2"];

testNeeding([RUNNERS], "mocha: each test", async () => {
  deepEqual(await show("mocha", "mocha"), [
    LOADED,
    ["price > is left out skipped mocha/price.js", ""],
    ["price > is not sold failed mocha/price.js", "src/events.js:2 src/events.js:5"],
    [
      "price > is rounded up passed mocha/price.js",
      "src/events.js:2 src/events.js:5 src/price.js:1",
    ],
  ]);
});

testNeeding([RUNNERS], "Jest: each test, in its own process and in others", async () => {
  const expected = [
    ["jest/price.test.js price › is left out skipped jest/price.test.js", ""],
    [
      "jest/price.test.js price › is not sold failed jest/price.test.js",
      "src/events.js:2 src/events.js:5",
    ],
    [
      "jest/price.test.js price › is rounded up passed jest/price.test.js",
      "src/events.js:2 src/events.js:5 src/price.js:1",
    ],
    LOADED,
  ];
  deepEqual(await show("jest", "--runInBand", "jest/price"), expected);
  const options = ["--maxWorkers=2", "--forceExit", "jest/"];
  await Deno.writeTextFile(join(ROOT, "jest/other.test.js"), 'test("other", () => {});\n');
  const shown = await show("jest", ...options);
  deepEqual(shown.filter(([name]) => !name?.includes("other")), expected);
});

testNeeding(
  [RUNNERS],
  "Vitest: each test, in processes and in threads, by the lines of TypeScript",
  async () => {
    for (const pool of ["forks", "threads"]) {
      deepEqual(await show("vitest", "run", `--pool=${pool}`, "--dir=vitest"), [
        ["loaded", "vitest/events.ts:5"],
        [
          "vitest/price.test.ts > price > is not sold failed vitest/price.test.ts",
          "vitest/events.ts:5 vitest/events.ts:8",
        ],
        [
          "vitest/price.test.ts > price > is rounded up passed vitest/price.test.ts",
          "vitest/events.ts:5 vitest/events.ts:8 vitest/price.ts:6",
        ],
      ], pool);
    }
  },
);

testNeeding([RUNNERS], "AVA: each file", async () => {
  deepEqual(await show("ava"), [
    ["ava/price.js unknown ava/price.js", "src/events.js:2 src/events.js:5 src/price.js:1"],
    ["loaded", ""],
  ]);
});

testNeeding(
  [needProgram("node", "--version")],
  "10,000 tests are all told, sharing intervals where time is short",
  async () => {
    const files = {
      "src/paid.js": "exports.thank = () => 1;\n",
      "test/many.test.js": `const test = require("node:test");
const { thank } = require("../src/paid.js");
for (let at = 0; at < 10_000; at++) test("t" + at, () => thank());
`,
    };
    const run = ["node", "--test", "--test-reporter=tap"];
    const { recording } = await watchNode(files, run, { isPlain: false });
    deepEqual([recording.tests.length, recording.isWhole, recording.notes], [10_000, true, []]);
    const own = recording.functions.findIndex(({ path }) => path === "src/paid.js");
    equal(recording.tests.every(({ ran }) => ran.includes(own)), true);
  },
);

testNeeding(
  [RUNNERS],
  "a run that stops at a failure, or that leaves tests out, is no whole record",
  async () => {
    const only = 'it.only("a", () => {});\nit("b", () => {});\n';
    const head = 'import { it } from "vitest";\n';
    const stops = 'it("a", () => { throw new Error("no"); });\nit("b", () => {});\n';
    await Deno.mkdir(join(ROOT, "left"));
    const write = (name: string, text: string) =>
      Deno.writeTextFile(join(ROOT, "left", name), text);
    await write("only.js", only);
    await write("stops.js", stops);
    await write("jest_only.test.js", only);
    await write("jest_stops.test.js", stops);
    await write("vitest_only.test.ts", head + only);
    await write("vitest_stops.test.ts", head + stops);
    for (
      const [note, program, ...args] of [
        [SELECTED, "mocha", "left/only.js"],
        [SELECTED, "mocha", "--grep", "b", "left/stops.js"],
        [STOPPED, "mocha", "--bail", "left/stops.js"],
        [SELECTED, "jest", "left/jest_only.test.js"],
        [SELECTED, "jest", "left/jest_stops.test.js", "-t", "b"],
        [STOPPED, "jest", "--bail", "left/jest_stops.test.js"],
        [SELECTED, "vitest", "run", "--allowOnly", "left/vitest_only.test.ts"],
        [SELECTED, "vitest", "run", "left/vitest_stops.test.ts", "-t", "b"],
        [STOPPED, "vitest", "run", "--bail", "1", "left/vitest_stops.test.ts"],
      ] as const
    ) {
      const run = [join(BIN, program), ...args];
      const { recording, notes } = await watchNode({}, run, { root: ROOT, isPlain: false });
      deepEqual([recording.isWhole, notes], [false, note], run.slice(1).join(" "));
    }
  },
);
