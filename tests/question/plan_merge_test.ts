/** The order of a plan's places, with a ranking of the files and without one. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { mergePlaces } from "../../src/question/plan_merge.ts";
import type { PlanPlace, StepAnswer } from "../../src/question/plan_steps.ts";

const REFUSED = { kind: "refused", problems: [] } as const;

function toPlace(path: string, line: number, more: Partial<PlanPlace> = {}): PlanPlace {
  return { path, line, text: "", role: "text", weight: 1, ...more };
}

function check(
  answers: readonly Omit<StepAnswer, "answer">[],
  expected: readonly string[],
  symbols: readonly string[] = [],
) {
  const steps = answers.map(() => ({ tool: "find_definitions", params: { symbol: "load" } }));
  const whole = answers.map((answer) => ({ ...answer, answer: REFUSED }));
  const places = mergePlaces(steps, whole, { symbols });
  deepEqual(places.map(({ path, line }) => `${path}:${line}`), expected);
}

Deno.test("mergePlaces() keeps the order of the ranked files, whatever single places weigh", () => {
  check([
    { places: [toPlace("c.ts", 1, { weight: 9 }), toPlace("z.ts", 1, { weight: 9 })] },
    {
      places: [toPlace("b.ts", 1), toPlace("a.ts", 1), toPlace("c.ts", 5)],
      ranked: ["b.ts", "a.ts", "c.ts"],
    },
  ], ["b.ts:1", "a.ts:1", "c.ts:1", "c.ts:5", "z.ts:1"]);
});

Deno.test("mergePlaces() shows the best places of each ranked file before more of the first", () => {
  check([
    { places: [1, 2, 3, 4, 5].map((line) => toPlace("a.ts", line)) },
    { places: [toPlace("a.ts", 1), toPlace("b.ts", 1)], ranked: ["a.ts", "b.ts"] },
  ], ["a.ts:1", "a.ts:2", "a.ts:3", "b.ts:1", "a.ts:4", "a.ts:5"]);
});

Deno.test("mergePlaces() puts definitions of a named symbol first, unless there are many", () => {
  const exact = { role: "definition", isExact: true } as const;
  const ranked = { places: [toPlace("a.ts", 1)], ranked: ["a.ts"] };
  check([{ places: [toPlace("z.ts", 7, exact)] }, ranked], ["z.ts:7", "a.ts:1"], ["load"]);
  check([{ places: [toPlace("z.ts", 7, exact)] }, ranked], ["a.ts:1", "z.ts:7"], ["other"]);
  const many = [1, 2, 3, 4, 5, 6].map((line) => toPlace("z.ts", line, exact));
  check(
    [{ places: many }, ranked],
    ["a.ts:1", ...many.map(({ line }) => `z.ts:${line}`)],
    ["load"],
  );
});

Deno.test("mergePlaces() goes by weight where nothing ranks the files", () => {
  check([
    { places: [toPlace("a.ts", 1), toPlace("b.ts", 1, { weight: 3 }), toPlace("c.ts", 0)] },
  ], ["b.ts:1", "a.ts:1", "c.ts:0"]);
});
