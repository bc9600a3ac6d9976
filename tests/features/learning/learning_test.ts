/** The learning of a project as the workflow uses it, on real files. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { ProjectLearning } from "../../../src/features/learning/learning.ts";
import type { LearnedState } from "../../../src/features/learning/decision_log.ts";
import { mergedState, SAMPLE_ID, SAMPLE_PLAN, sampleCall, sampleState } from "./samples.ts";

async function withLearning(
  check: (open: () => ProjectLearning, dir: string) => Promise<void>,
  places: readonly string[] = ["src/auth.ts"],
): Promise<void> {
  const dir = await Deno.makeTempDir();
  const open = () =>
    new ProjectLearning({
      codeIntelDir: dir,
      clock: { now: () => new Date("2026-02-01T10:00:00.000Z") },
      findSymbol: () => Promise.resolve(places),
    });
  try {
    await check(open, dir);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

function saved(state: LearnedState) {
  return {
    state,
    isFramed: true,
    loadRecords: () => Promise.resolve([sampleCall()]),
    loadPlan: () => Promise.resolve(SAMPLE_PLAN),
    loadChanged: () =>
      Promise.resolve([{
        path: "src/auth.ts",
        name: "AuthService.login",
        holders: ["AuthService"],
        isTest: false,
      }]),
    files: ["src/auth.ts"],
    toProject: (path: string) => path,
  };
}

Deno.test("note() writes each line once, in this process and in another", () =>
  withLearning(async (open) => {
    const learning = open();
    deepEqual(await learning.note(saved(sampleState())), { notices: [], learned: [] });
    const first = await learning.note(saved(mergedState()));
    equal(first.learned.length, 1);
    deepEqual((await learning.note(saved(mergedState()))).learned, []);
    deepEqual((await open().note(saved(mergedState()))).learned, []);
    const { decisions, outcomes, damaged } = await open().readLogs();
    deepEqual([decisions.length, outcomes.length, damaged], [1, 1, 0]);
    equal((await open().listAgreements()).agreements[0]?.confirmed, 1);
    equal((await open().listLearned(SAMPLE_ID)).length, 1);
    deepEqual(await open().listLearned("session_20260102_030405_aaaa"), []);
  }));

Deno.test("recall() gives what fits and exists, and nothing for another matter", () =>
  withLearning(async (open) => {
    await open().note(saved(mergedState()));
    const fields = await open().recall("Add a captcha to the login form");
    deepEqual((fields.agreements as { symbols: string[] }[])[0]?.symbols, ["AuthService.login"]);
    deepEqual(await open().recall("Make the export faster"), {});
    deepEqual(
      (await open().search("the login form", { maxHits: 5 })).map(({ terms }) => terms[0]),
      ["login form"],
    );
  }));

Deno.test("countTroubled() counts what was judged small and went wrong, by symbol or file", () =>
  withLearning(async (open) => {
    const note = async (sessionId: string, rest: Partial<LearnedState>) =>
      await open().note(saved(mergedState({ sessionId, ...rest })));
    const small = { level: "small", because: "" } as const;
    await note("session_1", { size: small });
    await note("session_2", { size: { level: "usual", because: "", outgrew: true } });
    await note("session_3", { size: { level: "large", because: "" }, end: "failed" });
    await note("session_4", { size: small, end: "failed" });
    const count = (symbols: readonly string[], files: readonly string[]) =>
      open().countTroubled({ symbols, files });
    deepEqual(
      await Promise.all([
        count([], ["src/auth.ts"]),
        count(["AuthService.login"], []),
        count([], []),
      ]),
      [2, 2, 0],
    );
  }));

Deno.test("recall() names an agreement whose symbols are gone and does not return it", () =>
  withLearning(async (open) => {
    const { learned } = await open().note(saved(mergedState()));
    deepEqual(await open().recall("the login form"), { stale_agreements: learned });
  }, []));

Deno.test("an agreement that sent later sessions elsewhere comes further down, and at last not at all", () =>
  withLearning(async (open, dir) => {
    const learning = open();
    await learning.note(saved(mergedState()));
    const ask = async () => (await learning.search("the login form", { maxHits: 5 }))[0]?.score;
    const sure = await ask() ?? 0;
    const later = async (sessionId: string, files: readonly string[]) => {
      const frame = null;
      const state = mergedState({ sessionId, frame, query: "Clear the login form" });
      // The clock of the test stands still; what was learned at that very time is not later.
      await new ProjectLearning({
        codeIntelDir: dir,
        clock: { now: () => new Date("2026-02-02T10:00:00.000Z") },
        findSymbol: () => Promise.resolve([]),
      }).note({ ...saved(state), files });
    };
    await later("session_2", ["src/auth.ts", "src/view.ts"]);
    equal(await ask(), sure, "a session that changed the file too says nothing against it");
    await later("session_3", ["src/view.ts"]);
    equal(await ask(), sure / 2);
    await later("session_4", ["src/view.ts"]);
    equal(await ask(), undefined);
  }));

Deno.test("amendLast() keeps every line, and the agreement of failed work is not used any more", () =>
  withLearning(async (open) => {
    const learning = open();
    equal(await learning.amendLast("nothing there"), null);
    await learning.note(saved(mergedState()));
    for (let times = 0; times < 2; times++) {
      deepEqual(await learning.amendLast("shared  counter"), { sessionId: SAMPLE_ID });
    }
    const { outcomes } = await learning.readLogs();
    deepEqual(outcomes.map(({ outcome, rootCause }) => [outcome, rootCause]), [
      ["merged", null],
      ["amended", "shared counter"],
    ]);
    const { finals, counts, damaged } = await learning.readOutcomes();
    deepEqual([finals.map(({ outcome }) => outcome), damaged], [["amended"], 0]);
    deepEqual(counts.all, { total: 1, success: 0, partial: 0, failure: 1 });
    const fields = await learning.recall("add a login form");
    equal(fields.agreements, undefined);
    equal((fields.past_failures as { root_cause: string }[])[0]?.root_cause, "shared counter");
    deepEqual(await learning.search("login form", { maxHits: 5 }), []);
    equal((await learning.listAgreements()).agreements.length, 1);
  }));

Deno.test("amendLast() amends the last finished work, not a start that was given up after it", () =>
  withLearning(async (open) => {
    const learning = open();
    await learning.note(saved(mergedState()));
    await learning.note(saved({ ...mergedState(), sessionId: "session_later", end: "abandoned" }));
    deepEqual(await learning.amendLast("shared counter"), { sessionId: SAMPLE_ID });
  }));

Deno.test("recordByHand() amends what is on record, and stands alone without a session", () =>
  withLearning(async (open) => {
    const learning = open();
    await learning.note(saved(mergedState()));
    const said = {
      result: "failure",
      reason: "wrong unit",
      symbols: ["price"],
      files: [],
    } as const;
    await learning.recordByHand(said, { sessionId: SAMPLE_ID, state: null });
    await learning.recordByHand(said, { sessionId: null, state: null });
    const { outcomes } = await learning.readLogs();
    deepEqual(outcomes.map(({ outcome, by }) => [outcome, by]), [
      ["merged", "server"],
      ["amended", "person"],
      ["reported", "person"],
    ]);
    equal(
      await learning.toHandAgreement({ ...said, term: "price" }, null),
      null,
      "only of a success",
    );
  }));

Deno.test("a folder that cannot be written fails nothing: it is told once", () =>
  withLearning(async (open, dir) => {
    await Deno.writeTextFile(join(dir, "logs"), "a file in the way");
    const learning = open();
    const active = { ...mergedState(), status: "active", end: null } as const;
    const first = await learning.note(saved(active));
    match(first.notices.join(), /is not in \.code-intel\/logs/);
    deepEqual(await learning.note(saved(active)), { notices: [], learned: [] });
    const end = await learning.note(saved(mergedState()));
    equal(end.notices.length, 1);
  }));
