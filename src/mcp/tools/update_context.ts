/** The tool `update_context`: keeps the agent's summary of the project's rules. */
import * as z from "zod";
import { textField } from "../fields.ts";
import type { ToolRow } from "../tool.ts";

const SCHEMA = z.strictObject({
  project_rules_summary: textField("The rules, summarised").optional(),
  extra_notes: textField("Other notes").optional(),
}).refine((input) => (input.project_rules_summary ?? input.extra_notes) !== undefined, {
  message: "Neither `project_rules_summary` nor `extra_notes` is given",
  params: { code: "missing_field" },
  path: ["project_rules_summary"],
  when: ({ value }) => typeof value === "object" && value !== null,
});

/** The row of the tool. */
export const updateContextTool: ToolRow<z.infer<typeof SCHEMA>> = {
  name: "update_context",
  title: "Summarise the rules",
  description:
    "Stores a summary of the project's rules when a reply asks for it (context_update_required); later sessions start with it.",
  needs: null,
  hints: { readOnly: false, destructive: true, idempotent: true },
  schema: SCHEMA,
  example: { project_rules_summary: "Services own business logic; no SQL in controllers." },
  async run({ project_rules_summary, extra_notes }, { services }) {
    const reply = await services.workflow.updateContext({
      ...(project_rules_summary === undefined
        ? {}
        : { projectRulesSummary: project_rules_summary }),
      ...(extra_notes === undefined ? {} : { extraNotes: extra_notes }),
    });
    return { reply };
  },
};
