/** Records what a checkpoint forgets with a later revision, so that a report can tell it: refusals, red runs, questions. */
import { clip } from "../../base/text/clip.ts";
import type { SessionState } from "../../phase/state.ts";
import { REPORT_NOTES } from "../../session/records.ts";
import type { WorkflowDeps } from "./deps.ts";

/** Longest text of one note, in characters. */
const MOST_CHARS = 2_000;

/** Notes the refusal and the question to the user that a saved state brought. */
export async function noteEvents(
  { store, clock }: Pick<WorkflowDeps, "store" | "clock">,
  { before, now }: { readonly before: SessionState; readonly now: SessionState },
): Promise<void> {
  const note = (code: string, text: string) =>
    store.appendRecord(now.sessionId, {
      kind: "note",
      at: clock.now().toISOString(),
      code,
      text: clip(text, MOST_CHARS),
    });
  const { lastProblems: problems, escalation, verification } = now;
  if (problems.length > 0 && problems !== before.lastProblems) {
    const lines = problems.map(({ code, message }) => `${code}: ${message}`);
    await note(REPORT_NOTES.refused, lines.join("\n"));
  }
  if (verification?.passed === false && verification.at !== before.verification?.at) {
    await note(REPORT_NOTES.failed, verification.details);
  }
  if (escalation !== null && escalation.message !== before.escalation?.message) {
    await note(REPORT_NOTES.asked, escalation.message);
  }
}
