/** `deno test` on a real project: each test file alone, with what it ran. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { DENO_WAY } from "../../../../src/features/runs/ways/deno.ts";
import { makeContext, makeProject, recordProject, showTests } from "./apart_run.ts";

const DENO = Deno.execPath();
const FILES = {
  "deno.json": '{ "tasks": { "test": "deno test -A --parallel --coverage=cov tests/" } }\n',
  "src/a.ts": `import { half } from "./b.ts";

export interface Thing {
  a: number;
}

const start = half(2);

export function twice(
  n: number,
): number {
  const inner = (m: number) => m * 2;
  return inner(n) + start - start;
}

export class Cart {
  add(n: number): number {
    return n;
  }
}

export const late = (n: number) => {
  return n;
};
`,
  "src/b.ts": "export function half(n: number): number {\n  return n / 2;\n}\n",
  "tests/a_test.ts": `import { Cart, twice } from "../src/a.ts";
Deno.test("one", () => { if (twice(2) !== 4) throw new Error("no"); });
Deno.test("two", () => { new Cart().add(1); });
`,
  "tests/b_test.ts": `import { late } from "../src/a.ts";
import { half } from "../src/b.ts";
Deno.test("three", () => {
  half(late(2));
  throw new Error("wrong");
});
`,
};

/** Functions of tests lie in the files of tests, and are of no matter here. */
const isOfSource = (place: string) => place.startsWith("src/");

Deno.test("a record of deno test names what each file ran, by the lines of TypeScript", async () => {
  const recording = await recordProject(DENO_WAY, FILES, [DENO, "task", "test"]);
  const shown = Object.entries(showTests(recording)).map((
    [name, ran],
  ) => [name, ran.split(" ").filter(isOfSource).join(" ")]);
  deepEqual(Object.fromEntries(shown), {
    "tests/a_test.ts passed tests/a_test.ts": "src/a.ts:12 src/a.ts:17 src/a.ts:9",
    "tests/b_test.ts failed tests/b_test.ts": "src/a.ts:22 src/b.ts:1",
    loaded: "src/b.ts:1",
  });
  deepEqual([recording.isWhole, recording.notes], [true, []]);
});

Deno.test("a task that is no plain deno test says what to declare", async () => {
  const root = await makeProject({
    "deno.json": '{ "tasks": { "test": "rm -rf x && deno test" } }\n',
  });
  const hindrance = await DENO_WAY.findHindrance(await makeContext(root, [DENO, "task", "test"]));
  match(hindrance ?? "", /is no plain `deno test`\. Declare/);
  equal(await DENO_WAY.findHindrance(await makeContext(root, [DENO, "test", "-A"])), null);
});
