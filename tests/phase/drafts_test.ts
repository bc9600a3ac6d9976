/** What the server drafts of each step, and what it asks. */
import { deepStrictEqual as deepEqual, match } from "node:assert/strict";
import type { DraftFacts } from "../../src/phase/drafts.ts";
import { draftPayload } from "../../src/phase/drafts.ts";
import type { Stage } from "../../src/phase/table/phases.ts";
import type { SessionState } from "../../src/phase/state.ts";
import { toState } from "./samples.ts";

// deno-lint-ignore no-explicit-any -- tests read drafts freely
type Data = any;

function draft(stage: Stage, facts: Partial<DraftFacts>, state: Partial<SessionState> = {}): Data {
  const made = draftPayload(toState(stage, state), { sent: {}, ...facts });
  return made.kind === "payload" ? made.data : { ask: made.ask.map(String).join(" ") };
}

Deno.test("the frame quotes the sentences of the request, and one that says what goes wrong is the issue", () => {
  const query = "Refuse an empty name. Login crashes on it.";
  const { slots } = draft("QUERY_FRAME", { symbols: ["login"] }, { query });
  const quotes = Object.entries(slots).map(([name, slot]: Data) => [name, slot?.quote ?? null]);
  deepEqual(Object.fromEntries(quotes), {
    target_feature: "Refuse an empty name",
    desired_action: "Refuse an empty name",
    observed_issue: "Login crashes on it",
    trigger_condition: null,
  });
});

Deno.test("a draft says nothing of what nobody saw: it asks", () => {
  match(draft("EXPLORATION", {}).ask, /explored_files/);
  match(draft("VERIFICATION", {}, { hypotheses: ["tokens expire"] }).ask, /tokens expire/);
  match(draft("IMPACT_ANALYSIS", {}).ask, /analyze_impact/);
  match(draft("POST_IMPL_VERIFY", {}).ask, /passed/);
  match(draft("BRANCH_INTERVENTION", {}).ask, /person/);
  const row = { item: "Greet", places: [], said: null };
  match(draft("READY_IMPL", { report: [row] }).ask, /No changed line shows these.*"Greet"/);
});

Deno.test("what the agent sends for a step takes the place of the draft, and answers what it asks", () => {
  const sent = { hypotheses_verified: [{ hypothesis: "tokens expire" }], done: {} };
  deepEqual(
    draft("VERIFICATION", { sent }, { hypotheses: ["tokens expire"] }).hypotheses_verified,
    sent.hypotheses_verified,
  );
  const seen = ["src/a.ts"];
  deepEqual(draft("EXPLORATION", { seen }).explored_files, seen);
  const own = { explored_files: ["src/b.ts:1: text"] };
  deepEqual(draft("EXPLORATION", { seen, sent: own }).explored_files, own.explored_files);
});

Deno.test("an item is skipped by the agent's reason only where nothing of it changed", () => {
  const place = { evidence: "a.ts:1", path: "a.ts", text: "" };
  const said = "nothing had to change here";
  const row = draft("READY_IMPL", { report: [{ item: "Greet", places: [], said }] });
  deepEqual(row.checklist, [{ item: "Greet", reason: said }]);
  const idle = { item: "Greet", places: [], said, fallen: [place] };
  match(draft("READY_IMPL", { report: [idle] }).ask, /a\.ts:1.*empty body/);
});
