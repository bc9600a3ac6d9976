/** The tool `review_changes`: the changes of the session, for the decisions of step 17. */
import { STEP } from "../../base/steps.ts";
import * as z from "zod";
import { omitUndefined } from "../../base/text/json_record.ts";
import { maxBytesField, pathField } from "../explore_fields.ts";
import type { ToolRow } from "../tool.ts";

function buildSchema() {
  return z.strictObject({
    path: pathField("Only this file or folder").optional(),
    offset: z.int().min(0).describe("See truncated.next").optional(),
    max_bytes: maxBytesField(),
  });
}

/** The row of the tool. */
export const reviewChangesTool: ToolRow<z.infer<ReturnType<typeof buildSchema>>> = {
  name: "review_changes",
  title: "Review changes",
  description:
    `In ${STEP.PRE_COMMIT}: every file the session changed, how much, whose change it is, and hunks that no evidence covers; path ('.': all) shows whole diffs. Decide keep or discard for each.`,
  needs: "review",
  hints: { readOnly: true, destructive: false, idempotent: true },
  buildSchema,
  command: {
    name: "review",
    summary: `Show the changes of the session (${STEP.PRE_COMMIT})`,
    usage: "[PATH]",
    parameters: ["path"],
    example: "code-intel review src",
  },
  example: { path: "src" },
  async run({ path, offset }, { services, maxBytes, via }) {
    const reply = await services.workflow.reviewChanges({
      maxBytes,
      // A person at a terminal reads diffs; an agent wrote them itself.
      isBrief: path === undefined && via !== "cli",
      ...omitUndefined({ path, offset }),
    });
    return { reply };
  },
};
