/** Node, on real projects: its own runner tells each test, whatever the tests do to the tracer. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { Buffer } from "node:buffer";
import { join } from "node:path";
import { testNeeding } from "../../../support/needs.ts";
import { needProgram, showTests } from "./apart_run.ts";
import { watchNode } from "./node_run.ts";

const NODE = needProgram("node", "--version");
const RUN = ["node", "--test", "--test-reporter=tap"];

const SHOP = {
  "src/events.js": `const handlers = {};
exports.on = (name, handler) => {
  handlers[name] = handler;
};
exports.emit = (name) => handlers[name]();
`,
  "src/paid.js": `const { on } = require("./events.js");
on("paid", function thank() {
  return "thanks";
});
exports.child = () => "child";
exports.never = () => 0;
`,
};

const HEAD = `const test = require("node:test");
const assert = require("node:assert");
const events = require("../src/events.js");
require("../src/paid.js");
`;

testNeeding(
  [NODE],
  "each test has what it ran, with its set-up and the processes that it started",
  async () => {
    const { recording, plain, watched } = await watchNode({
      ...SHOP,
      "test/shop.test.js": `${HEAD}
const { execFileSync } = require("node:child_process");
test.describe("shop", () => {
  test.before(() => events.on("sold", () => 1));
  test.it("thanks", () => {
    assert.equal(events.emit("paid"), "thanks");
  });
  test.it("starts another process", () => {
    execFileSync(process.execPath, ["-e", "require('./src/paid.js').child()"]);
  });
  test.it("fails", () => assert.equal(events.emit("sold"), 2));
});
`,
    }, RUN);
    equal(watched, plain);
    const shown = showTests(recording);
    const own = (text = "") => text.split(" ").filter((one) => one.startsWith("src/")).join(" ");
    deepEqual(
      Object.entries(shown).map(([name, ran]) => [name, own(ran)]),
      [
        ["shop > thanks passed test/shop.test.js", "src/events.js:2 src/events.js:5 src/paid.js:2"],
        // The other process loads the module, which registers its handler.
        [
          "shop > starts another process passed test/shop.test.js",
          "src/events.js:2 src/paid.js:5",
        ],
        ["shop > fails failed test/shop.test.js", "src/events.js:2 src/events.js:5"],
        ["loaded", "src/events.js:2"],
      ],
    );
    deepEqual([recording.runner, recording.isWhole, recording.notes], ["node:test", true, []]);
  },
);

const TESTS = (names: readonly string[], body: string) =>
  `${HEAD}${names.map((name) => `test("${name}", async () => {${body}});\n`).join("")}`;

/** Time enough that a test has a record of its own also where the machine is busy: quick neighbours share one. */
const TAKES_LONG = "await new Promise((done) => setTimeout(done, 800));";

testNeeding(
  [NODE],
  "what a test does to its process costs no other test, and what is lost is told",
  async () => {
    const { recording, plain, watched, notes } = await watchNode({
      ...SHOP,
      "test/a.test.js": `${TESTS(["before"], `events.emit("paid");${TAKES_LONG}`)}
test("exits", () => { events.emit("paid"); process.exit(0); });
`,
      "test/b.test.js": `${TESTS(["before kill"], `events.emit("paid");${TAKES_LONG}`)}
test("is killed", () => { events.emit("paid"); process.kill(process.pid, "SIGKILL"); });
`,
      "test/c.test.js": `${HEAD}
const inspector = require("node:inspector");
test("breaks the inspector", async () => {
  ${TAKES_LONG}
  inspector.Session.prototype.post = () => { throw new Error("no"); };
  require.cache[require.resolve("../src/events.js")] = undefined;
  require("node:fs").writeSync = () => { throw new Error("no"); };
  process.removeAllListeners("exit");
  performance.now = () => 0;
});
test("after it", () => events.emit("paid"));
test("the last one", () => {});
`,
    }, RUN);
    equal(watched, plain);
    const shown = showTests(recording);
    for (
      const name of ["before passed test/a", "before kill passed test/b", "after it passed test/c"]
    ) {
      const told = `${name}: ${JSON.stringify(shown)}`;
      match(shown[`${name}.test.js`] ?? "", /src\/events\.js:5 src\/paid\.js:2/, told);
    }
    match(shown["exits unknown test/a.test.js"] ?? "", /src\/events\.js:5/);
    equal(recording.isWhole, false);
    match(notes, /2 processes ended before its tracer could write its last row/);
  },
);

