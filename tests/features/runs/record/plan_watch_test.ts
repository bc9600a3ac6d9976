/** Which runner a command starts, and whether it can be watched. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { planWatches } from "../../../../src/features/runs/record/plan_watch.ts";
import { inTempProject } from "../../../support/temp_folder.ts";

const SCRIPTS = {
  test: "mocha --config x.json",
  check: "tsc && npm run lint",
  all: "npm run lint && npm test",
  lint: "eslint .",
};
const FILES = {
  "package.json": JSON.stringify({ scripts: SCRIPTS }),
  "Makefile": "test:\n\tpytest -q\n\nbuild:\n\tgcc a.c\n",
};

Deno.test("planWatches() finds the runner in the command, in the script behind it, or by the language", async () => {
  const rows: readonly (readonly [command: string, runner: string | null])[] = [
    ["npm test", "mocha"],
    ["npm run all", "mocha"],
    ["npm run check", null],
    ["npm run lint", null],
    ["make test", "pytest"],
    ["make build", null],
    ["uv run pytest -q", "pytest"],
    ["python3 -m unittest", "unittest"],
    ["python run_tests.py", "unittest"],
    ["node --test", "node:test"],
    ["node build.js", null],
    ["go vet ./...", null],
    ["go test ./...", "go test"],
    ["./test.sh", "./test.sh"],
    ["timeout 60 pytest", "pytest"],
    ["rm -rf pytest", null],
    ["pip install pytest", null],
  ];
  const commands = rows.map(([text], at) => ({
    ...{ name: `c${at}`, run: text.split(" "), paths: null, writes: [], timeoutMs: 1 },
  }));
  await inTempProject(FILES, async (root) => {
    const plans = await planWatches(root, commands);
    const found = rows.map(([text], at) => [
      text,
      plans.find(({ command }) => command.name === `c${at}`)?.runner ?? null,
    ]);
    deepEqual(found, rows);
  });
});
