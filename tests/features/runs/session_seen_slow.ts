/**
 * A session on a project whose tests reach the changed code by a registry, so that no name leads to them: its steps name
 * them by what was recorded, wrong versions of the change run against them alone, and map and report colour what none runs.
 */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { SYSTEM_CLOCK } from "../../../src/base/clock.ts";
import { createMapReader } from "../../../src/features/map/gather_map.ts";
import { testNeeding } from "../../support/needs.ts";
import { runHosted } from "../../support/server/hosted_cli.ts";
import type { Project } from "../../workflow/project_fixture.ts";
import { COMMON, createProject, FRAME } from "../../workflow/project_fixture.ts";
import { needProgram } from "./ways/apart_run.ts";
import { allow, REPORT } from "../../workflow/verify/verified_project.ts";

const LOANS = `export class Loan {
  isLate(days: number): boolean {
    return days > 14;
  }

  renew(days: number): number {
    return days + 7;
  }
}
`;
const FILES = {
  "src/loans.ts": LOANS,
  "src/rules.ts": `import { Loan } from "./loans.ts";
const members: Record<string, unknown> = Object.getOwnPropertyDescriptors(Loan.prototype);
export function apply(rule: string, days: number): unknown {
  const { value } = members[rule] as { value: (days: number) => unknown };
  return value(days);
}
`,
  "tests/rules.test.ts": `import { apply } from "../src/rules.ts";
Deno.test("a rule is applied", () => {
  if (apply(["is", "Late"].join(""), 15) !== true) throw new Error("late");
});
`,
  "tests/loans.test.ts": `import { Loan } from "../src/loans.ts";
Deno.test("a loan can be made", () => void new Loan());
`,
};

async function createLoans(
  verify: object,
  { files = FILES, baseline = "off", context = "" }: {
    readonly files?: Readonly<Record<string, string>>;
    readonly baseline?: "auto" | "off";
    readonly context?: string;
  } = {},
): Promise<Project> {
  const project = await createProject({
    files: {
      ...files,
      ".code-intel/config.json": JSON.stringify({ verify: [verify], verify_baseline: baseline }),
      ".code-intel/context.yml": `mutants: {when: always, seconds: 120}\n${context}`,
    },
  });
  await allow(project);
  return project;
}

Deno.test("a session names the tests that reach code by a registry, and tries its wrong versions on them alone", async () => {
  const run = [Deno.execPath(), "test", "--no-check", "--no-config", "--no-lock"];
  await using project = await createLoans({ name: "test", run });
  const env = { CODE_INTEL_STATE_DIR: project.stateDir };
  const recorded = await runHosted(["runs", "record"], { cwd: project.root, env });
  equal(recorded.code, 0, recorded.stderr);
  await project.services.index.sync();

  await project.start({ flags: { fast: true, no_doc: true } });
  const planning = await project.must({ ...FRAME, target_symbols: ["Loan"] });
  match(
    planning.run_by,
    /^Loan\.isLate: run by 1 test file, nearest tests\/rules\.test\.ts; Loan\.renew: not run by any recorded test \(recorded for 2 test files\)$/,
  );
  await project.plan("Let src/loans.ts count the last day");
  const edit = LOANS.replace("days > 14", "days >= 15");
  const done = await project.work({ "src/loans.ts": edit }, ["src/loans.ts:3"]);
  equal(done.substep, "complete", JSON.stringify(done));
  match(done.run_by, /^Loan\.isLate: run by 1 test file, .*1 file changed since\)$/);
  ok(
    done.run_first.endsWith("test --no-check --no-config --no-lock tests/rules.test.ts"),
    done.run_first,
  );

  await project.must({ ...COMMON, observed: {} });
  let reply = await project.submit({ ...REPORT, passed: true });
  while (reply.verification_running === true) {
    reply = await project.submit({ ...REPORT, passed: true });
  }
  equal(reply.verified, true, JSON.stringify(reply));
  // The other file of tests imports the class, and is the nearest by names.
  const { mutants } = (await project.state()).verification ?? {};
  deepEqual(mutants?.tests, ["tests/rules.test.ts"]);
  ok((mutants?.killed ?? 0) > 0, JSON.stringify(mutants));
});

/** A project of a runner that is watched from inside, whose test reaches the code by a name that it puts together. */
interface Watched {
  readonly program: string;
  readonly run: readonly string[];
  /** The file that changes, and what of it. */
  readonly path: string;
  readonly edit: readonly [before: string, after: string];
  readonly names: readonly [ran: string, idle: string];
  readonly first: string | undefined;
  readonly files: Readonly<Record<string, string>>;
}

