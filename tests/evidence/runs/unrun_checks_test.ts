/** Which configured checks no verification command runs. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { listUnrunChecks } from "../../../src/evidence/runs/unrun_checks.ts";

const TEXTS = {
  "pyproject.toml": "[project]\nname = 'x'\n[tool.mypy]\nstrict = true\n[tool.ruff.lint]\n",
  "tsconfig.json": "{}",
  ".golangci.yml": "",
};

Deno.test("listUnrunChecks() names what is configured and stands in no command, nor in a text behind one", () => {
  const names = (...ran: string[]) => listUnrunChecks(TEXTS, ran).map(({ name }) => name);
  deepEqual(names(), ["mypy", "ruff", "tsc", "golangci-lint"]);
  deepEqual(names(".venv/bin/mypy src", "tsc --noEmit && vitest", "make lint: golangci-lint run"), [
    "ruff",
  ]);
  deepEqual(names("vue-tsc", "python -m mypy", "ruff check", "golangci-lint-old"), [
    "golangci-lint",
  ]);
  deepEqual(listUnrunChecks({ "pyproject.toml": "[tool.pytest]", "tox.ini": "[tox]" }, []), []);
});
