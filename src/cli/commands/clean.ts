/** The command `clean`: task branches that earlier sessions left behind. */
import { answerWithTool } from "../answer.ts";
import type { Command } from "../command.ts";

/** Deletes stale task branches; their commits stay reachable by kept refs. */
export const CLEAN: Command = {
  usage: "",
  positionals: [0, 0],
  example: "code-intel clean --dry-run",
  options: [{ name: "dry-run", kind: "flag", summary: "Only show what would be removed" }],
  run: (invocation) => {
    const action = invocation.options["dry-run"] === true ? "list" : "delete";
    return answerWithTool("cleanup_stale_branches", { action }, invocation);
  },
};
