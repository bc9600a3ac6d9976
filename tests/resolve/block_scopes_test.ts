/** What is declared in the callback of a test is known there alone. */
import { deepStrictEqual as deepEqual, ok } from "node:assert/strict";
import { createImpactProject } from "../impact/impact_project.ts";

const TEST = `import { Box } from "./box.ts";
describe("one", () => {
  it("x", () => {
    helper();
    function helper() {
      return 1;
    }
    class Crate {}
    new Crate();
  });
});
describe("two", () => {
  it("y", () => {
    function helper() {
      return 2;
    }
    class Crate {}
    class Box {}
    helper();
    new Crate();
    new Box();
    {
      function helper() {}
      helper();
    }
  });
});
helper();
new Box();
`;

Deno.test("findReferences() led two helpers of one name to the first: each callback has its own", async () => {
  await using project = await createImpactProject({
    "a.test.ts": TEST,
    "box.ts": "export class Box {}\n",
  });
  const rows: readonly (readonly [symbol: string, expected: readonly string[]])[] = [
    ["helper", ["4 a.test.ts:5", "19 a.test.ts:14", "24 a.test.ts:23", "28 name"]],
    ["Crate", ["9 a.test.ts:8", "20 a.test.ts:17"]],
    ["Box", ["21 a.test.ts:18", "29 box.ts:1"]],
  ];
  for (const [symbol, expected] of rows) {
    const answer = await project.explorer.findReferences({
      symbol,
      includeText: false,
      maxResults: 50,
    });
    ok(answer.kind === "found");
    const calls = answer.references.filter(({ kind }) => kind === "call")
      .map(({ line, definedAt = "name" }) => `${line} ${definedAt}`);
    deepEqual(calls, expected, symbol);
  }
});
