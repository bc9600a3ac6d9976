/** The plan of a question: from what it names, and from the slots that are still open. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import type { RouterInput } from "../../src/question/router.ts";
import { routeQuestion } from "../../src/question/router.ts";

const KNOWN = { value: "login" };
const ALL = {
  target_feature: KNOWN,
  trigger_condition: KNOWN,
  observed_issue: KNOWN,
  desired_action: KNOWN,
};

function route(question: string, rest: Partial<RouterInput> = {}) {
  return routeQuestion({ question, slots: null, targetSymbols: [], ...rest });
}

Deno.test("routeQuestion() takes the tools of the open slots, each once, the first with the highest priority", () => {
  const { plan, missingSlots, risk } = route("Who calls UserService.save?");
  deepEqual(plan.map(({ tool }) => tool), [
    "find_definitions",
    "search_text",
    "find_references",
    "search_files",
  ]);
  deepEqual(plan.map(({ priority }) => priority), [4, 3, 2, 1]);
  deepEqual(plan[0]?.params, { symbol: "UserService.save" });
  deepEqual([missingSlots.length, risk], [4, "HIGH"]);
});

Deno.test("routeQuestion() knows the risk by the number of open slots", () => {
  const rows = [
    [{}, "LOW"],
    [{ observed_issue: null }, "LOW"],
    [{ observed_issue: null, desired_action: null }, "MEDIUM"],
    [{ observed_issue: null, desired_action: null, target_feature: null }, "HIGH"],
  ] as const;
  for (const [open, risk] of rows) {
    equal(route("why", { slots: { ...ALL, ...open } }).risk, risk, JSON.stringify(open));
  }
});

Deno.test("routeQuestion() looks into files and symbols that are given apart, and into the frame's", () => {
  const { plan } = route("why does it fail", {
    filePath: "src/auth.ts",
    symbol: "check",
    targetSymbols: ["login"],
    slots: { ...ALL, observed_issue: null },
    intent: "MODIFY",
  });
  const of = (tool: string) =>
    plan.filter((step) => step.tool === tool).map(({ params }) => params);
  deepEqual(of("analyze_structure"), [{ "file_path": "src/auth.ts" }]);
  deepEqual(of("find_definitions"), [{ symbol: "check" }, { symbol: "login" }]);
});

Deno.test("R23, R53: routeQuestion() plans something for a question without any name", () => {
  const { plan, terms } = route("how are stale branches removed?");
  deepEqual(terms.words, ["stale", "branches", "removed"]);
  const symbols = plan.filter(({ tool }) => tool === "find_definitions");
  deepEqual(symbols[0]?.params, { symbol: "staleBranches" });
  ok(plan.some(({ tool }) => tool === "search_text"));
  deepEqual(route("how does it do that?").plan, [], "nothing to look for is said, not guessed");
});
