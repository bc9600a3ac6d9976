/** The session's new and changed tests on the sources of before the change. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import type { CheckoutInput } from "../../src/evidence/checkout/with_checkout.ts";
import type {
  ProjectCommands,
  ProjectVerification,
} from "../../src/evidence/runs/project_verification.ts";
import { createUseApart } from "../../src/prove/checkout_use.ts";
import type { Project } from "../workflow/project_fixture.ts";
import { createProject } from "../workflow/project_fixture.ts";
import {
  allow,
  IN_WORKTREE,
  reachVerification,
  REPORT,
  toStep15,
} from "../workflow/verify/verified_project.ts";

/** A runner: each line `test("NAME") WORD` of the tests passes while src/a.ts has the word. */
const RUNNER = `echo TAP version 13; n=0; s=0
while read -r name word; do
  n=$((n+1)); title=$(echo "$name" | sed 's/test("\\(.*\\)")/\\1/')
  if grep -q "$word" src/a.ts; then echo "ok $n - $title"; else echo "not ok $n - $title"; s=1; fi
done < tests/a.test.ts
echo "1..$n"; exit $s
`;

async function createTested(settings: Readonly<Record<string, unknown>> = {}): Promise<Project> {
  const verify = [{ name: "test", run: ["sh", "tests/run.sh"] }];
  const project = await createProject({
    files: {
      "src/a.ts": "first\n",
      "tests/run.sh": RUNNER,
      "tests/a.test.ts": 'test("old") first\n',
      ".code-intel/config.json": JSON.stringify({ verify, verify_baseline: "off", ...settings }),
    },
  });
  await allow(project);
  return project;
}

Deno.test("a new test that passes without the change is named, and one that fails there proves it", async () => {
  await using project = await createTested();
  await toStep15(project, {
    "src/a.ts": "first\nsecond\n",
    "tests/a.test.ts": 'test("old") first\ntest("must_weak") first\ntest("must_strong") second\n',
  });
  const reply = await project.submit({ ...REPORT, passed: true });
  equal(reply.verified, true, JSON.stringify(reply));
  match(reply.proof, /^proven: .*1 changed test fails without the change/);
  // It may guard what has to stay, beside one that shows the change.
  equal("proof_findings" in reply, false);
  deepEqual((await project.state()).verification?.provesNothing, ["tests/a.test.ts: must_weak"]);
});

Deno.test("where no test changed beside the sources nothing more is run", async () => {
  await using project = await createTested();
  await toStep15(project, { "src/a.ts": "first\nsecond\n" });
  const reply = await project.submit({ ...REPORT, passed: true });
  match(reply.proof, /^not proven: 1 test ran, .* no test is known to fail without the change/);
});

Deno.test("where nothing but tests changed there is no source to run them without", async () => {
  await using project = await createTested();
  await toStep15(project, { "tests/a.test.ts": 'test("old") first\ntest("new") first\n' });
  const reply = await project.submit({ ...REPORT, passed: true });
  equal(reply.verified, true);
  match(reply.proof, /^unknown: no code changed beside tests$/);
});

Deno.test("the changed tests of a fast session, or where no clean checkout is made, run on the sources as they are alone", async () => {
  const fast = async (project: Project) =>
    await reachVerification(project, "second\n", { alsoWrites: "src/b.test.ts" });
  const tests = {
    "src/a.ts": "first\nsecond\n",
    "tests/a.test.ts": 'test("old") first\ntest("new") second\n',
  };
  const rows: readonly (readonly [object, (project: Project) => Promise<void>])[] = [
    [{}, fast],
    [IN_WORKTREE, (project) => toStep15(project, tests)],
  ];
  for (const [settings, walk] of rows) {
    await using project = await createTested({ ...settings });
    await walk(project);
    const reply = await project.submit({ ...REPORT, passed: true });
    equal(reply.verified, true);
    match(reply.proof, /^(?:not proven|unknown): .*nothing new fails/);
  }
});

Deno.test("other sources are checked out without the folders into which builds write", async () => {
  const lent: (readonly string[])[] = [];
  const useCheckout =
    (({ lend }: CheckoutInput) =>
      Promise.resolve(lent.push(lend))) as unknown as ProjectVerification["useCheckout"];
  const found = { lend: ["node_modules", "target", "crates/a/target"], commands: [], hash: "" };
  const use = createUseApart({ useCheckout }, found as unknown as ProjectCommands);
  await use({ tree: "t", commands: [] })(() => Promise.resolve());
  deepEqual(lent, [["node_modules"]]);
});
