/** Several payloads of one call: `src/request/payload_row.ts`. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { listPayloads, unwrapPayload } from "../../src/request/payload_row.ts";

Deno.test("listPayloads() takes further steps from beside the payload and from within it", () => {
  const row = [{ reason: "a" }, { reason: "b", summary: "b" }];
  deepEqual(listPayloads({ data: { reason: "a" }, then: [{ reason: "b" }] }), row);
  deepEqual(listPayloads({ data: { reason: "a", then: [{ reason: "b" }] } }), row);
  deepEqual(
    listPayloads({ data: { data: { reason: "a" } }, then: ['{"reason": "b"}'] })[1],
    row[1],
  );
});

Deno.test("listPayloads() knows fields in other letters, and overwrites none that was sent", () => {
  const data = { commitMessage: "m", Done: {}, notes: 1, "Find Ings": 2 };
  deepEqual(listPayloads({ data }), [{ commit_message: "m", done: {}, notes: 1, findings: 2 }]);
  const both = { commit_message: "m", commitMessage: "n" };
  deepEqual(listPayloads({ data: both }), [both]);
});

Deno.test("listPayloads() takes reports of several tasks apart, and repeats the count", () => {
  const tasks = [{ task_id: "1", checklist: [] }, { task_id: "2", checklist: [] }];
  deepEqual(listPayloads({ data: { tasks, summary: "s", compaction_count: 1 } }), [
    { summary: "s", compaction_count: 1, ...tasks[0] },
    { summary: "s", compaction_count: 1, ...tasks[1] },
  ]);
});

const INNER = { choice: "merge" };

for (
  const sent of [
    INNER,
    [INNER],
    JSON.stringify(INNER),
    { data: INNER },
    { payload: JSON.stringify(INNER) },
    { BRANCH_INTERVENTION: INNER },
  ]
) {
  Deno.test(`unwrapPayload() finds the payload in ${JSON.stringify(sent)}`, () => {
    const { choice } = unwrapPayload(sent, ["BRANCH_INTERVENTION"]) as typeof INNER;
    equal(choice, "merge");
  });
}

Deno.test("unwrapPayload() keeps the count beside what is wrapped, and leaves other payloads alone", () => {
  const { compaction_count: count, choice } = unwrapPayload(
    { data: INNER, compaction_count: 2 },
    [],
  ) as Readonly<Record<string, unknown>>;
  deepEqual([count, choice], [2, "merge"]);
  deepEqual(unwrapPayload({ slots: { a: 1 } }, []), { slots: { a: 1 } });
  deepEqual(unwrapPayload([INNER, INNER], []), [INNER, INNER]);
});
