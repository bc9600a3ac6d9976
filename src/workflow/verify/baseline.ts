/** Runs the verification commands on the untouched tree, in the background after the start. */
import { CodeIntelError } from "../../base/errors.ts";
import type { Reply } from "../../base/reply.ts";
import { formatBaseline } from "../../evidence/runs/run_formats.ts";
import type { SessionState } from "../../phase/state.ts";
import { verifiesWork } from "../../phase/table/transitions.ts";
import { loadSessionSettings } from "../context/deps.ts";
import type { SessionContext, Sessions } from "../context/sessions.ts";
import { planChecks } from "./plan_checks.ts";
import { createRunWatch } from "./run_watch.ts";

/**
 * Starts the commands once, so that the session is not blamed for what failed before it. A change
 * of any file while they run makes the result void, so that it excuses nothing. Null where there is
 * nothing to run.
 */
export async function startBaseline(
  context: SessionContext,
  state: SessionState,
): Promise<"running" | "untrusted" | null> {
  if (!verifiesWork(state)) return null;
  const { workspace, sessionId } = state;
  const { runner, loadCommands } = context.deps.verification;
  const found = await loadCommands(state.fixedVerify);
  if (found.commands.length === 0) return null;
  if (!found.isTrusted) return "untrusted";
  if (found.baseline === "off" || workspace.baselineTree === null) return null;
  const treeAtStart = workspace.baselineTree;
  const { commands } = found;
  const settings = await loadSessionSettings(context.deps, state);
  await runner.start({
    sessionId,
    kind: "baseline",
    tree: treeAtStart,
    commands,
    commandsHash: found.hash,
    onFinished: (run) => {
      context.sessions.baselineNews.set(sessionId, formatBaseline(run));
    },
    ...await planChecks(context, {
      ...{ state, settings, found, commands, tree: treeAtStart, changed: [] },
    }),
    watch: createRunWatch(context, {
      state,
      commands,
      found,
      treeAtStart,
      maxFileMb: settings.maxFileMb,
      paths: "all",
    }),
  });
  return "running";
}

/** Adds to a reply how the baseline run of its session ended, once; to work that was given up it says nothing. */
export function reportBaseline(sessions: Sessions, reply: Reply): Reply {
  const { session_id: id, abandoned } = reply as {
    readonly session_id?: unknown;
    readonly abandoned?: unknown;
  };
  const news = typeof id === "string" ? sessions.baselineNews.get(id) : undefined;
  if (typeof id !== "string" || news === undefined) return reply;
  sessions.baselineNews.delete(id);
  if (abandoned === true) return reply;
  return { ...reply, verify_baseline: news };
}

/** How the baseline run of a session ended; empty where it has not, or none was started. */
export async function readBaseline(
  sessions: Sessions,
  id: string,
): Promise<{ readonly verify_baseline?: string }> {
  const runs = await sessions.deps.verification.runner.read(id);
  const run = runs.findLast(({ kind }) => kind === "baseline");
  return run === undefined ? {} : { verify_baseline: formatBaseline(run) };
}

/**
 * Ends all runs of a session that is being left. A failure is only noted, because a person must
 * always be able to leave.
 */
export async function endRuns(sessions: Sessions, sessionId: string): Promise<void> {
  try {
    await sessions.deps.verification.runner.cancelSession(sessionId);
  } catch (failure) {
    if (!(failure instanceof CodeIntelError)) throw failure;
    sessions.deps.logger.note(`The runs of ${sessionId} cannot be ended: ${failure.message}`);
  }
}
