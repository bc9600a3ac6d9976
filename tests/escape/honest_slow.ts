/** Honest work of many kinds with the real server: none of it is refused. */
import { deepStrictEqual as deepEqual, ok } from "node:assert/strict";
import { tryHonest } from "./honest.ts";

Deno.test("no honest piece of work is refused", async () => {
  const outcomes = await tryHonest();
  deepEqual(outcomes.filter(({ refused }) => refused !== null), []);
  const ids = new Set(outcomes.map(({ id }) => id));
  ok(ids.size >= 60 && ids.size === outcomes.length, `${ids.size} of ${outcomes.length}`);
});
