/** The person's word about files that both changed: kept for the same content, asked again for another. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import type { ChangedFile } from "../../../src/phase/mod.ts";
import { accept, PAYLOAD, settle, submit, toRefusal, toState } from "../samples.ts";

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
