/** The tool `submit_phase`: hands in the deliverable of the present step. */
import * as z from "zod";
import type { ToolRow } from "../tool.ts";

const SCHEMA = z.strictObject({
  data: z.record(z.string(), z.unknown())
    .describe("As expected_payload of the last reply shows"),
});

/** The row of the tool. */
export const submitPhaseTool: ToolRow<z.infer<typeof SCHEMA>> = {
  name: "submit_phase",
  title: "Submit the present step",
  description:
    "Hands in the payload of the present step; the server checks it and returns the next step. Put the compaction_count of the last reply into data; when you lost it, the last known one plus 1 brings the summaries back. In any step also {park: true, reason}, {abandon: true, reason}, {back_to: 'EXPLORATION', reason}.",
  needs: null,
  isSessionDoor: true,
  hints: { readOnly: false, destructive: true, idempotent: false },
  schema: SCHEMA,
  example: {
    data: {
      explored_files: ["src/auth.ts"],
      findings: ["AuthService.login issues the token (src/auth.ts:40)"],
      summary: "Login lives in src/auth.ts",
      tools_used: ["find_definitions", "search_text"],
    },
  },
  async run({ data }, { services, signal, asker, via, progress }) {
    const said = asker.isTyped === true ? { said: asker.source ?? "asked" } : {};
    const options = { isAside: via !== "mcp", progress, ...said };
    return { reply: await services.workflow.submitPhase(data, signal, asker, options) };
  },
};
