/** Agreements on disk. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { AgreementFolder } from "../../src/learning/agreement_folder.ts";
import { sampleAgreement } from "./samples.ts";

Deno.test("save() makes one file for a pair, adds to a hand-written one, and leaves a rejected one alone", async () => {
  const dir = await Deno.makeTempDir();
  try {
    const folder = new AgreementFolder(join(dir, "agreements"));
    deepEqual(await folder.list(), { agreements: [], unreadable: [], passedOver: 0 });
    const first = await folder.save(sampleAgreement());
    const second = await folder.save(sampleAgreement({ sessions: ["session_2"] }));
    deepEqual(first, second);
    equal((await folder.list()).agreements[0]?.confirmed, 2);

    const hand = "---\nterm: billing\nsymbol: run\n---\nBy hand.\n";
    await Deno.writeTextFile(join(dir, "agreements", "mine.md"), hand);
    const billing = sampleAgreement({ terms: ["Billing"], symbols: ["run"] });
    equal(await folder.toName(billing), "mine.md");
    deepEqual(await folder.save(billing), { kind: "saved", name: "mine.md" });
    match(await Deno.readTextFile(join(dir, "agreements", "mine.md")), /By hand\./);

    const wrong = "---\nterm: export\nsymbol: run\nstatus: rejected\n---\n";
    await Deno.writeTextFile(join(dir, "agreements", "wrong.md"), wrong);
    const rejected = await folder.save(sampleAgreement({ terms: ["export"], symbols: ["run"] }));
    deepEqual(rejected, { kind: "rejected", name: "wrong.md" });
    equal(await Deno.readTextFile(join(dir, "agreements", "wrong.md")), wrong);

    await Deno.writeTextFile(join(dir, "agreements", "notes.md"), "just notes\n");
    await Deno.writeTextFile(join(dir, "agreements", "README.md"), "how to\n");
    const { agreements, unreadable } = await folder.list();
    equal(agreements.length, 3);
    deepEqual(unreadable.map(({ name }) => name), ["notes.md"]);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});
