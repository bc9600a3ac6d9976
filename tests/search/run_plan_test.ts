/** A plan over a real project: what the steps find, merged and in order. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { runPlan } from "../../src/search/mod.ts";
import { createIndexedProject } from "./indexed_project.ts";

Deno.test("runPlan() puts the definition first and says which steps found a place", async () => {
  await using project = await createIndexedProject();
  const found = await runPlan(project.explorer, [
    { tool: "find_definitions", params: { symbol: "loadUser" } },
    { tool: "find_references", params: { symbol: "loadUser" } },
    { tool: "search_text", params: { pattern: ["loadUser"] } },
    { tool: "search_files", params: { pattern: "load" } },
  ], {});
  const [first, second] = found.results;
  deepEqual([first?.path, first?.line, first?.symbol, first?.role], [
    "src/load.ts",
    6,
    "loadUser",
    "definition",
  ]);
  deepEqual(first?.tools, ["find_definitions", "find_references", "search_text"]);
  equal(second?.path, "src/app.ts");
  ok(!found.results.some(({ line }) => line === 0), "no bare file beside its lines");
  deepEqual(found.outcomes.map(({ total }) => total), [1, 4, 6, 1]);
  deepEqual(
    found.results.map(({ score }) => score).toSorted((a, b) => b - a),
    found.results.map(({ score }) => score),
  );
  equal(found.source, "files+index+rg");
  ok(typeof found.freshness === "object");
});

Deno.test("runPlan() prefers places with several words of the question, and keeps refusals as notices", async () => {
  await using project = await createIndexedProject({
    files: {
      "src/a.ts": "export function removeStaleBranch() {}\nexport function removeUser() {}\n",
      "tests/a_test.ts": "function removeStaleBranchTest() {}\n",
    },
  });
  const found = await runPlan(project.explorer, [
    { tool: "find_definitions", params: { symbol: "remove" } },
    { tool: "get_symbols", params: { path: "src/none.ts" } },
  ], { words: ["stale", "branches", "removed"] });
  deepEqual(found.results.map(({ symbol }) => symbol), [
    "removeStaleBranch",
    "removeStaleBranchTest",
    "removeUser",
  ]);
  ok(found.notices[0]?.startsWith("get_symbols:"));
});
