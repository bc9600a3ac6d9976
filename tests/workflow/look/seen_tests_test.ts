/** Steps name the tests that were seen to run the code they are about, and nothing where no run was recorded. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { FEATURES } from "../../../src/features/features.ts";
import { formatSeenTests } from "../../../src/workflow/look/seen_tests.ts";
import type { SeenAnswer } from "../../../src/workflow/context/seen_code.ts";
import type { SeenSample } from "../../support/seen_runs.ts";
import { createSeen } from "../../support/seen_runs.ts";
import { COMMON, createProject, FRAME } from "../project_fixture.ts";

const AUTH = `class Auth:
    def login(self, name):
        return name

    def logout(self):
        return None
`;
const FILES = {
  "src/auth.py": AUTH,
  "tests/test_auth.py": "def test_login():\n    pass\n",
  "tests/test_page.py": "def test_page():\n    pass\n",
  ".code-intel/config.json": JSON.stringify({
    verify: [{ name: "test", run: ["pytest", "-q"] }],
    verify_baseline: "off",
  }),
};
const SEEN: SeenSample = {
  ran: {
    "tests/test_auth.py::test_login": ["src/auth.py Auth.login"],
    "tests/test_page.py::test_page": ["src/auth.py Auth.login", "src/page.py show"],
  },
  idle: ["src/auth.py Auth.logout"],
  extent: { counted: 3, commitsAgo: 2 },
};
const SLOTS = { target_feature: { value: "login", quote: "login form" } };

/** Walks to step 14, and gives what the replies of steps 5, 12 and 14 say of tests. */
async function walk(seen: SeenSample | null) {
  await using project = await createProject({
    files: FILES,
    features: seen === null ? FEATURES : [createSeen(seen), ...FEATURES],
  });
  await project.services.index.sync();
  const pick = (reply: Record<string, unknown>) => {
    const { run_by, run_first } = reply;
    const { length } = JSON.stringify(reply);
    ok(length <= 1_400, `${length}`);
    return JSON.stringify({ run_by, run_first });
  };
  await project.start({ flags: { no_doc: true } });
  const frame = { ...FRAME, slots: SLOTS, target_symbols: ["Auth"] };
  const exploring = await project.must(frame);
  equal(exploring.phase, "EXPLORATION");
  await project.must({ ...COMMON, user_decision: "abandon", user_reason: "enough is seen" });
  await project.start({ flags: { fast: true, no_doc: true } });
  const planning = await project.must({ ...frame, target_symbols: ["Auth.login"] });
  equal(planning.phase, "READY");
  await project.plan("Let src/auth.py take a name with blanks");
  const edit = { "src/auth.py": AUTH.replace("return name", "return name.strip()") };
  const done = await project.work(edit, ["src/auth.py:3"]);
  equal(done.substep, "complete", JSON.stringify(done));
  return [exploring, planning, done].map(pick);
}

Deno.test("steps 5, 12 and 14 name the nearest recorded tests with their extent, and step 14 their command", async () => {
  const extent = "(recorded for 2 of 3 tests, 2 commits ago)";
  const login = "Auth.login: run by 2 tests, nearest tests/test_auth.py::test_login, " +
    "tests/test_page.py::test_page";
  const [exploring, ...later] = await walk(SEEN);
  // A first look at the code comes to this reply, so that names of tests have less room.
  match(`${exploring}`, /"Auth\.login: run by 2 tests.*; Auth\.logout: not run by any recorded/);
  deepEqual(later, [
    JSON.stringify({ run_by: `${login} ${extent}` }),
    JSON.stringify({
      run_by: `${login} ${extent}`,
      run_first: "pytest -q tests/test_auth.py tests/test_page.py",
    }),
  ]);
});

Deno.test("steps say nothing of tests where no run was recorded, or none of this code", async () => {
  deepEqual(await walk(null), ["{}", "{}", "{}"]);
  deepEqual(await walk({ ran: { "tests/a.py::b": ["src/other.py c"] } }), ["{}", "{}", "{}"]);
});

Deno.test("names of tests are left out where a reply would grow beyond the size of a step", async () => {
  const name = (at: number) => `tests/test_auth.py::test_${"long_".repeat(14)}${at}`;
  const ran = Object.fromEntries(
    [1, 2, 3, 4].map((at) => [name(at), ["src/auth.py Auth.login", "src/auth.py Auth.logout"]]),
  );
  const [exploring] = await walk({ ran });
  match(`${exploring}`, /Auth\.login.*: run by 4 tests/);
  ok(!exploring?.includes(name(3)), exploring);
});

Deno.test("formatSeenTests() counts parts of the suite by their word, and keeps long lists short", async () => {
  const load = async (sample: SeenSample) => (await createSeen(sample).openRuns()).load();
  const functions = Array.from({ length: 9 }, (_, at) => ({ path: "a.py", name: `f${at}` }));
  const answer = async (sample: SeenSample): Promise<SeenAnswer> => {
    const state = await load(sample);
    ok(state);
    const found = state.findTests(functions);
    const tests = found.tests.map((one) => ({ ...one, unit: "group" as const }));
    return { ...found, tests, names: functions, extent: state.extent };
  };
  const ran = Object.fromEntries(
    Array.from(
      { length: 40 },
      (_, at) => [`t.py::${"x".repeat(200)}${at}`, ["a.py f0", "a.py f1"]],
    ),
  );
  const long = formatSeenTests(await answer({ ran, changed: ["a.py"] }));
  ok(long.startsWith("f0, f1: run by some of 40 neighbouring tests, such as t.py::xxx"), long);
  ok(long.endsWith("(recorded for 40 tests, 1 file changed since)"), long);
  ok(long.length < 550, `${long.length}`);
  equal(
    formatSeenTests(await answer({ ran: {}, loaded: functions.map(({ name }) => `a.py ${name}`) })),
    "f0, f1, f2 and 6 more: run at import alone (recorded for 0 tests)",
  );
});
