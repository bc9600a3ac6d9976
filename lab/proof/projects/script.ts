/** A project in JavaScript, whose tests run by node:test. */
import type { MatrixProject } from "../project.ts";

/** Runs all tests. */
export const NODE = ["node", "--test"];
/** Begins a file of tests. */
export const HEAD = `const { test } = require("node:test");
const assert = require("node:assert");
`;

const RANGE = `exports.clamp = (value, low, high) => {
  if (value < low) return low;
  return value > high ? high : value;
};
`;
const RANGE_TEST = `${HEAD}const { clamp } = require("../src/range.js");
test("clamps", () => {
  assert.strictEqual(clamp(5, 1, 3), 3);
  assert.strictEqual(clamp(0, 1, 3), 1);
  assert.strictEqual(clamp(2, 1, 3), 2);
});
`;
const STEPS = `${RANGE}exports.steps = (low, high, step) => {
  if (step <= 0) throw new RangeError("step");
  const found = [];
  for (let at = low; at <= high; at += step) found.push(at);
  return found;
};
`;
const STEPS_TEST = `${RANGE_TEST}const { steps } = require("../src/range.js");
test("steps to the end", () => {
  assert.deepStrictEqual(steps(1, 5, 2), [1, 3, 5]);
  assert.deepStrictEqual(steps(1, 4, 2), [1, 3]);
});
test("refuses a step that leads nowhere", () => {
  assert.throws(() => steps(1, 5, 0), RangeError);
  assert.throws(() => steps(1, 5, -1), RangeError);
  assert.deepStrictEqual(steps(1, 2, 1), [1, 2]);
});
`;
const WRONG_STEPS = STEPS.replace("at <= high", "at < high");
const withTest = (body: string) =>
  `${RANGE_TEST}const { steps } = require("../src/range.js");\n${body}`;

/** A library of ranges. */
export const RANGE_PROJECT: MatrixProject = {
  name: "range",
  language: "JavaScript",
  special: "",
  run: NODE,
  needs: "node",
  files: {
    "src/range.js": RANGE,
    "test/range.test.js": RANGE_TEST,
    "package.json": '{ "name": "range", "scripts": { "test": "node --test" } }\n',
    ".gitignore": "generated.js\n",
  },
  changes: [
    {
      kind: "right",
      what: "lists steps",
      files: { "src/range.js": STEPS, "test/range.test.js": STEPS_TEST },
    },
    {
      kind: "right",
      what: "says the same in other words",
      files: {
        "src/range.js":
          "exports.clamp = (value, low, high) => Math.max(low, Math.min(value, high));\n",
        "test/range.test.js": RANGE_TEST.replace(
          "  assert.strictEqual(clamp(2",
          "  assert.strictEqual(clamp(9, 1, 3), 3);\n  assert.strictEqual(clamp(2",
        ),
      },
    },
    {
      kind: "hollow",
      what: "an empty list, and a test that takes it",
      files: {
        "src/range.js": `${RANGE}exports.steps = (low, high, step) => {\n  return [];\n};\n`,
        "test/range.test.js": withTest(
          'test("steps", () => assert.ok(Array.isArray(steps(1, 5, 2))));\n',
        ),
      },
    },
    {
      kind: "overfit",
      what: "answers the input of the test",
      files: {
        "src/range.js": `${RANGE}exports.steps = (low, high, step) => {
  if (low === 1 && high === 5 && step === 2) return [1, 3, 5];
  return [];
};
`,
        "test/range.test.js": withTest(
          'test("steps", () => assert.deepStrictEqual(steps(1, 5, 2), [1, 3, 5]));\n',
        ),
      },
    },
    {
      kind: "bound",
      what: "leaves the end out",
      files: {
        "src/range.js": WRONG_STEPS,
        "test/range.test.js": withTest(
          'test("steps", () => assert.deepStrictEqual(steps(1, 4, 2), [1, 3]));\n',
        ),
      },
    },
    {
      kind: "half",
      what: "takes a step that leads nowhere",
      files: {
        "src/range.js": STEPS.replace(
          '  if (step <= 0) throw new RangeError("step");\n',
          "  if (step < 0) return [];\n",
        ),
        "test/range.test.js": STEPS_TEST.replace("steps(1, 5, 0)", "steps(1, 5)"),
      },
    },
    {
      kind: "half",
      what: "the second clause has a test that only calls",
      files: {
        "src/range.js": STEPS.replace(
          '  if (step <= 0) throw new RangeError("step");\n',
          "  if (step <= 0) return [];\n",
        ),
        "test/range.test.js": withTest(
          `test("steps", () => assert.deepStrictEqual(steps(1, 5, 2), [1, 3, 5]));
test("refuses a step that leads nowhere", () => {
  steps(1, 5, 0);
});
`,
        ),
      },
    },
    {
      kind: "bent",
      what: "clamps to the wrong side",
      files: {
        "src/range.js": RANGE.replace("? high : value", "? low : value"),
        "test/range.test.js": RANGE_TEST.replace("clamp(5, 1, 3), 3", "clamp(5, 1, 3), 1"),
      },
    },
    { kind: "untested", what: "no test for it", files: { "src/range.js": WRONG_STEPS } },
    {
      kind: "here",
      what: "needs a generated file that git ignores",
      files: {
        "src/range.js":
          `const { START } = require("../generated.js");\n${STEPS}exports.START = START;\n`,
        "generated.js": "exports.START = 1;\n",
        "test/range.test.js": STEPS_TEST,
      },
    },
    {
      kind: "cheat",
      what: "the script of the tests is another one",
      files: {
        "src/range.js": WRONG_STEPS,
        "package.json":
          '{ "name": "range", "scripts": { "test": "node --test --test-name-pattern=clamps" } }\n',
        "test/range.test.js": STEPS_TEST,
      },
    },
    {
      kind: "trick",
      what: "an empty test that only loads",
      files: {
        "src/range.js": WRONG_STEPS,
        "test/range.test.js": withTest(
          'test("steps", () => assert.ok(typeof steps === "function"));\n',
        ),
      },
    },
    {
      kind: "trick",
      what: "a weak input: (2, 2)",
      files: {
        "src/range.js": `${RANGE}exports.power = (base, times) => base * times;\n`,
        "test/range.test.js":
          `${RANGE_TEST}test("power", () => assert.strictEqual(require("../src/range.js").power(2, 2), 4));\n`,
      },
    },
    {
      kind: "trick",
      what: "reads the source as text",
      files: {
        "src/range.js": WRONG_STEPS,
        "test/range.test.js": `${RANGE_TEST}test("steps", () => {
  const source = require("node:fs").readFileSync(require.resolve("../src/range.js"), "utf8");
  assert.match(source, /exports\\.steps/);
});
`,
      },
    },
    {
      kind: "trick",
      what: "passes only behind another test",
      files: {
        "src/range.js": WRONG_STEPS,
        "test/range.test.js": withTest(`let last = [1, 3, 5];
test("fills", () => { last = [1, 3]; assert.strictEqual(last.length, 2); });
test("steps", () => assert.deepStrictEqual(steps(1, 5, 2), last));
`),
      },
    },
  ],
};
