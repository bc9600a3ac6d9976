/** A few cheap attacks with every change; the whole table is in the slow suite and `deno task escape`. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import type { Attack } from "./attack.ts";
import { held, passed } from "./attack.ts";
import { ATTACKS } from "./attacks.ts";
import { toRate, tryAttack } from "./run.ts";

const QUICK = [
  "shell-edit-4",
  "only-verify-leaves-a-change",
  "washed-by-park",
  "two-servers-two-starts",
  "payload-replayed",
  "terminal-trust",
] as const;

for (const id of QUICK) {
  Deno.test(`attack ${id} is found, and its honest twin passes`, async () => {
    const attack = ATTACKS.find((row) => row.id === id);
    if (attack === undefined) throw new Error(`no attack is called ${id}`);
    const { escape, refused } = await tryAttack(attack);
    deepEqual([escape, refused], [null, null]);
  });
}

Deno.test("tryAttack() counts what got through, what was found otherwise, and a refused twin", async () => {
  const row: Attack = {
    id: "sample",
    tries: "nothing",
    found: ["rule"],
    at: "none",
    attack: () => Promise.resolve(held("rule", true)),
    honest: () => Promise.resolve(passed(true)),
  };
  const sure = await tryAttack(row);
  deepEqual([sure.escape, sure.refused, sure.codes], [null, null, ["rule"]]);
  const faults = [
    { ...row, attack: () => Promise.resolve(held("rule", false)) },
    { ...row, attack: () => Promise.reject(new Error("broken")) },
    { ...row, found: ["another"] },
    { ...row, at: "submit_phase@5" },
  ];
  const escaped = await Promise.all(faults.map(tryAttack));
  equal(escaped.filter(({ escape }) => escape !== null).length, faults.length);
  const refused = await tryAttack({ ...row, honest: () => Promise.resolve(passed(false)) });
  equal(refused.refused === null, false);
  equal(
    toRate([sure, ...escaped, refused]),
    "4 escapes / 6 attempts, 1 honest runs refused / 6",
  );
});
