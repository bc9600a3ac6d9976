/** The commands of a new set-up on real folders, with a PATH that has just what a row says. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { delimiter, dirname, join } from "node:path";
import { walkFiles } from "../../../src/backends/regular_files.ts";
import { chooseVerify } from "../../../src/project/setup/start_fault.ts";

const TEST = JSON.stringify({ scripts: { test: "x" } });
const MOCHA = JSON.stringify({ scripts: { test: "mocha --exit spec" } });
const UNIT = "import unittest\n";
/** What a virtual environment has at its top. */
const ENVIRONMENT = { ".venv/pyvenv.cfg": "home = /usr/bin\n", ".venv/bin/python": "" };

interface Row {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  /** Programs on PATH. */
  readonly programs: readonly string[];
  /** Modules that Python has. */
  readonly modules?: readonly string[];
  readonly startDir?: string;
  readonly verify: readonly string[];
  readonly left?: readonly string[];
}

const ROWS: readonly Row[] = [
  {
    name: "uv is missing and pytest is there",
    files: { "uv.lock": "", "pytest.ini": "" },
    programs: ["python3"],
    modules: ["pytest"],
    verify: ["pytest: python3 -m pytest -q"],
  },
  {
    name: "nothing that the project names can start, but a runner of the language can",
    files: { "uv.lock": "", "pytest.ini": "", "tests/test_a.py": UNIT },
    programs: ["python3"],
    verify: ["unittest: python3 -m unittest discover -s tests"],
  },
  {
    name: "nothing can start",
    files: { "uv.lock": "", "pytest.ini": "" },
    programs: [],
    verify: [],
    left: ["uv run pytest -q: uv is not on PATH", "python3 -m pytest -q: python3 is not on PATH"],
  },
  {
    name: "the Python of a virtual environment, which has the module",
    files: {
      "pytest.ini": "",
      ...ENVIRONMENT,
      ".venv/lib/python3.12/site-packages/pytest/a.py": "",
    },
    programs: ["python3"],
    modules: ["pytest"],
    verify: ["pytest: .venv/bin/python -m pytest -q"],
  },
  {
    name: "a virtual environment without the module, whose Python is not started",
    files: { "pytest.ini": "", ...ENVIRONMENT, "tests/test_a.py": UNIT },
    programs: [],
    verify: ["unittest: .venv/bin/python -m unittest discover -s tests"],
  },
  {
    name: "a virtual environment without the module, beside a Python that has it",
    files: { "pytest.ini": "", ...ENVIRONMENT },
    programs: ["python3"],
    modules: ["pytest"],
    verify: ["pytest: python3 -m pytest -q"],
  },
  {
    name: "the tests beside the folder that has most of them",
    files: {
      ...Object.fromEntries(
        Array.from({ length: 9 }, (_, at) => [`tests/all/test_${at}.py`, UNIT]),
      ),
      "tests/all/__init__.py": "",
      "tests/__init__.py": "",
      "tests/test_a.py": UNIT,
    },
    programs: ["python3"],
    verify: ["unittest: python3 -m unittest discover -s tests -t ."],
  },
  {
    name: "another manager of packages than the one that the project names",
    files: { "package.json": TEST, "pnpm-lock.yaml": "" },
    programs: ["npm"],
    verify: ["test: npm run test"],
  },
  {
    name: "no manager of packages, but the installed runner",
    files: { "package.json": MOCHA, "yarn.lock": "", "node_modules/.bin/mocha": "" },
    programs: ["node"],
    verify: ["test: node_modules/.bin/mocha --exit spec"],
  },
  {
    name: "an installed runner without the program that runs it",
    files: { "package.json": MOCHA, "node_modules/.bin/mocha": "" },
    programs: [],
    verify: [],
    left: [
      "npm run test: npm is not on PATH",
      "node_modules/.bin/mocha --exit spec: node is not on PATH",
    ],
  },
  {
    name: "a script that only a shell can read",
    files: { "package.json": JSON.stringify({ scripts: { test: "mocha && lint" } }) },
    programs: [],
    verify: [],
    left: ["npm run test: npm is not on PATH"],
  },
  {
    name: "a module is missing",
    files: { "pytest.ini": "" },
    programs: ["python3"],
    verify: [],
    left: ["python3 -m pytest -q: python has no module pytest"],
  },
  {
    name: "a package in which the person started",
    files: {
      "package.json": TEST,
      "packages/a/package.json": TEST,
      "packages/b/package.json": TEST,
    },
    programs: ["npm"],
    startDir: "packages/a/src",
    verify: ["test: npm run test", "test (packages/a): npm --prefix packages/a run test"],
  },
  {
    name: "a monorepo without a command at its top",
    files: { "package.json": "{}", "a/package.json": TEST, "b/package.json": TEST, "b/x/y.js": "" },
    programs: ["npm"],
    verify: ["test (a): npm --prefix a run test", "test (b): npm --prefix b run test"],
  },
  {
    name: "a monorepo with a command at its top",
    files: { "package.json": TEST, "a/package.json": TEST },
    programs: ["npm"],
    verify: ["test: npm run test"],
  },
];

for (const { name, files, programs, modules = [], startDir = "", verify, left = [] } of ROWS) {
  Deno.test(`init proposes only what can start here: ${name}`, async () => {
    const root = await Deno.makeTempDir({ prefix: "code-intel-verify-" });
    const bin = await Deno.makeTempDir({ prefix: "code-intel-bin-" });
    try {
      for (const [path, text] of Object.entries(files)) {
        await Deno.mkdir(dirname(join(root, path)), { recursive: true });
        // What lies among programs can be started, and would say so.
        const mode = /\/bin\/|\.bin\//.test(path) ? { mode: 0o755 } : {};
        await Deno.writeTextFile(join(root, path), text, mode);
      }
      for (const program of programs) {
        // Asked for a module, the stand-in for Python knows those of the row.
        const text = `#!/bin/sh\ncase " unittest ${
          modules.join(" ")
        } " in *" $4 "*) exit 0;; esac\nexit 9\n`;
        await Deno.writeTextFile(join(bin, program), text, { mode: 0o755 });
      }
      const path = ["/no/such/folder", bin].join(delimiter);
      const choice = await chooseVerify({ root, path, files: await walkFiles(root), startDir });
      deepEqual(choice.verify.map((row) => `${row.name}: ${row.run.join(" ")}`), verify);
      deepEqual(choice.left.map(({ run, fault }) => `${run.join(" ")}: ${fault}`), left);
    } finally {
      for (const folder of [root, bin]) await Deno.remove(folder, { recursive: true });
    }
  });
}
