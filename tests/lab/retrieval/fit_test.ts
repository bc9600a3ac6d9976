/** The metric, the fit, and what the task says when the data is not there. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { fitWeights, scoreLeftOut, scoreQueries } from "../../../lab/harness/fit.ts";
import type { FitQuery } from "../../../lab/harness/fit.ts";
import { computeNdcg } from "../../../lab/harness/figures.ts";
import { readQueries } from "../../../lab/retrieval/queries.ts";

Deno.test("computeNdcg() is the metric of the benchmark, on its own example", () => {
  equal(computeNdcg(["x", "a", "y", "b"], ["a", "b"]).toFixed(4), "0.6509");
  equal(computeNdcg(["x", "x", "a"], ["a"]).toFixed(4), "0.6309");
  equal(computeNdcg([], ["a"]), 0);
  equal(computeNdcg(["a", "b"], ["a", "b"]), 1);
  const eleven = Array.from({ length: 11 }, (_, at) => String(at));
  equal(computeNdcg(eleven, ["10"]), 0);
  equal(computeNdcg(eleven, eleven), 1);
});

/** The good feature points to the target, the bad one away from it. */
const QUERIES: readonly FitQuery[] = ["one", "two", "three"].map((repo) => ({
  repo,
  targets: ["b"],
  files: [
    { path: "a", features: { good: 0.2, bad: 1 }, factor: 1 },
    { path: "b", features: { good: 0.9, bad: 0.1 }, factor: 1 },
  ],
}));

Deno.test("fitWeights() finds the feature that tells, never goes below zero, and has no chance", () => {
  const weights = fitWeights(QUERIES, ["good", "bad"]);
  equal(weights["good"], 1);
  equal(weights["bad"], 0);
  deepEqual(fitWeights(QUERIES, ["good", "bad"]), weights);
  deepEqual(scoreQueries(QUERIES, weights), [1, 1, 1]);
  ok((scoreQueries(QUERIES, { bad: 1 })[0] ?? 1) < 1);
});

Deno.test("scoreLeftOut() never learns from the repository that it scores", () => {
  // The third repository alone has it the other way round: what the two others teach fails there.
  const [first, second] = QUERIES;
  ok(first !== undefined && second !== undefined);
  const odd: FitQuery = { ...first, repo: "odd", targets: ["a"] };
  const scores = scoreLeftOut([first, second, odd], ["good", "bad"]);
  ok((scores[2] ?? 1) < 1);
});

Deno.test("readQueries() says which line is wrong, and that there is no file", async () => {
  const folder = await Deno.makeTempDir();
  try {
    equal(await readQueries(folder, "queries.jsonl"), null);
    const row = { id: "1", repo: "r", language: "l", category: "c", query: "q", relevant: ["a"] };
    const path = join(folder, "queries.jsonl");
    await Deno.writeTextFile(path, `${JSON.stringify({ ...row, secondary: ["a", "b"] })}\n\n`);
    deepEqual((await readQueries(folder, "queries.jsonl"))?.[0]?.targets, ["a", "b"]);
    await Deno.writeTextFile(
      path,
      `${JSON.stringify(row)}\n${JSON.stringify({ ...row, repo: 1 })}\n`,
    );
    let message = "";
    await readQueries(folder, "queries.jsonl").catch((error) => message = String(error));
    ok(message.includes(`queries.jsonl:2: "repo" is no text`), message);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
