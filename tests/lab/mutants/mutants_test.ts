/** Which mutants of this program's own source are made, in which order, and what is said of them. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { findCoreMutants, rankMutants } from "../../../lab/mutants/core_mutants.ts";
import { TestsOf } from "../../../lab/mutants/tests_of.ts";
import { createTempRepo } from "../../support/temp_repo.ts";

const JOIN = `export function joins(state: { one: boolean; two: boolean }): string {
  let count = 0;
  if (state.one && state.two) count = 7;
  return JSON.stringify({ count, ...state });
}
`;

Deno.test("findCoreMutants() drops a side, a guard, a part and a statement, and takes a field for its neighbour", async () => {
  const found = await findCoreMutants("src/phase/a.ts", JOIN);
  const changes = found.map(({ line, kind, before, after }) => [line, kind, before, after]);
  for (
    const change of [
      [3, "side", "state.one && state.two", "state.one"],
      [3, "side", "state.one && state.two", "state.two"],
      [3, "guard", "(state.one && state.two)", "(false)"],
      [3, "field", "one", "two"],
      [3, "statement", "count = 7;", ";"],
      [2, "constant", "0", "1"],
      [4, "part", "count,", ""],
      [4, "part", "...state", ""],
    ]
  ) deepEqual(changes.filter((one) => one.join() === change.join()), [change], change.join());
});

Deno.test("findCoreMutants() leaves functions alone that remove files", async () => {
  const text = "export function clean(is: boolean) {\n  if (is) Deno.removeSync('/');\n}\n";
  deepEqual(await findCoreMutants("src/phase/a.ts", text), []);
});

const LEAST = "export const least = (a: number, b: number): number =>\n  a < b ? a : b;\n";

Deno.test("rankMutants() gives the same order for a seed, also after lines above have changed", async () => {
  await using repo = await createTempRepo({ files: { "src/phase/least.ts": LEAST } });
  const rank = async (seed: string) =>
    (await rankMutants(repo.dir, "phase", seed)).map(({ kind, after }) => `${kind} ${after}`);
  const first = await rank("1");
  await repo.write({ "src/phase/least.ts": `// A line.\n\n${LEAST}` });
  deepEqual(await rank("1"), first);
  equal((await rank("2")).toSorted().join(), first.toSorted().join());
});

Deno.test("TestsOf names the nearest tests first, by the list of exceptions where a file has none of its own", async () => {
  await using repo = await createTempRepo({
    files: {
      "tests/git/a/one_test.ts": "",
      "tests/git/a/two_test.ts": "",
      "tests/git/b_test.ts": "",
      "tests/workflow/c_test.ts": "",
      "tests/workflow/d_slow.ts": "",
      "tests/phase/e_test.ts": "",
      "tests/tidy/mirror_test.ts": `const E = { "src/git/a/bare.ts": "tests/git/a/two_test.ts" };`,
    },
  });
  const tests = await TestsOf.read(repo.dir);
  deepEqual(tests.stagesOf("src/git/a/one.ts"), [
    ["tests/git/a/one_test.ts"],
    ["tests/git/a/two_test.ts"],
    ["tests/git/b_test.ts"],
  ]);
  deepEqual(tests.stagesOf("src/git/a/bare.ts")[0], ["tests/git/a/two_test.ts"]);
  deepEqual(tests.stagesOf("src/phase/rules/e.ts"), [
    ["tests/phase/e_test.ts"],
    ["tests/workflow/c_test.ts"],
  ]);
  deepEqual(tests.stagesOf("src/features/attest/a.ts"), []);
});
