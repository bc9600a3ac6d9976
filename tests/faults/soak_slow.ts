/** One server under many rounds of searches, sessions and wrong input holds no more at the end than in the middle. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import type { Look } from "../../tools/soak/soak.ts";
import { soak, toVerdict } from "../../tools/soak/soak.ts";
import { testNeeding } from "../support/needs.ts";

/** The engine's own warm-up ends by round 45 (measured over 160); what is compared lies behind it. */
const ROUNDS = 100;
/** A list that is kept of each search would show as far more; on a busy machine 24.3 MB were seen of a server that keeps none. */
const GROWTH_BYTES = 32e6;

testNeeding(
  ["processes"],
  "a server that is used for long keeps its handles, nearly its memory, and leaves no process",
  async () => {
    const run = await soak({ isOver: (round) => round > ROUNDS });
    equal(run.looks.length, ROUNDS);
    const { growthBytes, moreHandles } = toVerdict(run);
    // One more: a listing may catch a file that is being written.
    ok(moreHandles <= 1, `${moreHandles} handles more`);
    ok(growthBytes < GROWTH_BYTES, `${growthBytes} bytes more`);
    deepEqual(run.orphans, []);
  },
);

Deno.test("toVerdict() sees what grows", () => {
  const toLook = (round: number): Look => ({
    round,
    elapsedMs: round * 1000,
    memoryBytes: 1000 * round,
    handles: 10 + round,
    children: [],
  });
  const looks = Array.from({ length: 8 }, (_, index) => toLook(index + 1));
  deepEqual(toVerdict({ looks, calls: 8, orphans: [7] }), {
    growthBytes: 2000,
    slopeBytesAnHour: 3_600_000,
    moreHandles: 2,
    orphans: 1,
  });
});
