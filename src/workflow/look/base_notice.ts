/**
 * Tells once that the base branch moved while the session works on its task branch. That is no
 * finding, because the merge takes it into account.
 */
import { readTip } from "../../git/repository.ts";
import type { SessionState } from "../../phase/state.ts";
import type { Bench } from "../context/desk.ts";

/** The state with the tip that was told, and the fields that tell it. */
export interface BaseNotice {
  readonly state: SessionState;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Reads the tip of the base; each new tip is told in one reply. */
export async function noteBase(bench: Bench, state: SessionState): Promise<BaseNotice> {
  const { ledger, workspace } = state;
  const { baseBranch, baseCommit, taskBranch } = workspace;
  // At the merge itself the base need not be announced.
  const isOnTask = state.stage !== "MERGE" && taskBranch !== null &&
    ledger?.head?.branch === taskBranch;
  if (bench.repo === null || ledger === undefined || baseBranch === null || !isOnTask) {
    return { state, fields: {} };
  }
  const tip = await readTip(bench.repo, baseBranch);
  const known = ledger.baseTip ?? baseCommit;
  if (tip === null || tip === known) return { state, fields: {} };
  return {
    state: { ...state, ledger: { ...ledger, baseTip: tip } },
    fields: {
      base_moved: {
        branch: baseBranch,
        from: known,
        to: tip,
        notice:
          "Others moved the base. Nothing is to be done now: the merge at step 19 deals with it.",
      },
    },
  };
}
