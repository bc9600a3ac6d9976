/** The tool `update_context`: keeps the agent's summary of the project's rules. */
import * as z from "zod";
import { pathField, textField } from "../explore_fields.ts";
import type { ToolRow } from "../tool.ts";

function buildSchema() {
  return z.strictObject({
    project_rules_summary: textField("The rules, summarised").optional(),
    extra_notes: textField("Other notes").optional(),
    design_doc_summaries: z.array(z.strictObject({
      path: pathField("Document"),
      summary: textField("What it demands"),
      file: z.string().optional().describe("Ignored"),
    })).min(1).max(50).describe("Documents, summarised").optional(),
  }).refine((input) => Object.values(input).some((value) => value !== undefined), {
    message: "None of `project_rules_summary`, `extra_notes`, `design_doc_summaries` is given",
    params: { code: "missing_field" },
    path: ["project_rules_summary"],
    when: ({ value }) => typeof value === "object" && value !== null,
  });
}

/** The row of the tool. */
export const updateContextTool: ToolRow<z.infer<ReturnType<typeof buildSchema>>> = {
  name: "update_context",
  title: "Summarise the rules",
  description:
    "Stores summaries of rules and documents when a reply asks for it (context_update_required).",
  needs: null,
  hints: { readOnly: false, destructive: true, idempotent: true },
  buildSchema,
  command: {
    name: "session rules",
    summary: "Store a summary of the project's rules where a reply asks for it",
    usage: "[SUMMARY]",
    parameters: ["project_rules_summary"],
    example: `code-intel session rules "Services own business logic; no SQL in controllers."`,
  },
  example: { project_rules_summary: "Services own business logic; no SQL in controllers." },
  async run({ project_rules_summary, extra_notes, design_doc_summaries }, { services }) {
    const reply = await services.workflow.updateContext({
      ...(project_rules_summary === undefined
        ? {}
        : { projectRulesSummary: project_rules_summary }),
      ...(extra_notes === undefined ? {} : { extraNotes: extra_notes }),
      ...(design_doc_summaries === undefined ? {} : {
        documentSummaries: design_doc_summaries.map(({ path, summary }) => ({ path, summary })),
      }),
    });
    return { reply };
  },
};
