/** The questions of one command share its time. */
import { strictEqual as equal } from "node:assert/strict";
import { LIMITS } from "../../src/base/settings/limits.ts";
import { TimeBudget } from "../../src/explore/index_access.ts";

Deno.test("limit() gives what the questions before have left, and a second where they left nothing", () => {
  let nowMs = 0;
  const patience = new TimeBudget(() => nowMs);
  const all = LIMITS.briefAnswerMs.value;
  equal(patience.limit(60_000), all);
  equal(patience.limit(500), 500);
  {
    using _spent = patience.spend();
    nowMs = 3_000;
  }
  nowMs = 50_000;
  equal(patience.limit(60_000), all - 3_000, "what lies between two questions is not counted");
  {
    using _spent = patience.spend();
    nowMs = 90_000;
  }
  equal(patience.limit(60_000), 1_000);
});
