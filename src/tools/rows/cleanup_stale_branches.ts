/** The tool `cleanup_stale_branches`: task branches that earlier sessions left behind. */
import { STEP } from "../../base/steps.ts";
import * as z from "zod";
import { checkRepoPath, repoPathField } from "../explore_fields.ts";
import type { ToolRow } from "../tool.ts";

function buildSchema() {
  return z.strictObject({
    action: z.enum(["list", "delete", "merge"]).default("delete")
      .describe("merge: the checked-out one into its base"),
    repo_path: repoPathField(),
  });
}

/** The row of the tool. */
export const cleanupStaleBranchesTool: ToolRow<z.infer<ReturnType<typeof buildSchema>>> = {
  name: "cleanup_stale_branches",
  title: "Clean up task branches",
  description:
    `Outside a session, or in ${STEP.BRANCH_INTERVENTION} after asking the person: lists, deletes (restorable) or merges task branches of earlier sessions.`,
  needs: "cleanup",
  hints: { readOnly: false, destructive: true, idempotent: true },
  buildSchema,
  command: { name: "clean", summary: "Remove what earlier sessions left behind", doesMore: true },
  example: { action: "list" },
  async run({ action, repo_path }, context) {
    const refusal = checkRepoPath(repo_path, context);
    if (refusal !== undefined) return { reply: refusal };
    const { services, signal, asker } = context;
    return { reply: await services.workflow.cleanupStaleBranches({ action }, signal, asker) };
  },
};
