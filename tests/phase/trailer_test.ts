/** How sure a commit is, by what was verified and what the person said. */
import { strictEqual as equal } from "node:assert/strict";
import type { SessionState } from "../../src/phase/state.ts";
import { chooseTrailerValue, hasFailedRun, isCalledVerified } from "../../src/phase/trailer.ts";
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
  ["yes", { verification: { ...passed("1"), source: "server" } }],
  ["yes (worktree)", {
    verification: { ...passed("1"), source: "server", inWorktree: "no checkout works" },
  }],
  ["baseline-red", { verification: { ...passed("1"), source: "baseline-red" } }],
  ["no", { verification: { ...passed("1"), passed: false, source: "unproven" } }],
  // Of two at the same time the person's word stands.
  ["overridden (asked)", { verification: passed("1"), decisions: [accepted("1", "asked")] }],
  ["overridden (asked)", {
    verification: { ...passed("2"), passed: false },
    decisions: [accepted("1", "asked")],
  }],
  ["overridden (relayed)", { decisions: [accepted("1", "relayed")] }],
  ["overridden (asked)", { verification: passed("1"), decisions: [accepted("2", "asked")] }],
  ["self-reported", { verification: passed("2"), decisions: [accepted("1", "asked")] }],
  ["self-reported", {
    verification: passed("1"),
    decisions: [{ ...accepted("2", "asked"), decision: "continue" }],
  }],
];

for (const [expected, rest] of TRAILERS) {
  Deno.test(`chooseTrailerValue() says ${expected} for ${JSON.stringify(rest)}`, () => {
    equal(chooseTrailerValue(toState("PRE_COMMIT", rest)), expected);
  });
}

Deno.test("isCalledVerified() holds for a passed verification that the person has not overridden", () => {
  for (const [expected, rest] of TRAILERS) {
    const isCalled = isCalledVerified(toState("PRE_COMMIT", rest));
    equal(isCalled, expected !== "no" && !expected.startsWith("overridden"), expected);
  }
});

Deno.test("hasFailedRun() takes a failed verification for a failure, and none of which nobody knows the result", () => {
  const failed = (source: "server" | "self-reported" | "unproven") => ({
    verification: { ...passed("1"), passed: false, source },
  });
  equal(hasFailedRun(toState("MERGE", failed("server"))), true);
  equal(hasFailedRun(toState("MERGE", failed("self-reported"))), true);
  equal(hasFailedRun(toState("MERGE", failed("unproven"))), false);
  equal(hasFailedRun(toState("MERGE", { verification: passed("1") })), false);
  equal(hasFailedRun(toState("MERGE", { verification: null })), false);
});
