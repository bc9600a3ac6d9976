/** What a request says in so many words, and what of it was seen to work. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import {
  addObserved,
  isAboutDefect,
  listClauses,
  listOpenClauses,
  listProvingTests,
  listUnprovenClauses,
  matchObserved,
} from "../../../src/phase/contract/clauses.ts";
import { buildStageContext } from "../../../src/phase/stage_block.ts";
import type { FrameSlot } from "../../../src/phase/facts.ts";
import { toState } from "../samples.ts";

const slot = (quote: string): FrameSlot => ({ value: "v", quote, source: "FACT" });

function frame(slots: Readonly<Record<string, FrameSlot>>) {
  const open = {
    target_feature: null,
    trigger_condition: null,
    observed_issue: null,
    desired_action: null,
  };
  return {
    actionType: null,
    slots: { ...open, ...slots },
    targetSymbols: [],
    scope: null,
    constraints: [],
  };
}

Deno.test("listClauses() gives each quote once, and none that stands in another", () => {
  const whole = frame({
    target_feature: slot("login form"),
    desired_action: slot("add a login form"),
    trigger_condition: slot(" when the name is empty "),
  });
  deepEqual(listClauses({ query: "", frame: whole }), [
    "when the name is empty",
    "add a login form",
  ]);
  deepEqual(listClauses({ query: "Add a login form.", frame: null }), []);
  const query =
    "Add a login form. An empty name has to be refused. It is late! Keep the cookie as it is.";
  const kept = {
    ...frame({ target_feature: slot("login form") }),
    constraints: ["Keep the cookie"],
  };
  deepEqual(listClauses({ query, frame: kept }), ["login form", "An empty name has to be refused"]);
});

Deno.test("listClauses() gives what a request demands before what it tells, however its lines are broken", () => {
  const told = ["We had this.", "It was like that.", "Nobody knew of it."].join(" ");
  const query = `# Send no status early\n\n${told} Until the\nfirst byte nothing may be sent. ` +
    "Flushing has to go on working for a custom serializer\nor middleware. Loans alike, and all cards too.";
  deepEqual(
    listClauses({ query, frame: frame({ target_feature: slot("Send no status\nearly") }) }),
    [
      "Send no status early",
      "Until the first byte nothing may be sent",
      "Flushing has to go on working for a custom serializer or middleware",
      "Loans alike, and all cards too",
    ],
  );
});

Deno.test("listOpenClauses() takes a clause as seen only where something was said of it", () => {
  const asked = frame({ target_feature: slot("login form"), desired_action: slot("add a button") });
  const sent = { "login form": "ran it: 3 fields", "add a button": " … " };
  const observed = matchObserved(sent, listClauses({ query: "", frame: asked }));
  deepEqual(observed, { "login form": "ran it: 3 fields" });
  deepEqual(listOpenClauses({ query: "", frame: asked, observed }), ["add a button"]);
});

Deno.test("matchObserved() takes several clauses in one key, clauses written otherwise, and one text for all of them", () => {
  const clauses = ["login form", "add a button", "add"];
  const both = { "login form": "3 fields", "add a button": "3 fields" };
  deepEqual(matchObserved({ "Login form; add a button": "3 fields" }, clauses), both);
  deepEqual(matchObserved({ "`login form`": "3 fields" }, clauses), { "login form": "3 fields" });
  deepEqual(matchObserved("3 fields; a button; ran", clauses), {
    "login form": "3 fields",
    "add a button": "a button",
    add: "ran",
  });
  deepEqual(matchObserved("3 fields", clauses), { ...both, add: "3 fields" });
  deepEqual(matchObserved(" … ", clauses), {});
  deepEqual(matchObserved({ "of my own": "seen" }, clauses), { "of my own": "seen" });
});

Deno.test("listUnprovenClauses() names what rests on the agent's word, and not what a test shows that ran", () => {
  const asked = frame({ target_feature: slot("login form"), desired_action: slot("add a button") });
  const verification = { ranTests: ["tests/login_test.ts: shows 3 fields"] };
  const toUnproven = (showed: string) =>
    listUnprovenClauses({
      query: "",
      frame: asked,
      observed: { "login form": showed },
      verification: verification as never,
    });
  deepEqual(toUnproven("ran it: 3 fields"), ["login form"]);
  deepEqual(toUnproven('"shows 3 fields" passes'), []);
  deepEqual(toUnproven("deno test login_test.ts: 4 passed"), []);
});

Deno.test("step 17 offers the tests that fail without the change, and takes the one that shows a clause", () => {
  const asked = frame({ target_feature: slot("login form"), desired_action: slot("add a button") });
  const verification = {
    ranTests: [
      "tests/a_test.ts: shows 3 fields",
      "tests/a_test.ts: has a button",
      "tests/a_test.ts",
    ],
    provesNothing: ["tests/a_test.ts: has a button"],
    proving: 1,
  };
  const before = toState("PRE_COMMIT", {
    frame: asked,
    observed: { "login form": "it was there", "add a button": "a_test.ts passes" },
    verification: verification as never,
  });
  const told = String(buildStageContext(before)["observed_unproven"]);
  match(told, /ran is named in it: "login form"\. Where .*beside this payload: shows 3 fields\.$/);
  equal(listProvingTests({ verification: { ...verification, proving: 2 } as never }).length, 0);
  const observed = addObserved(before, { "login form": "shows 3 fields" });
  deepEqual(observed, { "login form": "shows 3 fields", "add a button": "a_test.ts passes" });
  deepEqual(buildStageContext({ ...before, observed }), {});
});

Deno.test("isAboutDefect() is true for work on something that the request saw going wrong", () => {
  const seen = frame({ observed_issue: slot("it fails") });
  equal(isAboutDefect(toState("EXPLORATION", { frame: seen })), true);
  equal(isAboutDefect(toState("EXPLORATION", { frame: frame({}) })), false);
  const asked = toState("EXPLORATION", { frame: seen, begin: { intent: "QUESTION" } });
  equal(isAboutDefect(asked), false);
});
