/** Notes in place of notes: nobody signs twice, and nothing unsigned takes the place of what is signed. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { attestCommit } from "../../../src/features/attest/attest_commit.ts";
import { testNeeding } from "../../support/needs.ts";
import { createAttestedRepo, toTestStatement } from "./attested_repo.ts";

testNeeding(
  ["ssh_keygen"],
  "a signed note stays, an unsigned one is replaced by a signed one",
  async () => {
    await using temp = await createAttestedRepo();
    const made = await temp.claim("work");
    const statement = toTestStatement(made);
    const attest = async (accepted: "signed" | "any", verified: "yes" | "no" = "yes") => {
      const row = await attestCommit(temp.repo, {
        ...statement,
        ...toTestStatement({ ...made, verified }),
      }, accepted);
      return [row.kind, row.isSigned];
    };
    deepEqual(await attest("signed"), ["refused", false]);
    deepEqual(await attest("any"), ["written", false]);
    deepEqual(await attest("any"), ["present", false]);
    await temp.useKey("anna");
    deepEqual(await attest("any"), ["written", true]);
    const signed = await temp.note(made.commit);
    deepEqual(await attest("signed"), ["present", true]);
    await temp.useNoKey();
    deepEqual(await attest("any", "no"), ["present", true]);
    equal(await temp.note(made.commit), signed);
    await temp.useKey("other");
    deepEqual(await attest("any", "no"), ["written", true]);
  },
);

Deno.test("sessions that attest at the same time each have their note", async () => {
  await using temp = await createAttestedRepo();
  const made = [await temp.claim("one"), await temp.claim("two"), await temp.claim("three")];
  await Promise.all(made.map((one) => attestCommit(temp.repo, toTestStatement(one), "any")));
  for (const { commit, sessionId } of made) {
    equal((await temp.note(commit)).includes(sessionId), true);
  }
});
