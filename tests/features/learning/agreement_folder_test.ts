/** Agreements on disk. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { AgreementFolder } from "../../../src/features/learning/agreement_folder.ts";
import { sampleAgreement } from "./samples.ts";

Deno.test("save() makes one file for a pair, keeps what sessions learn out of git, and leaves a rejected one alone", async () => {
  const dir = await Deno.makeTempDir();
  try {
    const folder = new AgreementFolder(join(dir, "agreements"));
    deepEqual(await folder.list(), { agreements: [], unreadable: [], passedOver: 0 });
    const first = await folder.save(sampleAgreement(), "session");
    const second = await folder.save(sampleAgreement({ sessions: ["session_2"] }), "session");
    deepEqual(first, second);
    const [learned] = (await folder.list()).agreements;
    equal(learned?.confirmed, 2);
    match(learned?.name ?? "", /^learned\//);
    const ignore = join(dir, "agreements", "learned", ".gitignore");
    equal(await Deno.readTextFile(ignore), "*\n");

    const hand = "---\nterm: billing\nsymbol: run\n---\nBy hand.\n";
    await Deno.writeTextFile(join(dir, "agreements", "mine.md"), hand);
    const billing = sampleAgreement({ terms: ["Billing"], symbols: ["run"] });
    equal(await folder.toName(billing), "mine.md");
    deepEqual(await folder.save(billing, "session"), { kind: "known", name: "mine.md" });
    equal(await Deno.readTextFile(join(dir, "agreements", "mine.md")), hand);
    deepEqual(await folder.save(billing, "person"), { kind: "saved", name: "mine.md" });
    match(await Deno.readTextFile(join(dir, "agreements", "mine.md")), /By hand\./);

    const wrong = "---\nterm: export\nsymbol: run\nstatus: rejected\n---\n";
    await Deno.writeTextFile(join(dir, "agreements", "wrong.md"), wrong);
    const rejected = await folder.save(
      sampleAgreement({ terms: ["export"], symbols: ["run"] }),
      "session",
    );
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
