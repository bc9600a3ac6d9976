/** Appends records as fast as it can: `records_writer.ts PATH NAME COUNT`. */
import { dirname } from "node:path";
import { createSeal } from "../../src/base/files/seal.ts";
import { UNKNOWN_MARK } from "../../src/session/revision_marks.ts";
import { RecordsFile } from "../../src/session/records_file.ts";
import { SAMPLE_ID } from "./sample_state.ts";

const [path = "", name = "", count = "0"] = Deno.args;
const file = new RecordsFile(path, {
  sessionId: SAMPLE_ID,
  seal: createSeal(dirname(path)),
  readMark: () => UNKNOWN_MARK,
});
for (let number = 0; number < Number(count); number++) {
  // Long lines, so that writes that are not whole would show.
  const text = `${name}${number} ${"x".repeat(20_000)}`;
  await file.append({ kind: "note", at: new Date().toISOString(), code: "test", text });
}
