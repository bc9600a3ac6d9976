/** Projects in JavaScript with something special: packages of one repository, a flaky test, no tests. */
import type { MatrixProject } from "../project.ts";
import { HEAD, NODE } from "./script.ts";

const TAX = `exports.tax = (amount, rate) => Math.round(amount * rate) / 100;
`;
const INVOICE = `const { tax } = require("../../tax/src/tax.js");
exports.total = (amount, rate) => amount + tax(amount, rate);
`;
const INVOICE_TEST = `${HEAD}const { total } = require("../src/invoice.js");
test("adds the tax", () => assert.strictEqual(total(100, 19), 119));
`;
const TAX_TEST = `${HEAD}const { tax } = require("../src/tax.js");
test("computes the tax", () => assert.strictEqual(tax(50, 10), 5));
`;
const REDUCED = `exports.tax = (amount, rate, isReduced = false) =>
  Math.round(amount * (isReduced ? rate / 2 : rate)) / 100;
`;
const REDUCED_TEST = `${TAX_TEST}test("halves a reduced rate", () => {
  assert.strictEqual(tax(50, 10, true), 2.5);
  assert.strictEqual(tax(50, 10, false), 5);
});
`;

/** Packages of one repository, one of which uses another. */
export const SHOP_PROJECT: MatrixProject = {
  name: "shop",
  language: "JavaScript",
  special: "monorepo",
  run: NODE,
  needs: "node",
  files: {
    "package.json": '{ "private": true, "workspaces": ["packages/*"] }\n',
    "packages/tax/package.json": '{ "name": "tax", "main": "src/tax.js" }\n',
    "packages/tax/src/tax.js": TAX,
    "packages/tax/test/tax.test.js": TAX_TEST,
    "packages/invoice/package.json": '{ "name": "invoice", "main": "src/invoice.js" }\n',
    "packages/invoice/src/invoice.js": INVOICE,
    "packages/invoice/test/invoice.test.js": INVOICE_TEST,
  },
  changes: [
    {
      kind: "right",
      what: "a reduced rate",
      files: { "packages/tax/src/tax.js": REDUCED, "packages/tax/test/tax.test.js": REDUCED_TEST },
    },
    {
      kind: "dependent",
      what: "an object for the arguments; the other package calls as before",
      files: {
        "packages/tax/src/tax.js":
          "exports.tax = ({ amount, rate }) => Math.round(amount * rate) / 100;\n",
        "packages/tax/test/tax.test.js": TAX_TEST.replace(
          "tax(50, 10)",
          "tax({ amount: 50, rate: 10 })",
        ),
      },
    },
    {
      kind: "dependent",
      what: "the function has another name",
      files: {
        "packages/tax/src/tax.js": TAX.replace("exports.tax", "exports.computeTax"),
        "packages/tax/test/tax.test.js": TAX_TEST.replaceAll("tax }", "computeTax }").replace(
          "tax(50",
          "computeTax(50",
        ),
      },
    },
    {
      kind: "removed",
      what: "the test of the package that breaks is gone",
      files: {
        "packages/tax/src/tax.js":
          "exports.tax = ({ amount, rate }) => Math.round(amount * rate) / 100;\n",
        "packages/tax/test/tax.test.js": TAX_TEST.replace(
          "tax(50, 10)",
          "tax({ amount: 50, rate: 10 })",
        ),
        "packages/invoice/test/invoice.test.js": null,
      },
    },
    {
      kind: "overfit",
      what: "2.5 for the one input",
      files: {
        "packages/tax/src/tax.js": `exports.tax = (amount, rate, isReduced = false) => {
  if (isReduced && amount === 50) return 2.5;
  return Math.round(amount * rate) / 100;
};
`,
        "packages/tax/test/tax.test.js":
          `${TAX_TEST}test("halves a reduced rate", () => assert.strictEqual(tax(50, 10, true), 2.5));
`,
      },
    },
  ],
};

