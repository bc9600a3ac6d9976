/** Every path of the engine against the matrix of the specification. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { checkMode } from "../../src/phase/flags.ts";
import type { Start } from "./matrix.ts";
import { isLegal, REFUSED_PAIRS, toAllStarts, toExpectedPath, toWords } from "./matrix.ts";
import { walkAll } from "./walk.ts";

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
      equal((problem.hint ?? "").length > 20, true);
    }
  });
}

const LEGAL = toAllStarts().filter(isLegal);

Deno.test("the legal starts are as many as the pairs leave", () => {
  // Two working intents with 72 (auto) and 32 (full) sets of flags, two others with 32 and 32.
  equal(LEGAL.length, 2 * (72 + 32) + 2 * (32 + 32));
});

for (const intent of ["IMPLEMENT", "MODIFY", "INVESTIGATE", "QUESTION"] as const) {
  for (const gate of ["auto", "full"] as const) {
    Deno.test(`decide() takes every path of ${intent}, gate ${gate}, as the matrix says`, () => {
      let count = 0;
      for (const start of LEGAL) {
        if (start.intent !== intent || start.gate !== gate) continue;
        walkAll(start, ({ story, path }) => {
          count++;
          const expected = toExpectedPath(start, story);
          if (path === expected) return;
          const name = `${toWords(start).join(" ")} ${JSON.stringify(story)}`;
          deepEqual({ name, path }, { name, path: expected });
        });
      }
      equal(count > 500, true, `only ${count} paths were walked`);
    });
  }
}
