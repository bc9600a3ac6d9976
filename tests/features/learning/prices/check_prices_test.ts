/** Prices of checks: which findings paid, which were overridden, and when a check becomes rare. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import {
  buildCheckLine,
  computePrices,
  parseCheckLine,
  readSessionCost,
} from "../../../../src/features/learning/prices/check_prices.ts";
import { toState } from "../../../phase/samples.ts";
import type { ProofFinding } from "../../../../src/prove/verdict.ts";
import type { ProofCost } from "../../../../src/workflow/context/learning.ts";

const NAMES = ["commands", "wrong_versions"] as const;

function finding(place: string, rest: Partial<ProofFinding> = {}): ProofFinding {
  const usual = {
    check: "wrong_versions",
    weight: "doubts",
    what: "survives",
    settle: "",
  } as const;
  return { ...usual, place, ...rest };
}

function line(
  base: string,
  tree: string,
  findings: readonly ProofFinding[] = [],
  state: "done" | "skipped" | "rare" = "done",
) {
  const checks = NAMES.map((name) => ({
    ...{ name, seconds: 2, state: name === "commands" ? "done" as const : state },
  }));
  const cost: ProofCost = { by: "prove", at: "2026-01-31T00:00:00Z", base, tree, checks, findings };
  const written = parseCheckLine(JSON.parse(JSON.stringify(buildCheckLine(cost))));
  if (written === undefined) throw new Error("the line cannot be read back");
  return written;
}

function priceOf(name: string, ...lines: readonly ReturnType<typeof line>[]) {
  const { runs, seconds, paid, overridden } =
    computePrices(lines).find((one) => one.name === name) ??
      { runs: 0, seconds: 0, paid: 0, overridden: 0 };
  return { runs, seconds, paid, overridden };
}

const A = finding("src/a.ts:12");

Deno.test("a finding paid where it is gone after a change, and its check ran there", () => {
  const rows: readonly (readonly [string, readonly ReturnType<typeof line>[], number, number])[] = [
    ["gone", [line("b", "1", [A]), line("b", "2")], 1, 0],
    ["moved by a line", [line("b", "1", [A]), line("b", "2", [finding("src/a.ts:13")])], 0, 0],
    ["not looked at", [line("b", "1", [A]), line("b", "2", [], "skipped")], 0, 0],
    ["then looked at", [line("b", "1", [A]), line("b", "2", [], "skipped"), line("b", "3")], 1, 0],
    ["committed as it was", [line("b", "1", [A]), line("1", "2")], 0, 1],
    ["another work", [line("b", "1", [A]), line("x", "2")], 0, 0],
    [
      "a note that stays",
      [line("b", "1", [finding("a", { weight: "notes" })]), line("1", "2")],
      0,
      0,
    ],
    ["proven again", [line("b", "1", [A]), line("b", "1", [A]), line("b", "2")], 1, 0],
  ];
  for (const [what, lines, paid, overridden] of rows) {
    const price = priceOf("wrong_versions", ...lines);
    deepEqual([price.paid, price.overridden], [paid, overridden], what);
    equal(priceOf("commands", ...lines).paid, 0, what);
  }
});

Deno.test("an answered finding is overridden, and the same trees are one run", () => {
  const answer = { reason: "it is right so", by: "agent", at: "2026-01-31T00:00:00Z" } as const;
  const answered = line("b", "1", [finding("src/a.ts:12", { answer })]);
  deepEqual(priceOf("wrong_versions", line("b", "1", [A]), answered, line("b", "2")), {
    runs: 2,
    seconds: 4,
    paid: 0,
    overridden: 1,
  });
});

Deno.test("a check that has not paid in 30 runs takes place once in ten, and comes back after a catch", () => {
  const plain = (from: number, count: number, state: "done" | "rare" = "done") =>
    Array.from({ length: count }, (_, at) => line("b", `${from + at}`, [], state));
  const turn = (lines: readonly ReturnType<typeof line>[]) => {
    const price = computePrices(lines).find(({ name }) => name === "wrong_versions");
    return [price?.isRare, price?.isPassedOver];
  };
  deepEqual(turn(plain(0, 29)), [false, false]);
  // The thirtieth is followed by one that takes place, and then nine are passed over.
  deepEqual(turn(plain(0, 30)), [true, false]);
  deepEqual(turn(plain(0, 31)), [true, true]);
  deepEqual(turn([...plain(0, 31), ...plain(31, 8, "rare")]), [true, true]);
  deepEqual(turn([...plain(0, 31), ...plain(31, 9, "rare")]), [true, false]);
  const caught = [...plain(0, 31), ...plain(31, 9, "rare"), line("b", "c", [A]), line("b", "d")];
  deepEqual(turn(caught), [false, false]);
});

Deno.test("a run of step 15 costs what its checks took, and one without them is known by its findings alone", () => {
  const { workspace } = toState("PRE_COMMIT");
  const state = (checks?: readonly { name: string; state: string; seconds: number }[]) =>
    toState("PRE_COMMIT", {
      workspace: { ...workspace, baselineTree: "b" },
      verification: {
        ...{ at: "2026-01-31T00:00:00Z", passed: true, verifier: "t", details: "", ranOn: "1" },
        ...{ failedTasks: [], source: "server", provesNothing: ["a_test.ts: a"] },
        ...(checks === undefined ? {} : { checks }),
      },
    });
  const checks = [{ name: "changed_tests", state: "done", seconds: 3 }];
  const cost = readSessionCost(state(checks));
  deepEqual([cost?.checks, cost?.findings.length], [checks, 1]);
  deepEqual(readSessionCost(state())?.checks, []);
});
