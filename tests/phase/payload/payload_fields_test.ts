/** What is sent in other words, and what follows from other fields: `src/phase/payload/payload_fields.ts`. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import * as z from "zod";
import { fillRepeated, fitFields } from "../../../src/phase/payload/payload_fields.ts";
import { parseSubmission } from "../../../src/phase/payload/payloads.ts";

Deno.test("fitFields() tells other names, and nothing of other letters", () => {
  const schema = z.object({ commit_message: z.string(), reviewed_files: z.array(z.string()) });
  const { record, renamed } = fitFields(schema, { commitMessage: "m", files: "a.ts" });
  deepEqual(record, { commit_message: "m", reviewed_files: ["a.ts"] });
  deepEqual(renamed, ["files → reviewed_files"]);
});

Deno.test("fillRepeated() makes a summary of what was said, and a reason or a finding of the summary", () => {
  deepEqual(fillRepeated({ reason: "nothing is open" }, ["reason"])["summary"], "nothing is open");
  equal(fillRepeated({}, [])["summary"], "No summary was sent.");
  equal(fillRepeated({ summary: "s" }, ["reason"])["reason"], "s");
  deepEqual(fillRepeated({ summary: "s" }, ["explored_files", "findings"])["findings"], ["s"]);
  // An empty list says that nothing was found.
  deepEqual(fillRepeated({ summary: "s", findings: [] }, ["explored_files"])["findings"], []);
});

Deno.test("parseSubmission() tells the reader under which names it read fields", () => {
  const { submission, notices } = parseSubmission("EXPLORATION", {
    files: ["a.ts"],
    Findings: "it is there",
  });
  equal(submission?.kind, "payload");
  deepEqual(notices, ["Read by another name: files → explored_files."]);
});
