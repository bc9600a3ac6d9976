/** Whole runs of mutants: each starts the tests of a small sample as a process. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { rankMutants } from "../../../lab/mutants/core_mutants.ts";
import { TestsOf } from "../../../lab/mutants/tests_of.ts";
import { Trial } from "../../../lab/mutants/try_mutant.ts";
import { createTempRepo } from "../../support/temp_repo.ts";

/** A source with a test that notices nothing of its second line. */
const FILES = {
  "deno.json": `{ "permissions": { "test": {} } }`,
  "src/phase/least.ts":
    "export const least = (a: number, b: number): number =>\n  a < b ? [a, b].length : b;\n",
  "tests/phase/least_test.ts":
    `import { least } from "../../src/phase/least.ts";\nDeno.test("least() of equal numbers", () => {\n  if (least(2, 1) !== 1) throw new Error();\n});\n`,
};

Deno.test("Trial tells a mutant that a test notices from one that none does, and puts the file back", async () => {
  await using repo = await createTempRepo({ files: FILES });
  const trial = new Trial(repo.dir, await TestsOf.read(repo.dir), {});
  const outcomes: string[] = [];
  for (const mutant of await rankMutants(repo.dir, "phase", "1")) {
    outcomes.push(`${mutant.before} ${mutant.after}: ${await trial.try(mutant)}`);
  }
  deepEqual(
    outcomes.toSorted(),
    ["< <=: survived", "a < b (a < b) || !0: killed"],
  );
  equal(await repo.read("src/phase/least.ts"), FILES["src/phase/least.ts"]);
});
