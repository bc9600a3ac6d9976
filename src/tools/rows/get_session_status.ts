/** The tool `get_session_status`: where the work is, and everything that is needed to go on. */
import * as z from "zod";
import { addChangedFiles } from "../first_look.ts";
import { checkRepoPath, repoPathField, textField } from "../explore_fields.ts";
import type { ToolRow } from "../tool.ts";

function buildSchema() {
  return z.strictObject({
    session_id: textField("Parked session to resume").optional(),
    discard_active: z.boolean().default(false).describe("Archive the active session"),
    repo_path: repoPathField(),
  });
}

/** The row of the tool. */
export const getSessionStatusTool: ToolRow<z.infer<ReturnType<typeof buildSchema>>> = {
  name: "get_session_status",
  title: "Where the work is",
  description:
    "Call when lost, after a compaction or a restart: gives step, instruction, tasks, rules and summaries. With session_id it resumes a parked session.",
  needs: null,
  isSessionDoor: true,
  hints: { readOnly: false, destructive: false, idempotent: true },
  buildSchema,
  command: {
    name: "session status",
    summary: "Show where the work is and what comes next",
    usage: "[SESSION]",
    parameters: ["session_id"],
    example: "code-intel session status",
  },
  example: {},
  async run(input, context) {
    const refusal = checkRepoPath(input.repo_path, context);
    if (refusal !== undefined) return { reply: refusal };
    const { services, signal, asker } = context;
    const sessionId = input.session_id === undefined ? {} : { sessionId: input.session_id };
    const asked = { discardActive: input.discard_active, ...sessionId };
    const reply = await services.workflow.getStatus(asked, signal, asker);
    return { reply: await addChangedFiles(reply, services.workflow) };
  },
};
