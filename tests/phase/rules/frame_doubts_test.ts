/** What a query frame leaves open: symbols and values that may not be meant, and what the request does not say. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import type { MeasuredSymbol } from "../../../src/phase/facts.ts";
import { PAYLOAD, submit, toState } from "../samples.ts";

const SLOT = { value: "login", quote: "login", source: "FACT" } as const;
const frameOf = (...symbols: readonly MeasuredSymbol[]) => ({
  frame: { slots: { target_feature: SLOT }, problems: [], symbols },
});
const SCALE = {
  places: 1,
  files: ["src/a.ts"],
  users: 0,
  tests: 1,
  reverted: 0,
  troubled: 0,
};
const measured = (source: MeasuredSymbol["source"]): MeasuredSymbol => ({
  symbol: "AuthService",
  source,
  score: 0.5,
  suggestions: source === "REJECTED" ? ["LoginForm"] : [],
});

Deno.test("a rejected symbol is refused with names that are nearer", () => {
  const decision = submit(toState("QUERY_FRAME"), PAYLOAD.QUERY_FRAME, {
    facts: frameOf(measured("REJECTED")),
  });
  equal(decision.kind, "refused");
  const [problem] = decision.kind === "refused" ? decision.problems : [];
  deepEqual([problem?.code, problem?.at], ["symbol_unrelated", "data.target_symbols[0]"]);
  ok(String(problem?.hint).includes("LoginForm") === true);
});

Deno.test("a doubtful symbol raises the risk and has to be verified, whatever Q2 says", () => {
  const state = toState("QUERY_FRAME", { intent: "IMPLEMENT" });
  const facts = frameOf(measured("HYPOTHESIS"));
  const framed = submit(state, PAYLOAD.QUERY_FRAME, { facts });
  ok(framed.kind === "accepted");
  equal(framed.state.risk, "HIGH");
  deepEqual(framed.state.frame?.symbolSources, { AuthService: "HYPOTHESIS" });
  deepEqual(framed.reply?.["doubtful_symbols"], { AuthService: 0.5 });

  const { frame, risk } = framed.state;
  const asked = submit(
    { ...toState("Q2"), frame, ...(risk === undefined ? {} : { risk }) },
    { ...PAYLOAD.Q2, has_unverified_hypotheses: false, hypotheses: [] },
  );
  ok(asked.kind === "accepted");
  deepEqual([asked.state.stage, asked.state.hypotheses], ["VERIFICATION", [
    "The request means AuthService",
  ]]);
});

Deno.test("a symbol that is a fact leaves the risk and Q2 as they are", () => {
  const state = toState("QUERY_FRAME", { intent: "IMPLEMENT" });
  const framed = submit(state, PAYLOAD.QUERY_FRAME, { facts: frameOf(measured("FACT")) });
  ok(framed.kind === "accepted");
  equal(framed.state.risk, "MEDIUM");
  equal(framed.reply?.["doubtful_symbols"], undefined);
  const { frame } = framed.state;
  const asked = submit({ ...toState("Q2"), frame, risk: "MEDIUM" }, {
    ...PAYLOAD.Q2,
    has_unverified_hypotheses: false,
    hypotheses: [],
  });
  ok(asked.kind === "accepted");
  equal(asked.state.stage, "Q3");
});

Deno.test("a value that does not follow from its quote has to be verified, and has a notice", () => {
  const guess = { value: "AuthService", quote: "ログイン", source: "HYPOTHESIS" } as const;
  const facts = {
    frame: { slots: { target_feature: guess, desired_action: SLOT }, problems: [], symbols: [] },
  };
  const framed = submit(toState("QUERY_FRAME", { intent: "IMPLEMENT" }), PAYLOAD.QUERY_FRAME, {
    facts,
  });
  ok(framed.kind === "accepted");
  deepEqual(framed.reply?.["notices"], [
    'Step 9 asks for evidence: "ログイン" means AuthService (target_feature).',
  ]);
  const { frame } = framed.state;
  const asked = submit({ ...toState("Q2"), frame, risk: "MEDIUM" }, {
    ...PAYLOAD.Q2,
    has_unverified_hypotheses: false,
    hypotheses: [],
  });
  ok(asked.kind === "accepted");
  deepEqual([asked.state.stage, asked.state.hypotheses], ["VERIFICATION", [
    '"ログイン" means AuthService (target_feature)',
  ]]);
});

Deno.test("a name that the request itself brings in is new, and no slip for a name like it", () => {
  const rows: readonly (readonly [query: string, symbol: string, isNew: boolean])[] = [
    ["add `MatchUnique`, which refuses arguments given twice", "MatchUnique", true],
    ["Introduce a validator named cobra.MatchUnique for commands", "cobra.MatchUnique", true],
    ["Add a field to `MatchUniqe` for its name", "MatchUniqe", false],
    ["MatchUniqe should be faster", "MatchUniqe", false],
    ["Add a test. MatchUniqe is wrong", "MatchUniqe", false],
  ];
  for (const [query, symbol, isNew] of rows) {
    const unknown = { ...measured("FACT"), symbol, defined: { places: [], near: ["MatchAll"] } };
    const state = { ...toState("QUERY_FRAME", { intent: "IMPLEMENT" }), query };
    const scale = { ...SCALE, missing: 1 };
    const framed = submit(state, PAYLOAD.QUERY_FRAME, { facts: { ...frameOf(unknown), scale } });
    ok(framed.kind === "accepted");
    equal(framed.state.size?.level, isNew ? "small" : "usual", query);
    deepEqual(framed.reply?.["symbols"], {
      [symbol]: isNew ? "new: nothing is called so" : "unknown; near: MatchAll",
    }, query);
  }
});

Deno.test("the reply says of a doubtful symbol only the risk that the engine took", () => {
  const other: MeasuredSymbol = { ...measured("FACT"), symbol: "login" };
  for (
    const [symbols, risk] of [[[measured("HYPOTHESIS")], "HIGH"], [
      [measured("HYPOTHESIS"), other],
      "MEDIUM",
    ]] as const
  ) {
    const facts = frameOf(...symbols);
    const data = { ...PAYLOAD.QUERY_FRAME, target_symbols: symbols.map(({ symbol }) => symbol) };
    const framed = submit(toState("QUERY_FRAME", { intent: "IMPLEMENT" }), data, { facts });
    ok(framed.kind === "accepted");
    equal(framed.state.risk, risk);
    const told = JSON.stringify(framed.reply);
    ok(told.includes("It is not sure that the request means AuthService"), told);
    equal(told.includes("the risk is HIGH"), risk === "HIGH");
  }
});