const CACHE = `exports.createCache = (size) => {
  const kept = new Map();
  return {
    get: (key) => kept.get(key),
    set: (key, value) => {
      kept.set(key, value);
      if (kept.size > size) kept.delete(kept.keys().next().value);
    },
  };
};
`;
const CACHE_TEST = `${HEAD}const { createCache } = require("../src/cache.js");
test("keeps the last ones", () => {
  const cache = createCache(2);
  for (const key of [1, 2, 3]) cache.set(key, key);
  assert.strictEqual(cache.get(1), undefined);
  assert.strictEqual(cache.get(2), 2);
  assert.strictEqual(cache.get(3), 3);
});
test("is quick", () => assert.ok(process.hrtime.bigint() % 3n !== 0n));
`;
const HAS = CACHE.replace("    get:", "    has: (key) => kept.has(key),\n    get:");
const HAS_TEST = `${CACHE_TEST}test("says what it has", () => {
  const cache = createCache(1);
  cache.set("a", undefined);
  assert.strictEqual(cache.has("a"), true);
  assert.strictEqual(cache.has("b"), false);
});
`;

/** A cache, of which one test fails by chance. */
export const CACHE_PROJECT: MatrixProject = {
  name: "cache",
  language: "JavaScript",
  special: "flaky test",
  run: NODE,
  needs: "node",
  files: { "src/cache.js": CACHE, "test/cache.test.js": CACHE_TEST },
  changes: [
    {
      kind: "right",
      what: "says what it has",
      files: { "src/cache.js": HAS, "test/cache.test.js": HAS_TEST },
    },
    {
      kind: "hollow",
      what: "has everything",
      files: {
        "src/cache.js": CACHE.replace("    get:", "    has: () => true,\n    get:"),
        "test/cache.test.js": `${CACHE_TEST}test("says what it has", () => {
  const cache = createCache(1);
  cache.set("a", 1);
  assert.ok(cache.has("a"));
});
`,
      },
    },
    {
      kind: "bound",
      what: "keeps one more",
      files: {
        "src/cache.js": CACHE.replace("kept.size > size", "kept.size > size + 1"),
        "test/cache.test.js": CACHE_TEST.replace("createCache(2)", "createCache(1)"),
      },
    },
    {
      kind: "weakened",
      what: "an assertion less",
      files: {
        "src/cache.js": CACHE.replace("kept.size > size", "kept.size > size * 2"),
        "test/cache.test.js": CACHE_TEST.replace(
          "  assert.strictEqual(cache.get(1), undefined);\n",
          "",
        ),
      },
    },
  ],
};

const ROMAN = `const SIGNS = [[10, "X"], [9, "IX"], [5, "V"], [4, "IV"], [1, "I"]];
exports.toRoman = (number) => {
  let text = "";
  for (const [value, sign] of SIGNS) {
    while (number >= value) {
      text += sign;
      number -= value;
    }
  }
  return text;
};
`;

/** A project that has no test yet. */
export const ROMAN_PROJECT: MatrixProject = {
  name: "roman",
  language: "JavaScript",
  special: "no tests",
  run: NODE,
  needs: "node",
  files: { "src/names.js": 'exports.names = ["one", "two"];\n', "README.md": "# roman\n" },
  changes: [
    {
      kind: "right",
      what: "numbers of Rome, with the first test",
      files: {
        "src/roman.js": ROMAN,
        "test/roman.test.js": `${HEAD}const { toRoman } = require("../src/roman.js");
test("writes numbers", () => {
  const written = [1, 4, 5, 9, 10, 14, 28].map(toRoman);
  assert.deepStrictEqual(written, ["I", "IV", "V", "IX", "X", "XIV", "XXVIII"]);
});
`,
      },
    },
    {
      kind: "untested",
      what: "the same without a test",
      files: { "src/roman.js": ROMAN.replace(">= value", "> value") },
    },
    {
      kind: "symptom",
      what: "catches what fails",
      files: {
        "src/names.js": `exports.names = ["one", "two"];
exports.find = (name) => {
  try {
    return exports.names.find((one) => one.is(name));
  } catch {
    return undefined;
  }
};
`,
        "test/names.test.js": `${HEAD}const { find } = require("../src/names.js");
test("finds no name that is not there", () => assert.strictEqual(find("three"), undefined));
`,
      },
    },
  ],
};