const WATCHED: readonly Watched[] = [{
  program: "python3",
  run: ["python3", "-m", "unittest", "discover"],
  path: "shop/loans.py",
  edit: ["days > 14", "days >= 15"],
  names: ["Loan.is_late", "Loan.renew"],
  // It takes no files, so that it would run all.
  first: undefined,
  files: {
    "shop/__init__.py": "",
    "shop/loans.py": `class Loan:
    def is_late(self, days):
        return days > 14

    def renew(self, days):
        return days + 7
`,
    "shop/rules.py": `from shop.loans import Loan


def apply(rule, days):
    return getattr(Loan(), "_".join(rule))(days)
`,
    "tests/__init__.py": "",
    "tests/test_rules.py": `import unittest
from shop.rules import apply


class Rules(unittest.TestCase):
    def test_late(self):
        self.assertTrue(apply(["is", "late"], 15))
        self.assertFalse(apply(["is", "late"], 14))

    def test_nothing(self):
        self.assertEqual(1, 1)
`,
  },
}, {
  program: "node",
  run: ["node", "--test"],
  path: "shop/loans.js",
  edit: ["days > 14", "days >= 15"],
  names: ["Loan.isLate", "Loan.renew"],
  first: "node --test tests/rules.test.js",
  files: {
    "package.json": "{}",
    "shop/loans.js": `class Loan {
  isLate(days) {
    return days > 14;
  }

  renew(days) {
    return days + 7;
  }
}
exports.Loan = Loan;
`,
    "shop/rules.js": `const { Loan } = require("./loans.js");
exports.apply = (rule, days) => new Loan()[rule.join("")](days);
`,
    "tests/rules.test.js": `const test = require("node:test");
const assert = require("node:assert");
const { apply } = require("../shop/rules.js");
test("late", () => assert.equal(apply(["is", "Late"], 15), true));
test("nothing", () => assert.equal(1, 1));
`,
  },
}];

for (const { program, run, path, edit, names: [ran, idle], first, files } of WATCHED) {
  testNeeding(
    [needProgram(program, "--version")],
    `with \`runs: on\` the ${program} run at the start of a session records, and its steps tell of it`,
    async () => {
      await using project = await createLoans({ name: "unit", run }, {
        ...{ files, baseline: "auto", context: "runs: on\n" },
      });
      await project.services.index.sync();
      const started = await project.start({ flags: { fast: true, no_doc: true } });
      equal(started.verify_baseline, "running");
      while ((await project.verification.runner.read(started.session_id)).length === 0) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      const planning = await project.must({ ...FRAME, target_symbols: ["Loan"] });
      const [, nearest = ""] = /, nearest ([^;]+); /.exec(planning.run_by) ?? [];
      match(nearest, /late/);
      equal(
        planning.run_by,
        `${ran}: run by 1 test, nearest ${nearest}; ${idle}: not run by any recorded test (recorded for 2 tests)`,
      );
      await project.plan(`Let ${path} count the last day`);
      const done = await project.work({ [path]: (files[path] ?? "").replace(...edit) }, [
        `${path}:3`,
      ]);
      equal(
        done.run_by,
        `${ran}: run by 1 test, nearest ${nearest} (recorded for 2 tests, 1 file changed since)`,
      );
      equal(done.run_first, first);
    },
  );
}

Deno.test("the map and the report colour functions that no recorded test runs, and only those", async () => {
  const run = [Deno.execPath(), "test", "--no-check", "--no-config", "--no-lock"];
  await using project = await createLoans({ name: "test", run });
  const env = { CODE_INTEL_STATE_DIR: project.stateDir };
  await project.start({ flags: { fast: true, no_doc: true } });
  await project.must(FRAME);
  await project.plan("Let src/loans.ts be kind");
  const kind = LOANS.replace("> 14", "> 15 - 1").replace("days + 7", "days + 8");
  await project.work({ "src/loans.ts": kind }, ["src/loans.ts:3"]);
  const show = async () =>
    JSON.parse(
      (await runHosted(["report", (await project.state()).sessionId, "--json"], {
        cwd: project.root,
        env,
      })).stdout,
    );
  const before = await show();
  deepEqual([before.recorded, before.files[0].not_run], [undefined, undefined]);
  equal((await runHosted(["runs", "record"], { cwd: project.root, env })).code, 0);
  const after = await show();
  deepEqual([after.recorded, after.files[0].not_run], ["recorded for 2 test files", [7]]);
  await project.services.index.sync();
  const found = await createMapReader({ ...project.services, clock: SYSTEM_CLOCK })();
  ok(found.kind === "map");
  deepEqual(
    found.map.files.flatMap(({ path, seen }) => seen === undefined ? [] : [[path, seen]]),
    [
      ["src/loans.ts", { functions: 2, not_run: 1 }],
      ["src/rules.ts", { functions: 1, not_run: 0 }],
    ],
  );
});
