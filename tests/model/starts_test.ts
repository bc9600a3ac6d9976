/** Which starts contradict themselves; `paths_slow.ts` walks every path from the others. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { checkMode } from "../../src/phase/table/flags.ts";
import type { Start } from "./matrix.ts";
import { isLegal, REFUSED_PAIRS, toAllStarts, toWords } from "./matrix.ts";
import { LEGAL } from "./all_paths.ts";

function toMode(start: Start) {
  return {
    intent: start.intent,
    gateLevel: start.gate,
    flags: Object.fromEntries(start.flags.map((flag) => [flag, true])),
  };
}

Deno.test("checkMode() refuses exactly the starts that contradict themselves", () => {
  const wrong = toAllStarts().filter((start) =>
    (checkMode(toMode(start)).length === 0) !== isLegal(start)
  );
  deepEqual(wrong.map(toWords), []);
});

for (const [one, other] of REFUSED_PAIRS) {
  Deno.test(`checkMode() refuses ${one} with ${other} and says how to say it right`, () => {
    const start = toAllStarts().find((candidate) => {
      const words = toWords(candidate);
      return words.length === 2 && words.includes(one) && words.includes(other);
    });
    equal(start === undefined, false);
    for (const problem of start === undefined ? [] : checkMode(toMode(start))) {
      equal(problem.code, "flags_conflict");
      equal(String(problem.hint ?? "").length > 20, true);
    }
  });
}

Deno.test("the legal starts are as many as the pairs leave", () => {
  // Two working intents with 72 (auto) and 32 (full) sets of flags, two others with 32 and 32.
  equal(LEGAL.length, 2 * (72 + 32) + 2 * (32 + 32));
});
