/** Scripts of a project that start a runner: read from real manifests, and started with the real programs. */
import { strictEqual as equal } from "node:assert/strict";
import { guessTestCommand } from "../../src/impact/test_command.ts";
import { narrowScript, runByScript } from "../../src/runners/project_script.ts";
import { testNeeding } from "../support/needs.ts";
import { inTempProject } from "../support/temp_folder.ts";

const tools = (scripts: Readonly<Record<string, string>>, files: readonly string[] = []) => ({
  texts: { "package.json": JSON.stringify({ scripts }) },
  hasFile: (path: string) => files.includes(path),
});

function check(
  scripts: Readonly<Record<string, string>>,
  expected: string | null,
  { tests = ["test/a.test.ts"], files = [] }: {
    readonly tests?: readonly string[];
    readonly files?: readonly string[];
  } = {},
): void {
  equal(runByScript(tests, tools(scripts, files))?.command ?? null, expected);
}

Deno.test("runByScript() hands files to the script that starts the runner last, as its package manager does", () => {
  const typedoc = {
    test: "mocha --config .config/mocha.fast.json",
    "test:cov": "c8 -r lcov mocha --config .config/mocha.fast.json",
    "test:full": "c8 -r lcov -r text-summary mocha --config .config/mocha.full.json",
  };
  check(typedoc, "npm test -- test/a.test.ts");
  check(typedoc, "pnpm test test/a.test.ts", { files: ["pnpm-lock.yaml"] });
  check(typedoc, "yarn test test/a.test.ts", { files: ["yarn.lock"] });
  check(typedoc, "bun run test test/a.test.ts", { files: ["bun.lock"] });
  const { test: _test, ...covered } = typedoc;
  check(covered, "npm run test:full -- test/a.test.ts");
  check(
    { lint: "eslint .", "test:unit": "cross-env CI=1 jest" },
    [
      "npm run test:unit -- --runTestsByPath test/a.test.ts",
    ].join(),
  );
  check({ test: "tsc -p . && NODE_ENV=test node --test" }, "npm test -- test/a.test.ts");
  // It would watch.
  check({ test: "vitest" }, "npm test -- run test/a.test.ts");
  check({ test: "vitest --run" }, "npm test -- test/a.test.ts");
  check({ test: "vitest run --coverage" }, "npm test -- test/a.test.ts");
  // What is built first belongs to the run, and a script hands on what it gets.
  const handed = { test: "pnpm run compile && pnpm run test:fast --", "test:fast": "mocha" };
  check(handed, "npm test -- test/a.test.ts");
  check({ test: "npm run test:unit", "test:unit": "mocha test" }, "npx -c 'mocha test/a.test.ts'");
  check({ test: "npm run test" }, null);
  check({ "test:watch": "vitest --watch", test: "vitest run" }, "npm test -- test/a.test.ts");
});

Deno.test("runByScript() puts the files in the place of those that the script names, and takes the script of their place", () => {
  const express = {
    test: "mocha --require test/support/env --reporter spec --check-leaks test/ test/acceptance/",
    "test-cov": "nyc --exclude examples --reporter=text mocha test/",
  };
  check(
    express,
    "npx -c 'mocha --require test/support/env --reporter spec --check-leaks test/a.js'",
    { tests: ["test/a.js"] },
  );
  check(
    { test: `npm run build && mocha "lib/**/*.spec.js" --exit` },
    "npx -c 'npm run build && mocha lib/a.spec.js --exit'",
    { tests: ["lib/a.spec.js"] },
  );
  check(
    { test: "mocha test/unit", "test:int": "mocha -t 9000 test/int" },
    "npx -c 'mocha -t 9000 test/int/a.test.ts'",
    { tests: ["test/int/a.test.ts"] },
  );
});

Deno.test("runByScript() takes no script whose last command runs no tests, or not once", () => {
  check({ test: "node Makefile.js test" }, null);
  check({ test: "mocha && eslint ." }, null);
  check({ test: "mocha | tee out.txt" }, null);
  check({ test: "mocha $FILES" }, null);
  check({ test: "jest --watch" }, null);
  check({ test: "jest --onlyChanged" }, null);
  check({ build: "mocha" }, null);
  check({ test: "mocha" }, null, { tests: ["tests/test_a.py"] });
  check({ test: `echo "Error: no test specified" && exit 1` }, null);
});

Deno.test("narrowScript() narrows a configured `npm test`, and leaves alone what starts no script", () => {
  const scripts = tools({ test: "jest", unit: "mocha test/unit" });
  const narrow = (run: string, tests: readonly string[]) => {
    const found = narrowScript(run.split(" "), tests, scripts);
    return found?.files.length === 0 ? "" : found?.command;
  };
  equal(narrow("npm test", ["a.test.ts"]), "npm test -- --runTestsByPath a.test.ts");
  equal(narrow("npm run unit", ["test/unit/a.test.ts"]), "npx -c 'mocha test/unit/a.test.ts'");
  equal(narrow("npm run unit", ["test/int/a.test.ts"]), "");
  equal(narrow("npm run none", ["a.test.ts"]), undefined);
  equal(narrow("npm test --silent", ["a.test.ts"]), undefined);
  equal(narrow("make test", ["a.test.ts"]), undefined);
});

const test = (name: string) =>
  `require("node:test")("${name}", () => { if (process.env.MODE !== "on") throw new Error(); });\n`;
const NARROWED = "npx -c 'MODE=on node --test test/b.test.js'";

testNeeding(
  ["npm", "posix"],
  "guessTestCommand() gives a command that runs one file with what its script sets, and nothing else",
  async () => {
    const texts = {
      "package.json": JSON.stringify({ scripts: { test: "MODE=on node --test test/*.test.js" } }),
    };
    const files = { "test/a.test.js": test("first"), "test/b.test.js": test("second") };
    await inTempProject({ ...texts, ...files }, async (cwd) => {
      const command = guessTestCommand(["test/b.test.js"], { texts, hasFile: () => false });
      equal(command, NARROWED);
      const { stdout } = await new Deno.Command("sh", { args: ["-c", NARROWED], cwd }).output();
      const printed = new TextDecoder().decode(stdout);
      equal(
        /pass 1\b/.test(printed) && /second/.test(printed) && !/first/.test(printed),
        true,
        printed,
      );
    });
  },
);
