/** Rows of a review, and what a commit message may not hold. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import type { ChangedFile } from "../../../src/phase/facts.ts";
import type { SessionState, UserDecision } from "../../../src/phase/state.ts";
import { accept, PAYLOAD, settle, submit, toDoneTask, toRefusal, toState } from "../samples.ts";
import { checkTrailers, resolveReview } from "../../../src/phase/rules/review_rows.ts";

const shared = (personOid: string): ChangedFile => ({
  path: "a.ts",
  kind: "modified",
  isShared: true,
  personOid,
});

function send(
  state: ReturnType<typeof toState>,
  options: { readonly oid: string; readonly included?: readonly string[] },
) {
  const facts = { changes: [shared(options.oid)], inseparable: ["a.ts"] };
  const payload = { reviewed_files: ["a.ts"], include_person_changes: options.included ?? [] };
  const sent = submit(state, { ...PAYLOAD.PRE_COMMIT, ...payload }, { facts });
  return sent.kind === "perform" ? settle(sent) : sent;
}

Deno.test("preCommit() asks once for the person's changes of a file, as long as they are the same", () => {
  const first = toState("PRE_COMMIT");
  deepEqual(toRefusal(send(first, { oid: "1" })), [
    "person_changes_mixed data.include_person_changes",
  ]);
  const { state } = accept(send(first, { oid: "1", included: ["a.ts"] }));
  deepEqual(state.includedPerson, [{ path: "a.ts", oid: "1" }]);
  const back = { ...state, stage: "PRE_COMMIT" as const };
  const again = accept(send(back, { oid: "1" }));
  deepEqual(again.reply.person_changes_remembered, ["a.ts"]);
  deepEqual(again.state.prepared?.includePerson, ["a.ts"]);
  // The word was given once and stands once in the record.
  deepEqual(again.state.decisions.length, state.decisions.length);
  deepEqual(toRefusal(send(back, { oid: "2" })), [
    "person_changes_mixed data.include_person_changes",
  ]);
  const newer = accept(send(back, { oid: "2", included: ["a.ts"] }));
  deepEqual(newer.state.includedPerson, [{ path: "a.ts", oid: "2" }]);
});

const ACCEPTED: UserDecision = {
  at: "2",
  stage: "POST_IMPL_VERIFY",
  decision: "accept",
  reason: "r",
  source: "asked",
};

Deno.test("qualityReview() goes back to the review where the person wrote on lines of the session since", () => {
  const prepared = {
    message: "m",
    paths: ["a.ts"],
    includePerson: [],
    hooksReviewed: false,
  };
  const facts = { changes: [shared("1")], inseparable: ["a.ts"] };
  const send = (rest: Partial<SessionState>) =>
    submit(toState("QUALITY_REVIEW", { prepared, ...rest }), PAYLOAD.QUALITY_REVIEW, { facts });
  const { state, reply } = accept(send({}));
  deepEqual([state.stage, state.prepared], ["POST_IMPL_VERIFY", null]);
  deepEqual(reply.person_changed_since_review, ["a.ts"]);
  equal(accept(send({ flags: { no_verify: true } })).state.stage, "PRE_COMMIT");
  // What they were asked about is what it was then.
  const asked = { prepared: { ...prepared, includePerson: ["a.ts"] } };
  const word = (oid: string) => ({ ...asked, includedPerson: [{ path: "a.ts", oid }] });
  equal(send(word("1")).kind, "perform");
  equal(accept(send(word("2"))).state.stage, "POST_IMPL_VERIFY");
});

for (const stage of ["PRE_COMMIT", "QUALITY_REVIEW"] as const) {
  Deno.test(`evidence that the person took away at ${stage} opens its task again`, () => {
    const tasks = [toDoneTask("a")];
    const facts = { stale: [{ taskId: "a", items: [0] }] };
    const send = (rest: Partial<SessionState>) =>
      submit(toState(stage, { tasks, ...rest }), PAYLOAD[stage], { facts });
    const { state, reply } = accept(send({}));
    deepEqual([state.stage, state.tasks[0]?.status], ["READY_IMPL", "pending"]);
    deepEqual(reply.evidence_stale, ["a"]);
    // The person's word for the work as it is stands above its evidence.
    const word = { decisions: [ACCEPTED] };
    equal(send(word).kind === "accepted" && accept(send(word)).state.stage === "READY_IMPL", false);
  });
}

Deno.test("preCommit() asks about and remembers only files that are kept and that the person changed", () => {
  const file = (path: string, rest: Partial<ChangedFile> = {}): ChangedFile => ({
    path,
    kind: "modified",
    isShared: true,
    personOid: "1",
    ...rest,
  });
  const { personOid: _none, ...unknown } = file("unknown.ts");
  const changes = [file("a.ts"), file("b.ts"), file("own.ts", { isShared: false }), unknown];
  const known = ["a.ts", "b.ts", "own.ts", "unknown.ts"].map((path) => ({ path, oid: "1" }));
  const send = (reviewed: readonly unknown[], inseparable: readonly string[], given = known) => {
    const payload = { ...PAYLOAD.PRE_COMMIT, reviewed_files: reviewed, rest: "keep" };
    const state = toState("PRE_COMMIT", { includedPerson: given });
    return submit(state, payload, { facts: { changes, inseparable } });
  };
  deepEqual(accept(send([], [])).reply.person_changes_remembered, ["a.ts", "b.ts"]);
  const discard = { path: "b.ts", decision: "discard", reason: "not wanted" };
  const sent = send([discard], ["b.ts"], []);
  equal(sent.kind, "perform");
  const kept = send([discard], []);
  deepEqual(accept(kept).reply.person_changes_remembered, ["a.ts"]);
  deepEqual(toRefusal(send([], ["a.ts"], [])), [
    "person_changes_mixed data.include_person_changes",
  ]);
});

const CHANGES = ["src/a.ts", "src/b.ts", "log.txt"].map((path): ChangedFile => ({
  path,
  kind: "modified",
  isShared: false,
}));

function decide(rows: readonly unknown[], rest?: "keep" | "discard") {
  const payload = { reviewed_files: rows, ...(rest === undefined ? {} : { rest }) };
  const review = resolveReview(payload as Parameters<typeof resolveReview>[0], CHANGES);
  return "problems" in review
    ? review.problems.map(({ code }) => code)
    : review.files.map(({ path, decision }) => `${decision} ${path}`);
}

Deno.test("resolveReview() gives each changed file one decision, by path, by glob and by rest", () => {
  const discard = { path: "log.txt", decision: "discard", reason: "a log" };
  deepEqual(decide(["src/*.ts", discard]), ["keep src/a.ts", "keep src/b.ts", "discard log.txt"]);
  deepEqual(decide([discard], "keep"), ["discard log.txt", "keep src/a.ts", "keep src/b.ts"]);
});

Deno.test("resolveReview() names what is not reviewed, not changed, or discarded without a reason", () => {
  deepEqual(decide(["src/a.ts", "log.txt"]), ["file_not_reviewed"]);
  deepEqual(decide(["other.ts"], "discard"), ["not_changed"]);
  deepEqual(decide([{ path: "other.ts", decision: "discard", reason: "a log" }], "keep"), [
    "not_changed",
  ]);
  // Kept with or without that row: it is left out.
  deepEqual(decide(["other.ts"], "keep").length, 3);
  deepEqual(decide([{ path: "log.txt", decision: "discard" }], "keep"), ["reason_missing"]);
});

Deno.test("checkTrailers() refuses lines that are the server's in every place of a message", () => {
  const list = (message: string) => checkTrailers(message).map(({ code }) => code);
  deepEqual(list("Add it\n\nCode-Intel-Verified: yes"), ["trailer_reserved"]);
  deepEqual(list("  code-intel-session : x"), ["trailer_reserved"]);
  deepEqual(list("Say what Code-Intel-Verified: means"), []);
});
