/** How an attack is counted; the attacks are in `escape_slow.ts` and `deno task escape`. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import type { Attack } from "./attack.ts";
import { held, passed } from "./attack.ts";
import { toRate, tryAttack } from "./run.ts";

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
