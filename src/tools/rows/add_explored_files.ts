/** The tool `add_explored_files`: adds files to those that the session has explored. */
import { STEP_NUMBER } from "../../base/steps.ts";
import * as z from "zod";
import { pathField } from "../explore_fields.ts";
import { addClearedAfter } from "../first_look.ts";
import type { ToolRow } from "../tool.ts";

function buildSchema() {
  return z.strictObject({
    files: z.array(pathField()).min(1).max(500)
      .describe("Files, folders; path:line: text"),
  });
}

/** The row of the tool. */
export const addExploredFilesTool: ToolRow<z.infer<ReturnType<typeof buildSchema>>> = {
  name: "add_explored_files",
  title: "Add explored files",
  description:
    `In READY (steps ${STEP_NUMBER.READY_PLAN}-${STEP_NUMBER.READY_COMPLETE}): adds files or folders that turned out to matter, and shows unread ones. Next: check_write_target.`,
  needs: null,
  hints: { readOnly: false, destructive: false, idempotent: true },
  buildSchema,
  command: {
    name: "session explore",
    summary: "Look at files or folders of any kind, so that they may be written",
    usage: "PATH...",
    parameters: ["files"],
    example: "code-intel session explore Makefile docs",
  },
  example: { files: ["src/session.ts", "tests/"] },
  async run({ files }, { services }) {
    const reply = await services.workflow.addExploredFiles(files);
    return { reply: await addClearedAfter(reply, { services }) };
  },
};
