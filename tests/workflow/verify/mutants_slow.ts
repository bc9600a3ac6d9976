/** Small wrong versions of a change in a real session: which of them the project's real tests notice. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import type { Project } from "../project_fixture.ts";
import { createProject } from "../project_fixture.ts";
import { allow, REPORT, toStep15 } from "./verified_project.ts";

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
  equal(reply.mutants.survivors?.includes(survivor), true, JSON.stringify(reply.mutants));
  deepEqual(reply.mutants.tests, ["tests/loans.test.ts"]);
  match(`${reply.instruction}`, /small wrong versions of the changed lines pass the tests/);
  const { mutants } = (await weak.state()).verification ?? {};
  deepEqual(mutants?.survivors[0], { path: "src/loans.ts", line: 2, change: "`>` for `>=`" });
  equal(await Deno.readTextFile(`${weak.root}/src/loans.ts`), LOANS);
  const review = await weak.workflow.reviewChanges({ maxBytes: 20_000, isBrief: true });
  equal((review as { survivors?: readonly string[] }).survivors?.includes(`${survivor}`), true);

  // Here no test changes: the impact analysis finds the one that is near.
  await using strong = await createLoans("{when: always, seconds: 300}", toTest(14));
  await toStep15(strong, { "src/loans.ts": LOANS });
  const better = await verify(strong);
  deepEqual(better.mutants.tests, ["tests/loans.test.ts", "tests/other.test.ts"]);
  equal(better.mutants.survivors, undefined, JSON.stringify(better.mutants));
  equal(better.mutants.survived, 0);
  equal(better.mutants.tried, "3 of 3");
});
