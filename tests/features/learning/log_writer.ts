/** A process that writes to a log: `log_writer.ts FOLDER NAME`. */
import { JsonlLog } from "../../../src/features/learning/jsonl_log.ts";

const [folder = "", name = ""] = Deno.args;
const log = new JsonlLog<{ readonly recordId: string; readonly text: string }>({
  folder,
  name: "test",
  parse: (value) => value as { readonly recordId: string; readonly text: string },
});
for (let n = 0; n < 20; n++) {
  await log.add({ recordId: `line_${name}_${n}`, text: "x".repeat(500) });
  await log.add({ recordId: "shared", text: name });
}
