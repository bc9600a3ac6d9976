/** What each condition of the flow hangs on, as literals. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import type { Condition } from "../../../src/phase/table/conditions.ts";
import { CONDITIONS } from "../../../src/phase/table/conditions.ts";
import type { BeginInput } from "../../../src/phase/begin.ts";
import type { SessionState } from "../../../src/phase/state.ts";
import { STARTS, TRANSITIONS } from "../../../src/phase/table/transitions.ts";
import { toState } from "../samples.ts";

type Rest = Partial<SessionState> & { readonly begin?: Partial<BeginInput> };

const ROWS: readonly (readonly [rest: Rest, holding: readonly Condition[]])[] = [
  [{}, []],
  [{ begin: { flags: { no_doc: true } } }, ["no_doc"]],
  [{ begin: { flags: { no_verify: true } } }, ["no_verify"]],
  [{ begin: { flags: { no_quality: true } } }, ["no_quality"]],
  [{ begin: { flags: { no_intervention: true } } }, ["no_intervention"]],
  [{ begin: { flags: { only_verify: true } } }, ["only_verify"]],
  [{ begin: { flags: { only_explore: true } } }, ["investigation"]],
  [{ begin: { flags: { fast: true } } }, ["skips_exploration", "no_quality"]],
  [{ begin: { flags: { quick: true } } }, ["skips_exploration", "quick", "no_intervention"]],
  [{ begin: { intent: "QUESTION" } }, ["investigation"]],
  [{ begin: { intent: "INVESTIGATE" } }, ["investigation"]],
  [{ begin: { gateLevel: "full" } }, ["gate_full"]],
  [{ risk: "HIGH", evaluation: { confidence: "low", missing: [] } }, ["thin_at_high_risk"]],
  [{ risk: "HIGH", evaluation: { confidence: "high", missing: [] } }, []],
];

for (const [rest, holding] of ROWS) {
  Deno.test(`of a session with ${JSON.stringify(rest)} holds: ${holding.join(", ") || "none"}`, () => {
    const state = toState("Q1", rest);
    const names = Object.keys(CONDITIONS) as readonly Condition[];
    deepEqual(names.filter((name) => CONDITIONS[name].holds(state)), holding);
  });
}

Deno.test("every condition stands on a transition or a start", () => {
  const used = new Set<string>([
    ...TRANSITIONS.flatMap(({ when = [] }) => when),
    ...STARTS.flatMap(({ when = [] }) => when),
  ]);
  deepEqual(Object.keys(CONDITIONS).filter((name) => !used.has(name)), []);
});
