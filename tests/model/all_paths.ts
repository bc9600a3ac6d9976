/** Walks every path of the engine for some intents, and holds each against the matrix. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import type { Start, Story } from "./matrix.ts";
import { isLegal, toAllStarts, toExpectedPath, toWords } from "./matrix.ts";
import { walkAll } from "./walk.ts";

/** Every start that contradicts itself nowhere. */
export const LEGAL: readonly Start[] = toAllStarts().filter(isLegal);

/**
 * Makes a test for each intent and gate.
 *
 * @param isWanted takes part of the stories, default all.
 */
export function testPaths(
  intents: readonly Start["intent"][],
  gates: readonly Start["gate"][],
  isWanted: (start: Start, story: Story) => boolean = () => true,
): void {
  for (const intent of intents) {
    for (const gate of gates) {
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
          }, (story) => isWanted(start, story));
        }
        equal(count > 500, true, `only ${count} paths were walked`);
      });
    }
  }
}
