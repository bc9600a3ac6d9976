/** Where commands run, and whose result counts. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import type { Checkout } from "../../../src/evidence/checkout/with_checkout.ts";
import { isSameOutcome, runInCheckouts } from "../../../src/evidence/runs/run_in_checkouts.ts";
import type { VerificationResultRow } from "../../../src/evidence/runs/verification.ts";

const CHECKOUT: Checkout = { root: "/c", cwd: "/c", worktree: "/w", lent: ["vendor"], env: {} };

function row(exitCode: number): VerificationResultRow {
  return {
    name: "t",
    run: ["t"],
    exitCode,
    startedAt: "",
    durationMs: 1,
    outputTail: "said\n",
    outputHash: "",
    outputBytes: 5,
    timedOut: false,
    cancelled: false,
    isStarted: true,
    failure: null,
    treeAtStart: "t",
  };
}

/** Runs with the exit codes of the checkout and of the worktree; tells where it ran. */
async function run(codes: readonly [number, number], isSure: boolean, made: Checkout | string) {
  const ran: string[] = [];
  const placed = await runInCheckouts(
    { commands: [], checkout: { tree: "tree", isSure, use: (action) => action(made) } },
    (checkout) => {
      ran.push(checkout === null ? "worktree" : "checkout");
      return Promise.resolve([row(checkout === null ? codes[1] : codes[0])]);
    },
    () => false,
  );
  return { ran: ran.join(), exitCode: placed.results[0]?.exitCode, place: placed.place };
}

Deno.test("a green checkout is the only run; a red one is held against the worktree unless checkouts work here", async () => {
  const green = await run([0, 1], false, CHECKOUT);
  deepEqual([green.ran, green.exitCode, green.place], ["checkout", 0, {
    kind: "checkout",
    tree: "tree",
    lent: ["vendor"],
  }]);
  const same = await run([1, 1], false, CHECKOUT);
  deepEqual([same.ran, same.place?.kind], ["checkout,worktree", "checkout"]);
  const other = await run([1, 0], false, CHECKOUT);
  deepEqual([other.ran, other.exitCode], ["checkout,worktree", 0]);
  equal(other.place?.kind === "worktree" && other.place.differs, true);
  match(other.place?.kind === "worktree" ? other.place.why : "", /t: exit code 1 only.*\[said\]/);
  const sure = await run([1, 0], true, CHECKOUT);
  deepEqual([sure.ran, sure.exitCode, sure.place?.kind], ["checkout", 1, "checkout"]);
  const none = await run([0, 0], true, "the disk is full");
  deepEqual([none.ran, none.place], ["worktree", {
    kind: "worktree",
    why: "No clean checkout could be made: the disk is full",
    differs: false,
  }]);
});

Deno.test("a checkout that needs what git ignores gets it, unless the change alone needs it", async () => {
  const ask = async (base: number | null) => {
    const ran: string[] = [];
    let kept = 0;
    const more = { words: "with gen.js", keep: () => Promise.resolve(void kept++) };
    const { results, place } = await runInCheckouts(
      {
        commands: [],
        checkout: {
          tree: "tree",
          isSure: false,
          isUntouched: base === null,
          use: (action, wanted) =>
            wanted?.which === "named"
              ? action("nothing is named")
              : action(wanted === undefined ? CHECKOUT : { ...CHECKOUT, root: "/all", more }),
        },
        ...(base === null ? {} : { before: [row(base)] }),
      },
      (checkout) => {
        ran.push(checkout?.root ?? "worktree");
        return Promise.resolve([row(checkout?.root === "/c" ? 1 : 0)]);
      },
      () => false,
    );
    return { ran: ran.join(), exitCode: results[0]?.exitCode, place, kept };
  };
  const same = { ran: "/c,worktree,/all", exitCode: 0, kept: 1 };
  for (const base of [null, 1]) {
    const { place, ...said } = await ask(base);
    deepEqual(said, same);
    equal(place?.kind === "checkout" && place.more, "with gen.js");
  }
  const { place, ...said } = await ask(0);
  deepEqual(said, { ran: "/c,worktree", exitCode: 0, kept: 0 });
  equal(place?.kind === "worktree" && place.isByChange, true);
});

Deno.test("isSameOutcome() compares what failed by name", () => {
  const report = (name: string) => ({
    runner: "r",
    unit: "tests" as const,
    passed: 1,
    failed: 1,
    skipped: 0,
    errors: 0,
    failures: [{ name, line: "" }],
    isComplete: true,
  });
  const [one, other] = ["a", "b"].map((name) => ({ ...row(1), report: report(name) }));
  if (one === undefined || other === undefined) throw new Error("two rows");
  equal(isSameOutcome([one], [{ ...one, exitCode: 1 }]), true);
  equal(isSameOutcome([one], [other]), false);
  equal(isSameOutcome([row(0)], [row(1)]), false);
  equal(isSameOutcome([row(0)], []), false);
});

Deno.test("a red run without a known untouched tree runs that one too", async () => {
  const ran: string[] = [];
  const ask = async (before: readonly VerificationResultRow[] | undefined, untouched: number) => {
    ran.length = 0;
    const named = (place: string, made: Checkout) => ({ ...made, root: place });
    return await runInCheckouts(
      {
        commands: [],
        checkout: { tree: "tree", isSure: true, use: (action) => action(CHECKOUT) },
        untouched: (action) => action(named("/untouched", CHECKOUT)),
        ...(before === undefined ? {} : { before }),
      },
      (checkout) => {
        ran.push(checkout?.root ?? "worktree");
        return Promise.resolve([row(checkout?.root === "/untouched" ? untouched : 1)]);
      },
      () => false,
    );
  };
  const asked = await ask(undefined, 1);
  deepEqual([ran.join(), asked.untouched?.[0]?.exitCode], ["/c,/untouched", 1]);
  const known = await ask([row(1)], 1);
  deepEqual([ran.join(), known.untouched], ["/c", undefined]);
});
