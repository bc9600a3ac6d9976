/**
 * What the hooks of a client may ask of the active session: to clear files for writing, to inspect
 * the disk, to record what was shown, and where the work stands. Without a session every answer is
 * empty.
 */
import { LAST_STEP } from "../base/steps.ts";
import { readBriefOptions } from "./calls/brief_options.ts";
import { loadSessionSettings } from "./context/deps.ts";
import { basename, dirname, join } from "node:path";
import type { Problem } from "../base/problem.ts";
import type { Reply } from "../base/reply.ts";
import { keepSnapshot } from "./context/present_tree.ts";
import type { SessionState } from "../phase/state.ts";
import { takesWrites } from "../phase/lazy.ts";
import { keepBinding } from "../phase/stage_block.ts";
import { PHASES } from "../phase/table/phases.ts";
import { hashArguments } from "../session/records.ts";
import { buildStateSummary } from "../session/state_summary.ts";
import type { SessionContext, Sessions } from "./context/sessions.ts";
import { inspect } from "./look/inspect.ts";
import { checkWrite } from "./calls/write_check.ts";
import { readLines } from "./look/disk_facts.ts";
import type { ShownText } from "../base/text/read_lines.ts";
import { isShownBy } from "../base/text/read_lines.ts";

/** Where the active session stands. */
export interface Standing {
  readonly sessionId: string;
  readonly phase: string;
  readonly step: number;
  readonly of: number;
  /** Whether files may be written in the present step at all. */
  readonly mayWrite: boolean;
  readonly rules: readonly string[];
}

/** A conversation of a client. */
export interface Conversation {
  readonly client: string;
  /** The client's id of the conversation. */
  readonly id: string;
}

/** What hooks may ask. Paths are absolute, or relative to the project. */
export interface HookDoor {
  /**
   * Asks the write guard about all files at once, as `check_write_target` does; null means that
   * they may be written.
   */
  clear(paths: readonly string[]): Promise<Reply | null>;
  /**
   * Records files as explored that the client's own tools have shown: one of the texts of a reading tool, or some lines of
   * a shell's output, must be of the file. Anybody can start a hook and say that a file was read.
   */
  noteShown(shown: readonly ShownText[]): Promise<void>;
  /** Compares the disk with the ledger now; the problems are unresolved findings. */
  findUnresolved(): Promise<readonly Problem[]>;
  /** Ties a conversation to the session, or records that it was kept from ending. */
  note(event: "bind" | "stop", conversation: Conversation): Promise<void>;
  standing(): Promise<Standing | null>;
  /** The brief as JSON of at most this many bytes; null without a session. */
  brief(budgetBytes: number): Promise<string | null>;
  /** Takes a snapshot of the files. */
  keepFiles(label: string): Promise<void>;
}

/** Makes what answers the hooks. */
export function createHookDoor(sessions: Sessions): HookDoor {
  return {
    clear: (paths) => clear(sessions, paths),
    noteShown: (shown) => noteShown(sessions, shown),
    findUnresolved: () => findUnresolved(sessions),
    note: (event, conversation) => note(sessions, event, conversation),
    standing: async () => describeStanding(await readState(sessions)),
    brief: (budgetBytes) => readBrief(sessions, budgetBytes),
    keepFiles: (label) => keepFiles(sessions, label),
  };
}

async function clear(sessions: Sessions, given: readonly string[]): Promise<Reply | null> {
  const state = await readState(sessions);
  if (state === null) return null;
  const context = await sessions.prepare();
  const paths = await keepInside(context, given);
  if (paths.length === 0) return null;
  const startedAt = performance.now();
  const reply = await checkWrite(sessions, { paths, allowNewFiles: true });
  // A write grant by the hook is recorded as a call of the tool, so that the agent need not ask
  // again.
  await sessions.record(state.sessionId, {
    kind: "call",
    visit: state.visit,
    stage: state.stage,
    tool: "check_write_target",
    argsHash: hashArguments({ file_paths: paths }),
    subject: paths.join(", ").slice(0, 120),
    ok: reply.ok,
    total: null,
    files: [],
    symbols: [],
    durationMs: Math.round(performance.now() - startedAt),
    via: "hook",
  });
  return reply;
}

