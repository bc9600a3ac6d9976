/** The tool `prove`: whether the tests prove a change, without a session. */
import * as z from "zod";
import { buildRefusal } from "../../base/reply.ts";
import { buildProofFields } from "../../prove/format_proof.ts";
import { nameChange } from "../../services/named_change.ts";
import { lineField, maxBytesField } from "../explore_fields.ts";
import type { ToolRow } from "../tool.ts";

/** The time of a call that names none: clients end calls that take minutes. */
const USUAL_SECONDS = 60;

function buildSchema() {
  return z.strictObject({
    base: lineField(300).describe("Commit to compare with").optional(),
    commit: lineField(300).describe("Instead of the worktree").optional(),
    staged: z.boolean().default(false).describe("Only what is staged"),
    within_s: z.int().min(0).max(86_400).default(USUAL_SECONDS).describe("Seconds"),
    answer: lineField(600).describe("To a finding: PLACE: reason").optional(),
    max_bytes: maxBytesField(),
  });
}

/** The row of the tool. */
export const proveTool: ToolRow<z.infer<ReturnType<typeof buildSchema>>> = {
  name: "prove",
  title: "Is the change proven?",
  description:
    "Before you say done: runs the nearest tests and the project's commands in clean checkouts, with and without the change. Findings say what settles them; answer one that is wrong.",
  needs: null,
  hints: { readOnly: false, destructive: false, idempotent: true },
  buildSchema,
  command: {
    name: "prove",
    summary: "Say whether the tests prove a change, and what speaks against it; no session needed",
  },
  example: { within_s: 60 },
  async run({ base, commit, staged, within_s: seconds, answer: said }, context) {
    const { services, signal, asker, progress } = context;
    const change = nameChange({ commit, isStaged: staged, base });
    if ("code" in change) return { reply: buildRefusal([change]) };
    const answer = await services.proveChange({
      change,
      withinMs: seconds * 1_000,
      answers: said === undefined ? [] : [said],
      signal,
      asker,
      onProgress: (check, command, line) =>
        progress(0, null, `${check.replaceAll("_", " ")}: ${command}: ${line}`),
      onVerdict: (line) => progress(0, null, line),
    });
    if (answer.kind === "refused") return { reply: buildRefusal([...answer.problems]) };
    return { reply: { ok: true, ...buildProofFields(answer) } };
  },
};
