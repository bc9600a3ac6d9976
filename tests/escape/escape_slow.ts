/**
 * The scripted adversary: nothing gets through, and no honest run is refused. A twelfth of the attacks, another one for
 * each commit, so that the gate keeps its time and says the same of the same sources, and some each time;
 * `deno task escape` tries them all.
 */
import { deepStrictEqual as deepEqual, ok } from "node:assert/strict";
import { pickShare } from "../support/commit_share.ts";
import { ATTACKS } from "./attacks.ts";
import { tryAll } from "./run.ts";

/** One of each kind of way round. */
const ALWAYS: readonly string[] = [
  "shell-edit-4",
  "only-verify-leaves-a-change",
  "washed-by-park",
  "two-servers-two-starts",
  "payload-replayed",
  "terminal-trust",
];

const SHARES = 12;

Deno.test("no attack escapes, and each honest twin passes", async () => {
  const share = await pickShare(SHARES);
  const attacks = ATTACKS.filter(({ id }, at) => at % SHARES === share || ALWAYS.includes(id));
  const outcomes = await tryAll(attacks, { parallel: 2, onDone: () => {} });
  const faults = outcomes.filter(({ escape, refused }) => escape !== null || refused !== null)
    .map(({ attack, escape, refused }) => ({ id: attack.id, escape, refused }));
  deepEqual(faults, []);
});

Deno.test("there are at least sixty attacks, each with its own name", () => {
  const ids = new Set(ATTACKS.map(({ id }) => id));
  ok(ids.size >= 60 && ids.size === ATTACKS.length, `${ids.size} of ${ATTACKS.length}`);
});
