/** A file of the project is text, or nothing. */
import { strictEqual as equal } from "node:assert/strict";
import { decodeText, readSourceText } from "../../../src/base/files/source_text.ts";
import { createTempRepo } from "../../support/temp_repo.ts";

Deno.test("decodeText() tells binary from text and reads UTF-16 and broken UTF-8", () => {
  equal(decodeText(new Uint8Array([65, 0, 66])), undefined);
  equal(decodeText(new Uint8Array([0xff, 0xfe, 0x41, 0x00])), "A");
  equal(decodeText(new Uint8Array([0xfe, 0xff, 0x00, 0x41])), "A");
  equal(decodeText(new Uint8Array([0x63, 0xe9])), "cé", "Windows-1252");
  equal(decodeText(new Uint8Array([0xc3, 0xa9, 0xe9])), "é\ufffd", "damaged UTF-8");
});

Deno.test("readSourceText() gives the text of a file, and nothing for a binary or missing one", async () => {
  await using repo = await createTempRepo({ files: { "src/a.ts": "é\r\n", "b.bin": "a\0b" } });
  equal(await readSourceText(repo.dir, "src/a.ts"), "é\r\n");
  equal(await readSourceText(repo.dir, "b.bin"), undefined);
  equal(await readSourceText(repo.dir, "gone.ts"), undefined);
  equal(await readSourceText(repo.dir, "../gone.ts"), undefined);
});
