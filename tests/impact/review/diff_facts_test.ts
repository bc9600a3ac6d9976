/** What the index says of a diff for its review, over real indexes and real git. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { createImpactProject } from "../../explore/with_programs.ts";

const TOTAL = [
  "export function sumOpen(items: { open: boolean; cents: number }[]): number {",
  "  let total = 0;",
  "  for (const item of items) {",
  "    if (item.open && item.cents > 0) {",
  "      total = total + item.cents * 100 - item.cents;",
  "    }",
  "  }",
  "  return total;",
  "}",
].join("\n");

Deno.test("describeDiff() names copies, new names without a use, files without a test and documents left behind", async () => {
  await using project = await createImpactProject({
    "src/sum.ts": `${TOTAL}\n`,
    "src/rate.ts": "export function toRate(cents: number) {\n  return cents / 100;\n}\n",
    "src/page.ts": 'import { toRate } from "./rate.ts";\nexport const shown = toRate(3);\n',
    "tests/rate_test.ts": 'import { toRate } from "../src/rate.ts";\ntoRate(1);\n',
    "tests/sum_test.ts": 'import { sumOpen } from "../src/sum.ts";\nsumOpen([]);\n',
    "docs/rates.md": "# Rates\n\nCall `toRate()` with cents.\n",
    "docs/other.md": "# Other\n\nNothing of it.\n",
  });
  const copy = TOTAL.replace("sumOpen", "addUp").replaceAll("total", "sum");
  await project.temp.write({
    "src/rate.ts":
      "export function toRate(cents: number) {\n  return Math.round(cents / 100);\n}\n",
    "src/bill.ts": `${copy}\n\nexport const billed = addUp([]);\n`,
    "src/page.ts":
      'import { billed } from "./bill.ts";\nimport { toRate } from "./rate.ts";\nexport const shown = toRate(3) + billed;\n\nfunction loop(n: number): number {\n  return loop(n - 1);\n}\n',
  });
  deepEqual(await project.describe(["src/rate.ts", "src/bill.ts", "src/page.ts"]), {
    repeated: ["src/bill.ts:1-9 as src/sum.ts:1-9"],
    unused: ["src/page.ts:5 loop"],
    untested: ["src/bill.ts"],
    documents: ["docs/rates.md:3 names toRate"],
  });
  // Of files that are not asked for nothing is said, and a document that changes too is no fact.
  await project.temp.write({
    "docs/rates.md": "# Rates\n\nCall `toRate()` with cents, rounded.\n",
  });
  deepEqual(await project.describe(["src/rate.ts", "docs/rates.md"]), {
    repeated: [],
    unused: [],
    untested: [],
    documents: [],
  });
});
