/** The whole scripted adversary: nothing gets through, and no honest run is refused. */
import { deepStrictEqual as deepEqual, ok } from "node:assert/strict";
import { ATTACKS } from "./attacks.ts";
import { tryAll } from "./run.ts";

Deno.test("no attack escapes, and each honest twin passes", async () => {
  const outcomes = await tryAll(ATTACKS, { parallel: 2, onDone: () => {} });
  const faults = outcomes.filter(({ escape, refused }) => escape !== null || refused !== null)
    .map(({ attack, escape, refused }) => ({ id: attack.id, escape, refused }));
  deepEqual(faults, []);
});

Deno.test("there are at least sixty attacks, each with its own name", () => {
  const ids = new Set(ATTACKS.map(({ id }) => id));
  ok(ids.size >= 60 && ids.size === ATTACKS.length, `${ids.size} of ${ATTACKS.length}`);
});
