/** Answers of the store as bytes and back. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { packAnswer, unpackAnswer } from "../../../../src/features/hub/postgres/link_bytes.ts";
import type { LinkAnswer } from "../../../../src/features/hub/postgres/link_protocol.ts";

Deno.test("what the store answered is the same in the other thread, binary values included", () => {
  const answers: readonly LinkAnswer[] = [
    { kind: "rows", results: [] },
    { kind: "rows", results: [{ rows: [], count: 3 }] },
    {
      kind: "rows",
      results: [
        { rows: [{ a: 1, b: "größer 🌍\u2028", c: null, d: 0.125 }, { a: -2.5 }], count: 2 },
        {
          rows: [
            { path: "a", bytes: new Uint8Array([0, 255, 1]), other: new Uint8Array([7]) },
            { path: "b", bytes: new Uint8Array(0), other: null },
            { path: "c", bytes: null, other: new Uint8Array([9, 9]) },
          ],
          count: 3,
        },
      ],
    },
    { kind: "failed", code: "57P01", message: "it was ended", isLost: true },
  ];
  for (const answer of answers) deepEqual(unpackAnswer(packAnswer(answer)), answer);
});
