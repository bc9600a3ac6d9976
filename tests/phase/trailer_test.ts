/** How sure a commit is, by what was verified and what the person said. */
import { strictEqual as equal } from "node:assert/strict";
import type { SessionState } from "../../src/phase/mod.ts";
import { isCalledVerified, toTrailer } from "../../src/phase/trailer.ts";
import { toState } from "./samples.ts";

const passed = (at: string) => ({
  at,
  passed: true,
  verifier: "npm test",
  details: "",
  failedTasks: [],
  source: "self-reported" as const,
});
const accepted = (at: string, source: "asked" | "relayed") => ({
  at,
  stage: "POST_IMPL_VERIFY" as const,
  decision: "accept",
  reason: "r",
  source,
});

const TRAILERS: readonly (readonly [expected: string, rest: Partial<SessionState>])[] = [
  ["no", {}],
  ["no", { verification: { ...passed("1"), passed: false } }],
  ["self-reported", { verification: passed("1") }],
  ["overridden (relayed)", { decisions: [accepted("1", "relayed")] }],
  ["overridden (asked)", { verification: passed("1"), decisions: [accepted("2", "asked")] }],
  ["self-reported", { verification: passed("2"), decisions: [accepted("1", "asked")] }],
  ["self-reported", {
    verification: passed("1"),
    decisions: [{ ...accepted("2", "asked"), decision: "continue" }],
  }],
];

for (const [expected, rest] of TRAILERS) {
  Deno.test(`toTrailer() says ${expected} for ${JSON.stringify(rest)}`, () => {
    equal(toTrailer(toState("PRE_COMMIT", rest)), expected);
  });
}

Deno.test("isCalledVerified() holds for a passed verification that the person has not overridden", () => {
  for (const [expected, rest] of TRAILERS) {
    const isCalled = isCalledVerified(toState("PRE_COMMIT", rest));
    equal(isCalled, expected !== "no" && !expected.startsWith("overridden"), expected);
  }
});
