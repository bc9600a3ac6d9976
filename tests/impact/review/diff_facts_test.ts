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
    "src/page.ts":
      'import { toRate } from "./rate.ts";\nexport const shown = toRate(3);\nfunction _loop() {\n  return 1;\n}\n_loop();\n',
    "tests/rate_test.ts": 'import { toRate } from "../src/rate.ts";\ntoRate(1);\n',
    "tests/sum_test.ts": 'import { sumOpen } from "../src/sum.ts";\nsumOpen([]);\n',
    "src/parse.py":
      "def parse(text):\n    if not text:\n        raise ValueError('Missing value')\n    raise ValueError(f'{text} is not a number in all')\n",
    "src/say.go":
      'package say\n\nfunc Say(n int) string {\n\treturn fmt.Sprintf("spoken so often: %d, as elsewhere said", n)\n}\n',
    "src/other.go": 'package say\n\nvar other = "as elsewhere said"\n',
    "tests/parse_test.py":
      'def test_parse():\n    with raises(ValueError, match="Missing value"):\n        parse("")\n    with raises(ValueError, match=r"is not a number"):\n        parse("a number")\n',
    "tests/say_test.go":
      'package say\n\nfunc TestSay(t *testing.T) {\n\tif Say(3) != "spoken so often: 3, as elsewhere said" {\n\t\tt.Fatal("as elsewhere said")\n\t}\n}\n',
    "docs/rates.md": "# Rates\n\nCall `toRate()` with cents.\n",
    // Parts of longer names, private names and new ones say nothing of the change.
    "docs/other.md":
      "# Other\n\nNothing of it: `toRateLimit()`, `TORATE`, `_loop()`, `loop()`, `billed`.\n",
  });
  const copy = TOTAL.replace("sumOpen", "addUp").replaceAll("total", "sum");
  await project.temp.write({
    "src/rate.ts":
      "export function toRate(cents: number) {\n  return Math.round(cents / 100);\n}\n",
    "src/bill.ts": `${copy}\n\nexport const billed = addUp([]);\n`,
    "src/page.ts":
      'import { billed } from "./bill.ts";\nimport { toRate } from "./rate.ts";\nexport const shown = toRate(3) + billed;\n\nfunction loop(n: number): number {\n  return loop(n - 1);\n}\nfunction _loop() {\n  return 2;\n}\n_loop();\n',
  });
  deepEqual(await project.describe(["src/rate.ts", "src/bill.ts", "src/page.ts"]), {
    repeats: ["src/bill.ts:1-9 as src/sum.ts:1-9"],
    new_and_unused: ["src/page.ts:5 loop"],
    new_without_test: ["src/bill.ts"],
    documents_unchanged: ["docs/rates.md:3 names toRate"],
  });
  // Of files that are not asked for nothing is said, and a document that changes too is no fact.
  await project.temp.write({
    "docs/rates.md": "# Rates\n\nCall `toRate()` with cents, rounded.\n",
  });
  deepEqual(await project.describe(["src/rate.ts", "docs/rates.md"]), {});
  // Messages that went out of the code, as tests of any language expect them: whole, in parts, filled in.
  const before = await project.describe(["src/parse.py", "src/say.go", "tests/new_test.py"]);
  deepEqual(before, {});
  await project.temp.write({
    "src/parse.py":
      "def parse(text):\n    if not text:\n        raise ValueError('the text is empty')\n    raise ValueError(f'no number in {text} at all')\n",
    "src/say.go":
      'package say\n\nfunc Say(n int) string {\n\treturn fmt.Sprintf("said %d times", n)\n}\n',
    "tests/new_test.py": 'def test_new():\n    assert "Missing value" not in run()\n',
  });
  const facts = await project.describe(["src/parse.py", "src/say.go", "tests/new_test.py"]);
  deepEqual(facts?.tests_expect_removed, [
    'tests/parse_test.py:2 expects "Missing value" of src/parse.py',
    'tests/parse_test.py:4 expects "is not a number" of src/parse.py',
    'tests/say_test.go:4 expects "spoken so often:" of src/say.go',
  ]);
});
