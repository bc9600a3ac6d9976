/**
 * `cleanup_stale_branches`: lists, deletes (a ref keeps each tip) or merges task branches that
 * belong to no unfinished session. The user decides about them, so the server asks them where it
 * can.
 */
import type { Repository } from "../../git/repository.ts";
import { hasNoGit } from "../../git/repository.ts";
import { createHash } from "node:crypto";
import type { Question } from "../../base/asker.ts";
import { makeProblem } from "../../base/problem.ts";
import type { Reply } from "../../base/reply.ts";
import { SAME_CALL, say } from "../../base/text/words.ts";
import type { TaskBranch } from "../../git/branches/branches.ts";
import { takeSnapshot } from "../../git/snapshots/snapshots.ts";
import type { Caller } from "../advance/progress.ts";
import { askPerson, checkAnswer } from "../resolve/ask_resolutions.ts";
import type { Sessions } from "../context/sessions.ts";
import { readParkedFields } from "./earlier_sessions.ts";
import { deleteStaleBranches, listStaleBranches, mergeStale } from "../effects/effect_stale.ts";
import { buildPlainRefusal } from "../context/replies.ts";

/** What to do with stale branches. */
export type CleanAction = "list" | "delete" | "merge";

const CALL = "cleanup_stale_branches";

/** Answers the tool; nothing changes before the user agreed, or could not be asked. */
export async function cleanBranches(
  sessions: Sessions,
  action: CleanAction,
  caller: Pick<Caller, "signal" | "asker">,
): Promise<Reply> {
  const { repo } = await sessions.prepare();
  if (hasNoGit(repo)) {
    return buildPlainRefusal([
      makeProblem("git_required", "The project is in no git repository", {
        hint: "There are no branches to clean up.",
      }),
    ], "start_session");
  }
  const stale = await listStaleBranches(repo, sessions.deps.store);
  if (action === "list") return await formatBranchList(sessions, stale);
  const question = buildQuestion(action, stale);
  if (question === null) return await clean(sessions, repo, { action, stale });
  // No lock is held while the user is asked.
  const word = await askPerson(question, caller.asker, caller.signal);
  const refusal = checkAnswer(word);
  if (refusal !== null) return buildPlainRefusal([refusal], CALL);
  const now = await listStaleBranches(repo, sessions.deps.store);
  if (buildQuestion(action, now)?.key !== question.key) {
    return buildPlainRefusal([
      makeProblem("branches_changed", "The branches changed while the person was asked", {
        hint: say`Nothing was changed. ${SAME_CALL} again.`,
      }),
    ], CALL);
  }
  const reply = await clean(sessions, repo, { action, stale: now });
  const source = word.answer === "confirmed" ? word.source : "relayed";
  return reply.ok ? { ...reply, decided_by: source } : reply;
}

/** The branches, and the sessions that wait: work that is set aside is not nothing. */
async function formatBranchList({ deps }: Sessions, stale: readonly TaskBranch[]): Promise<Reply> {
  const parked = await readParkedFields(deps);
  const isNothing = stale.length === 0 && Object.keys(parked).length === 0;
  return {
    ok: true,
    ...(stale.length > 0 || isNothing ? { total: stale.length } : {}),
    branches: stale.map(({ name }) => name),
    ...parked,
  };
}

/** The question to the user; null where nothing would change. */
function buildQuestion(
  action: Exclude<CleanAction, "list">,
  stale: readonly TaskBranch[],
): Question | null {
  const touched = stale.filter(({ isCurrent }) => action === "delete" || isCurrent);
  if (touched.length === 0) return null;
  const lines = touched.map(({ name, tip }) => `${name} ${tip}`);
  const hash = createHash("sha256").update(lines.join("\n")).digest("hex").slice(0, 16);
  const names = touched.map(({ name }) => name).slice(0, MOST_LINES);
  const more = touched.length > MOST_LINES ? [`and ${touched.length - MOST_LINES} more`] : [];
  return {
    key: `branches ${action} ${hash}`,
    message: [`${MEANINGS[action]}?`, ...names, ...more].join("\n"),
    fields: [{ name: "agree", title: TITLES[action], type: "boolean", required: true }],
  };
}

const MOST_LINES = 20;
const MEANINGS = {
  delete:
    "Shall these task branches of earlier sessions be deleted (their commits are kept by refs)",
  merge: "Shall this task branch of an earlier session be merged into its base",
} as const;
const TITLES = { delete: "Yes: delete them", merge: "Yes: merge it" } as const;

async function clean(
  sessions: Sessions,
  repo: Repository,
  { action, stale }: {
    readonly action: Exclude<CleanAction, "list">;
    readonly stale: readonly TaskBranch[];
  },
): Promise<Reply> {
  return await sessions.whilePerforming(async () => {
    const at = sessions.deps.clock.now();
    // A snapshot is needed only where something will change.
    if (action === "merge" ? stale.some(({ isCurrent }) => isCurrent) : stale.length > 0) {
      const { maxSnapshotMb: maxFileMb } = await sessions.deps.loadSettings();
      await takeSnapshot(repo, { sessionId: "cleanup", label: `before ${action}`, at, maxFileMb });
    }
    if (action === "merge") return await mergeStale(repo, sessions.deps.store);
    const { deleted, problems } = await deleteStaleBranches(repo, {
      store: sessions.deps.store,
      at,
    });
    if (problems.length > 0) {
      return { ...buildPlainRefusal(problems, CALL), deleted_branches: deleted };
    }
    return {
      ok: true,
      total: deleted.length,
      deleted_branches: deleted,
      kept: "refs/code-intel/branches",
    };
  });
}
