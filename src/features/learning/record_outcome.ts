/** Records what a person says about a piece of work, and the agreement that they name. */
import { toProblem } from "../../base/problem.ts";
import type { Reply } from "../../base/reply.ts";
import type { Services } from "../../services/services_api.ts";
import { toPlainRefusal } from "../../workflow/context/replies.ts";
import type { SaveResult } from "./agreement_folder.ts";
import type { HandOutcome, ProjectLearning } from "./learning.ts";
import { findLastWork } from "./outcome_log.ts";

/** The input of `code-intel outcome`. */
export interface OutcomeInput extends HandOutcome {
  /** Default: the active session, else the last finished work. */
  readonly sessionId?: string;
}

/** Records what a person says about a piece of work, and the agreement that they name. */
export async function recordOutcome(
  learning: ProjectLearning,
  { sessions: store, workflow, parts: { codeIntelDir, projectRoot } }: Pick<
    Services,
    "sessions" | "workflow" | "parts"
  >,
  input: OutcomeInput,
): Promise<Reply> {
  if (await Deno.stat(codeIntelDir).then(() => false, () => true)) return toNeverUsed(projectRoot);
  const { outcomes } = await learning.readLogs();
  const found = input.sessionId === undefined
    ? await store.findActive()
    : await store.load(input.sessionId);
  const state = found?.kind === "loaded" ? found.checkpoint.state : null;
  const known = outcomes.findLast(({ sessionId }) => sessionId === input.sessionId)?.sessionId;
  if (input.sessionId !== undefined && state === null && known === undefined) {
    return toPlainRefusal([
      toProblem("session_not_found", `No session "${input.sessionId}" is on record`, {
        at: "session",
        hint: "`code-intel stats --json` lists the last sessions.",
      }),
    ], "get_session_status");
  }
  // A start that was given up is meant only where nothing else is on record.
  const last = findLastWork(outcomes) ?? outcomes.at(-1);
  const sessionId = input.sessionId ?? state?.sessionId ?? last?.sessionId ?? null;
  const agreement = await learning.toHandAgreement(input, sessionId);
  const write = async (): Promise<Reply> => {
    const kept = agreement === null ? null : await learning.keepAgreement(agreement);
    const { recordId } = await learning.recordByHand(input, { sessionId, state });
    return {
      ok: true,
      recorded: recordId,
      session_id: sessionId,
      result: input.result,
      ...(kept === null ? {} : toKeptFields(kept)),
    };
  };
  if (agreement === null) return await write();
  return await workflow.writeAsServer(await learning.toAgreementPath(agreement), write);
}

/** Without the program's folder there was never a session, so there is nothing to record about. */
function toNeverUsed(projectRoot: string): Reply {
  return toPlainRefusal([
    toProblem("not_set_up", `${projectRoot} was never set up, and no session ran there`, {
      hint:
        "Nothing was recorded. Name the project that the outcome is about with --project DIR, or set this one up with `code-intel init`.",
    }),
  ], "start_session");
}

function toKeptFields(
  kept: SaveResult,
): Readonly<Record<string, unknown>> {
  switch (kept.kind) {
    case "saved":
    case "known":
      return { agreement: `.code-intel/agreements/${kept.name}` };
    case "rejected":
      return { agreement_rejected: `.code-intel/agreements/${kept.name}` };
    case "full":
      return { agreement_refused: "the folder .code-intel/agreements holds as many as are read" };
  }
}
