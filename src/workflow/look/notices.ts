/**
 * What a look reports in a reply beside its findings. The base branch moved (reported once, since
 * the merge deals with it). Git has other versions of restored files staged. Hooks of the client
 * run, or do not.
 */
import { STEP } from "../../base/steps.ts";
import type { TreePath } from "../../base/paths.ts";
import { listStagedFiles } from "../../git/index/real_index.ts";
import type { SessionContext, Sessions } from "../context/sessions.ts";
import { join } from "node:path";
import { readControlTextIfUsable } from "../../base/files/control_file.ts";
import { readTip } from "../../git/repository.ts";
import type { SessionState } from "../../phase/state.ts";

const MOST_FILES = 50;

/** Names the staged versions, as after `git rm`: the next commit would take them along, and the index is the user's. */
export async function buildStagedFields(
  { repo, paths: projectPaths }: Pick<SessionContext, "repo" | "paths">,
  paths: readonly TreePath[],
): Promise<Readonly<Record<string, unknown>>> {
  const staged = await listStagedFiles(repo, paths).catch(() => []);
  return staged.length === 0 ? {} : {
    still_staged: staged.slice(0, MOST_FILES).map((path) => projectPaths.toProject(path)),
    still_staged_note:
      "The files were put back, but git has other versions of these staged: take them out with git restore --staged, or tell the person.",
  };
}

/** The file by which hooks show `start_session` that they run here. */
const SEEN_FILE = "cache/hooks_seen.json";
/**
 * How long the mark counts: between a hook before `start_session` and the call itself the user
 * may be asked.
 */
const SEEN_MS = 10 * 60 * 1000;

/** Whether hooks were seen: during the present session, or just before its start. */
export async function readHooksSeen(
  sessions: Sessions,
  sessionId: string | null,
): Promise<"seen" | "not_seen"> {
  const { codeIntelDir, clock } = sessions.deps;
  if (sessionId !== null) {
    const records = await sessions.records(sessionId);
    const isSeen = records.some((record) =>
      record.kind === "hook" || ("via" in record && record.via === "hook")
    );
    if (isSeen) return "seen";
  }
  const text = readControlTextIfUsable(join(codeIntelDir, SEEN_FILE), "memory") ?? "{}";
  const at = parseTime(text);
  return clock.now().getTime() - at < SEEN_MS ? "seen" : "not_seen";
}

function parseTime(text: string): number {
  try {
    return Date.parse(JSON.parse(text).at) || 0;
  } catch {
    return 0;
  }
}

/** The state with the tip that was reported, and the fields that report it. */
export interface BaseNotice {
  readonly state: SessionState;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Reads the tip of the base; each new tip is reported in one reply. */
export async function noteBase(context: SessionContext, state: SessionState): Promise<BaseNotice> {
  const { ledger, workspace } = state;
  const { baseBranch, baseCommit, taskBranch } = workspace;
  // At the merge itself the base need not be announced.
  const isOnTask = state.stage !== "MERGE" && taskBranch !== null &&
    ledger?.head?.branch === taskBranch;
  if (ledger === undefined || baseBranch === null || !isOnTask) {
    return { state, fields: {} };
  }
  const tip = await readTip(context.repo, baseBranch);
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
          `Others moved the base. Nothing is to be done now: the merge at ${STEP.MERGE} deals with it.`,
      },
    },
  };
}
