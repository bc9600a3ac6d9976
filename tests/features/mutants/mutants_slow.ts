/** Small wrong versions of a change in a real session: which of them the project's real tests notice. */
import { deepStrictEqual as deepEqual, rejects, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import type { Project } from "../../workflow/project_fixture.ts";
import { NO_ASKER } from "../../../src/base/asker.ts";
import { isRunning } from "../../support/server/processes.ts";
import { createProject } from "../../workflow/project_fixture.ts";
import { allow, REPORT, toStep15 } from "../../workflow/verify/verified_project.ts";

const LOANS = `export function isLate(days: number): boolean {
  return days >= 14;
}
`;
const toTest = (days: number) =>
  `import { isLate } from "../src/loans.ts";
Deno.test("late", () => {
  if (!isLate(${days})) throw new Error("it is late");
  if (isLate(13)) throw new Error("it is not late");
});
`;

async function createLoans(mutants: string, test = ""): Promise<Project> {
  const run = [Deno.execPath(), "test", "--no-check", "--no-config", "--no-lock"];
  const verify = [{ name: "test", run }];
  const project = await createProject({
    files: {
      "src/loans.ts": "export const YEAR = 365;\n",
      "tests/loans.test.ts": 'Deno.test("old", () => {});\n',
      ...(test === "" ? {} : { "tests/other.test.ts": test }),
      ".code-intel/config.json": JSON.stringify({ verify, verify_baseline: "off" }),
      ".code-intel/context.yml": `mutants: ${mutants}\n`,
    },
  });
  await allow(project);
  return project;
}

async function verify(project: Project) {
  let reply = await project.submit({ ...REPORT, passed: true });
  while (reply.verification_running === true) {
    reply = await project.submit({ ...REPORT, passed: true });
  }
  equal(reply.verified, true, JSON.stringify(reply));
  return reply;
}

Deno.test("a moved bound survives a weak test, is killed by a better one, and the worktree stays as it is", async () => {
  await using weak = await createLoans("{when: always, seconds: 300}");
  await toStep15(weak, { "src/loans.ts": LOANS, "tests/loans.test.ts": toTest(20) });
  const reply = await verify(weak);
  const survivor = "`>` for `>=` in src/loans.ts:2: no test notices";
  const found = "src/loans.ts:2: no test fails with `>` for `>=`";
  equal(reply.proof_findings.includes(found), true, JSON.stringify(reply));
  const { mutants } = (await weak.state()).verification ?? {};
  deepEqual(mutants?.tests, ["tests/loans.test.ts"]);
  const [first] = mutants?.survivors ?? [];
  deepEqual(first, { path: "src/loans.ts", line: 2, change: "`>` for `>=`", isMet: false });
  equal(await Deno.readTextFile(`${weak.root}/src/loans.ts`), LOANS);
  const review = await weak.workflow.reviewChanges({ maxBytes: 20_000, isBrief: true });
  equal((review as { survivors?: readonly string[] }).survivors?.includes(`${survivor}`), true);

  // Here no test changes: the impact analysis finds the one that is near.
  await using strong = await createLoans("{when: always, seconds: 300}", toTest(14));
  await toStep15(strong, { "src/loans.ts": LOANS });
  const better = await verify(strong);
  const { tests, survivors, total, killed } = (await strong.state()).verification?.mutants ?? {};
  deepEqual(tests, ["tests/loans.test.ts", "tests/other.test.ts"]);
  deepEqual([survivors, total, killed], [[], 4, 4], JSON.stringify(better));
});

/** Passes on the right source; on any other it starts a process, names both, and waits until it may end. */
const toWaiting = (place: string) =>
  `echo TAP version 13; echo 1..1
grep -q throw src/loans.ts || { grep -q 'days >= 14' src/loans.ts && echo 'ok 1 - late' && exit 0; }
sleep 600 & echo "$$ $!" > '${place}/begun'
while [ ! -e '${place}/open' ]; do sleep 0.05; done
kill $!; echo 'not ok 1 - late'; exit 1
`;

Deno.test("a call that is cancelled while a mutant is tried ends its processes and leaves no checkout", async () => {
  const place = await Deno.makeTempDir();
  await using project = await createProject({
    files: {
      "src/loans.ts": "export const YEAR = 365;\n",
      "check.sh": toWaiting(place),
      ".code-intel/config.json": JSON.stringify({
        verify: [{ name: "test", run: ["sh", "check.sh"] }],
        verify_baseline: "off",
      }),
      ".code-intel/context.yml": "mutants: {when: always, seconds: 600}\n",
    },
  });
  await allow(project);
  await toStep15(project, { "src/loans.ts": LOANS });
  const before = await project.state();
  const status = await project.repo.git("status", "--porcelain");
  const cancel = new AbortController();
  const call = rejects(
    project.workflow.submitPhase({ ...REPORT, passed: true }, cancel.signal, NO_ASKER),
    { code: "cancelled" },
  );
  let begun = "";
  while (!begun.endsWith("\n")) {
    begun = await Deno.readTextFile(join(place, "begun")).catch(() => "");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const pids = begun.trim().split(" ");
  equal(pids.length, 2);
  cancel.abort();
  await call;
  deepEqual(await project.verification.runner.readRunning(before.sessionId), []);
  deepEqual(await Promise.all(pids.map(isRunning)), [false, false]);
  deepEqual(await listFolders(join(project.stateDir, "checkouts")), []);
  equal(await Deno.readTextFile(join(project.root, "src/loans.ts")), LOANS);
  equal(await project.repo.git("status", "--porcelain"), status);
  deepEqual(await project.state(), before);
  await Deno.writeTextFile(join(place, "open"), "");
  await verify(project);
  deepEqual((await project.state()).verification?.mutants?.survivors, []);
});

async function listFolders(path: string): Promise<readonly string[]> {
  const entries = await Array.fromAsync(Deno.readDir(path));
  return entries.filter(({ isDirectory }) => isDirectory).map(({ name }) => name);
}