testNeeding(
  [NODE],
  "a test that removes the channel, or writes into it, changes no result and invents no test",
  async () => {
    const files = {
      ...SHOP,
      "test/a.test.js": `${HEAD}
const fs = require("node:fs");
test("prints to the channel", () => {
  const folder = process.env.CODE_INTEL_RUNS;
  if (folder) fs.writeFileSync(folder + "/1-x.ndjson", '{"test":{"name":"x"}}\\n[1]\\n');
});
test("works", () => events.emit("paid"));
`,
    };
    const { recording, plain, watched } = await watchNode(files, RUN);
    equal(watched, plain);
    deepEqual(recording.tests.map(({ name }) => name), ["prints to the channel", "works"]);
    equal(recording.isWhole, false);
    const removing = await watchNode({
      ...files,
      "test/b.test.js": `${HEAD}
test("removes it", () => {
  const folder = process.env.CODE_INTEL_RUNS;
  if (folder) require("node:fs").rmSync(folder, { recursive: true });
  require("node:child_process").execFileSync(process.execPath, ["-e", "1"]);
});
`,
    }, RUN);
    equal(removing.watched, removing.plain);
    equal(removing.recording.isWhole, false);
  },
);

testNeeding([NODE], "functions are those of the file that a source map names", async () => {
  // Line 2 of the script is line 4 of the source.
  const map = (source: string) =>
    `//# sourceMappingURL=data:application/json;base64,${
      Buffer.from(JSON.stringify({ version: 3, sources: [source], names: [], mappings: ";cAGA" }))
        .toString("base64")
    }\n`;
  const script = '"use strict";\nexports.half = function half(a) {\n  return a / 2;\n};\n';
  const { recording } = await watchNode(
    {
      "src/built.ts": "\n\n\nexport const half = (a: number) => a / 2;\n",
      "src/loaded.ts": "\n\n\nexport const half = (a: number) => a / 2;\n",
      "dist/built.js": `${script}${map("../src/built.ts")}`,
      "test/a.test.js": `const test = require("node:test");
const script = ${JSON.stringify(script + map("loaded.ts"))};
test("built", () => require("../dist/built.js").half(1));
test("made while it is loaded", () => {
  const file = require("node:path").join(__dirname, "../src/loaded.ts");
  global.exports = {};
  require("node:vm").runInThisContext(script, { filename: file });
  global.exports.half(1);
});
`,
    },
    RUN,
    { isPlain: false },
  );
  deepEqual(
    recording.functions.filter(({ path }) => path.startsWith("src/")),
    [
      { path: "src/built.ts", line: 4, name: "exports.half" },
      { path: "src/loaded.ts", line: 4, name: "exports.half" },
    ].map((one) => ({ ...one, name: "half" })),
  );
});

testNeeding(
  [NODE],
  "a process that counts coverage itself is left alone, and it is told",
  async () => {
    const { recording, notes } = await watchNode(
      {
        ...SHOP,
        "test/a.test.js": TESTS(["works"], 'events.emit("paid")'),
      },
      RUN,
      { isPlain: false, env: { NODE_V8_COVERAGE: join(await Deno.makeTempDir(), "v8") } },
    );
    deepEqual([recording.tests.length, recording.isWhole], [0, false]);
    match(notes, /A process counts coverage itself/);
  },
);

testNeeding([NODE], "a call between files is seen though it goes through a library", async () => {
  const { recording } = await watchNode(
    {
      "src/work.js": `exports.work = function work() {
  for (const end = Date.now() + 300; Date.now() < end;);
};
`,
      "node_modules/bus/index.js": "exports.send = (to) => [1].forEach(() => to());\n",
      "src/shop.js": `const { send } = require("bus");

exports.sell = function sell() {
  send(require("./work.js").work);
};
`,
      "test/a.test.js": `require("node:test")("sells", () => require("../src/shop.js").sell());\n`,
    },
    RUN,
    { isPlain: false },
  );
  const show = (at: number) => {
    const { path = "", line = 0, name = "" } = recording.functions[at] ?? {};
    return `${path}:${line} ${name.replace(/^exports\./, "")}`;
  };
  const calls = recording.calls.map(([from, to]) => `${show(from)} → ${show(to)}`);
  equal(calls.includes("src/shop.js:3 sell → src/work.js:1 work"), true, calls.join("\n"));
});
