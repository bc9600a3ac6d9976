/** A file of the project is text, or nothing. */
import { strictEqual as equal } from "node:assert/strict";
import { readSourceText } from "../../../src/base/files/source_text.ts";
import { createTempRepo } from "../../support/temp_repo.ts";

Deno.test("readSourceText() gives the text of a file, and nothing for a binary or missing one", async () => {
  await using repo = await createTempRepo({ files: { "src/a.ts": "é\r\n", "b.bin": "a\0b" } });
  equal(await readSourceText(repo.dir, "src/a.ts"), "é\r\n");
  equal(await readSourceText(repo.dir, "b.bin"), undefined);
  equal(await readSourceText(repo.dir, "gone.ts"), undefined);
  equal(await readSourceText(repo.dir, "../gone.ts"), undefined);
});
