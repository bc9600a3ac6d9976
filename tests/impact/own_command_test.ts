/** The command of the affected tests, by the verification commands of the configuration. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import type { OwnCommand } from "../../src/impact/test_command.ts";
import { toTestRun } from "../../src/impact/test_command.ts";
import { createImpactProject } from "./impact_project.ts";

const PYTEST = { name: "unit", run: ["uv", "run", "pytest", "-q"], paths: null };
const LINT = { name: "lint", run: ["uv", "run", "ruff", "check"], paths: null };

function check(
  tests: readonly string[],
  own: readonly OwnCommand[],
  expected: readonly [command: string, from: readonly string[]] | null,
): void {
  const tools = { texts: {}, hasFile: () => false };
  const found = toTestRun(tests, { own, targets: ["src/a.py"], tools });
  deepEqual(found === null ? null : [found.command, found.from], expected);
}

Deno.test("toTestRun() takes the project's own command, with the files at its end where it takes them", () => {
  const tests = ["tests/test_b.py", "tests/test_a.py"];
  check(tests, [LINT, PYTEST], ["uv run pytest -q tests/test_b.py tests/test_a.py", ["unit"]]);
  check(tests, [LINT], ["python3 -m pytest tests/test_b.py tests/test_a.py", []]);
  check([], [PYTEST], null);
  const whole = { name: "all", run: ["make", "test"], paths: null };
  check(tests, [whole], ["make test", ["all"]]);
  const folder = { ...PYTEST, run: ["pytest", "tests/unit"] };
  check(["tests/unit/test_a.py"], [folder], ["pytest tests/unit/test_a.py", ["unit"]]);
  check(["tests/test_b.py"], [folder], ["python3 -m pytest tests/test_b.py", []]);
});

Deno.test("toTestRun() leaves out commands of other files, and guesses what none of its own runs", () => {
  const web = { name: "web", run: ["npx", "vitest", "run"], paths: null };
  const tests = ["tests/test_a.py", "web/a.test.ts"];
  check(tests, [web, PYTEST], [
    "npx vitest run web/a.test.ts && uv run pytest -q tests/test_a.py",
    ["web", "unit"],
  ]);
  check(tests, [web], [
    "npx vitest run web/a.test.ts && python3 -m pytest tests/test_a.py",
    ["web"],
  ]);
  check(["tests/test_a.py"], [web, PYTEST], ["uv run pytest -q tests/test_a.py", ["unit"]]);
  check(["tests/test_a.py"], [{ ...PYTEST, paths: ["web/**"] }], [
    "python3 -m pytest tests/test_a.py",
    [],
  ]);
  check(["tests/test_a.py"], [{ ...PYTEST, paths: ["**/*.{py,toml}"] }], [
    "uv run pytest -q tests/test_a.py",
    ["unit"],
  ]);
});

Deno.test("analyze() proposes the project's own command, its nearest test first", async () => {
  await using project = await createImpactProject({
    "shop/cart.py": "class Cart:\n    def add(self):\n        return 1\n",
    "shop/order.py": "from shop.cart import Cart\n\ndef order():\n    return Cart().add()\n",
    "tests/test_all.py": "from shop.order import order\n\ndef test_all():\n    assert order()\n",
    "tests/test_cart.py":
      "from shop.cart import Cart\n\ndef test_add():\n    assert Cart().add()\n",
  }, { commands: [PYTEST] });
  const { tests, testRun } = await project.ask({ targetFiles: ["shop/cart.py"] });
  deepEqual(tests, ["tests/test_cart.py", "tests/test_all.py"]);
  equal(testRun?.command, "uv run pytest -q tests/test_cart.py tests/test_all.py");
});
