/** The tool `start_session`: step 1 of every piece of work. */
import { LAST_STEP, STEP } from "../../base/steps.ts";
import * as z from "zod";
import { addFirstAnswers } from "../first_look.ts";
import { FLAG_NAMES, FLAGS, INTENTS } from "../../phase/table/flags.ts";
import type { Flag, Flags } from "../../phase/table/flags.ts";
import { checkRepoPath, repoPathField, textField } from "../explore_fields.ts";
import type { ToolRow } from "../tool.ts";

const FLAG_FIELDS = Object.fromEntries(
  FLAG_NAMES.map((name) => [name, z.boolean().describe(FLAGS[name].effect).optional()]),
) as Readonly<Record<Flag, z.ZodOptional<z.ZodBoolean>>>;

function buildSchema() {
  return z.strictObject({
    intent: z.enum(INTENTS).describe("What is wanted"),
    query: textField("The person's own words"),
    gate_level: z.enum(["auto", "full"]).default("auto")
      .describe("full: every optional step"),
    flags: z.strictObject({
      ...FLAG_FIELDS,
      doc_research_prompts: z.array(z.string().min(1).max(200)).max(20)
        .describe("Prompts of doc_research/").optional(),
    }).describe("Numbers are steps").default({}),
    on_unfinished: z.enum(["resume", "park", "abandon"])
      .describe("The person's answer").optional(),
    session_id: textField("The unfinished one").optional(),
    previous_failed: z.strictObject({ reason: textField("What was wrong") })
      .describe("The last work proved wrong").optional(),
    repo_path: repoPathField(),
  });
}

/** The row of the tool. */
export const startSessionTool: ToolRow<z.infer<ReturnType<typeof buildSchema>>> = {
  name: "start_session",
  title: "Start a piece of work",
  description:
    "Begin here for every request to change or investigate code. On session_unfinished ask the person, then repeat with on_unfinished. Next: submit_phase.",
  needs: null,
  isSessionDoor: true,
  hints: { readOnly: false, destructive: false, idempotent: false },
  buildSchema,
  command: {
    name: "session start",
    summary: `Begin a piece of work: ${STEP.START} of ${LAST_STEP}`,
    usage: "QUERY",
    parameters: ["query"],
    example: `code-intel session start --intent IMPLEMENT "add a login form"`,
  },
  isFirst: true,
  example: { intent: "IMPLEMENT", query: "add a login form", flags: { no_doc: true } },
  async run(input, context) {
    const refusal = checkRepoPath(input.repo_path, context);
    if (refusal !== undefined) return { reply: refusal };
    const { doc_research_prompts: docResearchPrompts = [], ...flags } = input.flags;
    const reply = await context.services.workflow.startSession(
      {
        intent: input.intent,
        query: input.query,
        gateLevel: input.gate_level,
        flags: keepSetFlags(flags),
        docResearchPrompts,
        ...(input.on_unfinished === undefined ? {} : { onUnfinished: input.on_unfinished }),
        ...(input.session_id === undefined ? {} : { sessionId: input.session_id }),
        ...(input.previous_failed === undefined
          ? {}
          : { previousFailed: input.previous_failed.reason }),
      },
      context.signal,
      context.asker,
    );
    const { services, signal } = context;
    return { reply: await addFirstAnswers(reply, { services, signal }) };
  },
};

/** The flags that are on: false and absent mean the same. */
function keepSetFlags(flags: Readonly<Record<string, boolean | undefined>>): Flags {
  return Object.fromEntries(FLAG_NAMES.filter((name) => flags[name]).map((name) => [name, true]));
}