async function noteShown(sessions: Sessions, shown: readonly ShownText[]): Promise<void> {
  const found = await sessions.deps.store.findActive();
  if (found?.kind !== "loaded") return;
  const context = await sessions.prepare();
  const seen = await Promise.all(shown.map(async (one) => {
    const [path] = await keepInside(context, [one.path]);
    const fact = path === undefined ? null : await context.paths.toTarget(path);
    if (fact?.kind !== "target" || fact.target.kind !== "file") return [];
    const lines = readLines(context, fact.target.path);
    return lines !== null && isShownBy(lines, one) ? [fact.target.path] : [];
  }));
  const { state, revision } = found.checkpoint;
  const session = { id: found.id, revision, state, notices: [] };
  await sessions.recordExplored(session, [...new Set(seen.flat())], "hook");
}

async function findUnresolved(sessions: Sessions): Promise<readonly Problem[]> {
  if (await readState(sessions) === null) return [];
  const context = await sessions.prepare();
  return await sessions.underLock(async () => {
    const opened = await sessions.openActive();
    // Effects that are being done change files themselves; the process that does them judges the
    // rest.
    if (opened.kind !== "open" || opened.session.state.pending !== null) return [];
    const { session } = opened;
    const settings = await loadSessionSettings(sessions.deps, session.state);
    const { state, problems } = await inspect(context, { session, settings });
    if (state !== session.state) await sessions.save(session, state);
    return problems;
  });
}

async function note(
  sessions: Sessions,
  event: "bind" | "stop",
  { client, id }: Conversation,
): Promise<void> {
  const found = await sessions.deps.store.findActive();
  if (found?.kind !== "loaded") return;
  const { revision } = found.checkpoint;
  await sessions.record(found.id, { kind: "hook", client, event, conversation: id, revision });
}

async function readState(sessions: Sessions): Promise<SessionState | null> {
  const found = await sessions.deps.store.findActive();
  return found?.kind === "loaded" ? found.checkpoint.state : null;
}

function describeStanding(state: SessionState | null): Standing | null {
  if (state === null) return null;
  const { phase, step } = PHASES[state.stage];
  return {
    sessionId: state.sessionId,
    phase,
    step,
    of: LAST_STEP,
    mayWrite: takesWrites(state),
    rules: keepBinding(state.rules).map(({ rule }) => rule),
  };
}

async function readBrief(sessions: Sessions, budgetBytes: number): Promise<string | null> {
  const opened = await sessions.openActive();
  if (opened.kind !== "open") return null;
  const { session } = opened;
  const { state } = session;
  const context = await sessions.prepare();
  const { instruction } = context.contract.contract[state.stage];
  const options = await readBriefOptions(context, session);
  const records = await sessions.records(session.id);
  return JSON.stringify(
    buildStateSummary(state, records, {
      ...options,
      budgetBytes,
      instruction: String(instruction),
    }),
  );
}

async function keepFiles(sessions: Sessions, label: string): Promise<void> {
  const state = await readState(sessions);
  if (state !== null) await keepSnapshot(await sessions.prepare(), state, { label });
}

/** The given paths that are in the worktree, whatever links lead to their folders. */
async function keepInside(
  context: SessionContext,
  given: readonly string[],
): Promise<readonly string[]> {
  const real = await Promise.all(given.map(followLinks));
  return real.filter((path) => {
    const resolved = context.paths.toWorktree(path);
    return resolved.kind === "path" || resolved.problem.code !== "path_outside";
  });
}

/** A path with the links of its folders followed; the guard follows a link of the file itself. */
async function followLinks(path: string): Promise<string> {
  if (!path.startsWith("/") && !/^[A-Za-z]:[\\/]/.test(path)) return path;
  const rest: string[] = [];
  for (let folder = path; dirname(folder) !== folder;) {
    rest.unshift(basename(folder));
    folder = dirname(folder);
    const real = await Deno.realPath(folder).catch(() => null);
    if (real !== null) return join(real, ...rest);
  }
  return path;
}
