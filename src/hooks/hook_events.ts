/**
 * Answers each event of a client. Outside a session a hook only looks at the session folder;
 * services are loaded only for events that need them.
 */
import { join } from "node:path";
import { SYSTEM_CLOCK } from "../base/clock.ts";
import { makeOwnFolder, writeOwnFile } from "../base/files/own_folder.ts";
import type { Problem } from "../base/problem.ts";
import type { HookDoor, Standing } from "../workflow/hook_door.ts";
import type { SessionPreview } from "./active_session.ts";
import { isVerifying, previewRecords } from "./active_session.ts";
import type { HookAnswer } from "./hook_answer.ts";
import type { HookCall, HookEventWord } from "./hook_call.ts";
import { listShellPatches } from "./hook_call.ts";
import { judgeShell } from "./shell_guard.ts";
import { listShellReads } from "./shell_reads.ts";

/** What the answer to an event depends on. */
export interface HookContext {
  /** Absolute path of the project. */
  readonly root: string;
  /** The active session; null where there is none. */
  readonly session: SessionPreview | null;
  /** An active session in another worktree of the repository; left out where it was not asked, or there is none. */
  readonly elsewhere?: { readonly root: string; readonly id: string };
  /** Builds the services that some events need. */
  readonly loadDoor: () => Promise<HookDoor>;
  /** Proves what a turn changed, where no session does and the project wants it. */
  readonly proveTurn: (call: HookCall) => Promise<HookAnswer>;
}

const NONE: HookAnswer = { kind: "none" };

/**
 * Longest brief put before the model unasked, in bytes: with the words round it, it stays below
 * what both clients show whole.
 */
const BRIEF_BYTES = 5_600;

type Answer = (call: HookCall, place: HookContext) => Promise<HookAnswer>;

const ANSWERS: Readonly<Record<HookEventWord, Answer>> = {
  "pre-tool-use": answerBefore,
  "post-tool-use": answerAfter,
  "session-start": answerStart,
  "subagent-start": answerSubagent,
  "stop": answerStop,
  "pre-compact": answerCompaction,
};

/** Answers one event. */
export async function answerHook(call: HookCall, place: HookContext): Promise<HookAnswer> {
  return await ANSWERS[call.word](call, place);
}

async function answerBefore(call: HookCall, place: HookContext): Promise<HookAnswer> {
  const { tool } = call;
  if (tool.kind === "own" && tool.name === "start_session") await markHooksSeen(call, place);
  const mode = findMode(place.session);
  if (place.session === null || mode === "off") return NONE;
  const shell = { cwd: call.cwd || place.root, root: place.root, toReal: resolveReal };
  const refusal = tool.kind === "shell" ? judgeShell(tool.command, shell) : null;
  if (refusal !== null) {
    return refuseTool(
      mode,
      `code-intel: \`${refusal.command}\` is not run during a session. ${refusal.hint}`,
    );
  }
  const paths = tool.kind === "edit"
    ? tool.paths.map((path) => resolvePath(path, call, place))
    : tool.kind === "shell"
    ? listShellPatches(tool.command, shell)
    : [];
  if (paths.length === 0) return NONE;
  const door = await place.loadDoor();
  const reply = await door.clear(paths);
  if (reply === null || reply.ok) return NONE;
  return refuseTool(mode, formatProblems(reply.problems ?? [], await door.standing()));
}

/** How findings are treated (`strict`, `warn` or `off`), as the session fixed it at its start. */
function findMode(session: SessionPreview | null): string {
  const ledger = session?.state["ledger"] as { readonly mode?: unknown } | null | undefined;
  return typeof ledger?.mode === "string" ? ledger.mode : "strict";
}

/**
 * The answer to a forbidden tool: a refusal, or, where the user chose `warn`, a text while the
 * tool runs.
 */
function refuseTool(mode: string, text: string): HookAnswer {
  return mode === "strict" ? { kind: "deny", reason: text } : { kind: "context", text };
}

async function answerAfter(call: HookCall, place: HookContext): Promise<HookAnswer> {
  const { tool, conversation } = call;
  const { session, root } = place;
  if (session === null) return NONE;
  if (tool.kind === "own") {
    // A conversation is tied to the session by calls of the main agent; helpers of it come and go.
    if (call.isSubagent || conversation === "") return NONE;
    const { conversations } = await previewRecords(join(root, ".code-intel"), session.id);
    if (conversations.has(conversation)) return NONE;
    await (await place.loadDoor()).note("bind", { client: call.client, id: conversation });
    return NONE;
  }
  if (tool.kind === "read") {
    const shown = { path: resolvePath(tool.path, call, place), texts: tool.texts };
    await (await place.loadDoor()).noteShown([shown]);
    return NONE;
  }
  if (tool.kind === "other") return NONE;
  if (tool.kind === "shell") {
    const shell = { cwd: call.cwd || root, root, toReal: resolveReal };
    const shown = listShellReads(tool.command, tool.texts, shell);
    if (shown.length > 0) await (await place.loadDoor()).noteShown(shown);
  }
  // The server that runs the project's verification commands judges what they write.
  if (await isVerifying(join(root, ".code-intel"), session.id)) return NONE;
  const door = await place.loadDoor();
  const problems = await door.findUnresolved();
  return problems.length === 0 ? NONE : {
    kind: "context",
    text: formatProblems(problems, await door.standing()),
  };
}

async function answerStart(call: HookCall, place: HookContext): Promise<HookAnswer> {
  if (place.session === null) {
    // After a compaction the turn goes on: its changes are its own.
    if (call.source !== "compact") await place.proveTurn(call);
    const { elsewhere } = place;
    const other = elsewhere === undefined
      ? ""
      : `code-intel: the session ${elsewhere.id} is under way in another worktree of this repository, ${elsewhere.root}. ` +
        "Go on with it there; here no session is active.\n";
    return { kind: "context", text: `${other}${HOW_TO_START}` };
  }
  const brief = await (await place.loadDoor()).brief(BRIEF_BYTES);
  return brief === null ? NONE : {
    kind: "context",
    text:
      `code-intel: a piece of work is under way in this project. Its brief:\n${brief}\nThe rest: get_session_status.`,
  };
}

const HOW_TO_START =
  "code-intel is set up here: larger changes begin with the skill `code` (start_session), small ones with `exp`; the search tools work without a session.";

async function answerSubagent(_call: HookCall, place: HookContext): Promise<HookAnswer> {
  if (place.session === null) return NONE;
  const standing = await (await place.loadDoor()).standing();
  if (standing === null) return NONE;
  const { step, of, phase, mayWrite, rules } = standing;
  const lines = [
    `A code-intel session is under way: step ${step}/${of}, ${phase}.`,
    mayWrite
      ? "Files may be written only where check_write_target or the hook of the edit allows them; git is left to the server."
      : "No file may be written in this step, by no tool; git is left to the server.",
    "Only the main conversation submits steps (submit_phase).",
    "In a shell the tools are: code-intel text PATTERN, code-intel files GLOB, code-intel def NAME, code-intel refs NAME, code-intel symbols PATH.",
    ...rules.slice(0, MOST_RULES).map((rule) => `Rule: ${rule}`),
  ];
  return { kind: "context", text: lines.join("\n") };
}

const MOST_RULES = 10;

/** Problems that only the user can solve: the agent has to end its turn to ask. */
const PERSON_PROBLEMS: readonly string[] = [
  "user_decision_required",
  "person_unanswered",
  "person_changes_mixed",
  "verify_untrusted",
];

async function answerStop(call: HookCall, place: HookContext): Promise<HookAnswer> {
  const { session, root } = place;
  const { conversation } = call;
  if (call.hasBackground || conversation === "") return NONE;
  if (session === null) return call.isSubagent ? NONE : await place.proveTurn(call);
  if (session.status !== "active" || call.isStopActive) return NONE;
  if (isUserDue(session.state)) return NONE;
  const codeIntelDir = join(root, ".code-intel");
  const { conversations, stoppedAt } = await previewRecords(codeIntelDir, session.id);
  // The agent is kept from ending once for each state of the session: an agent that ends again
  // without a step has a reason.
  if (!conversations.has(conversation) || stoppedAt === session.revision) return NONE;
  if (await isVerifying(codeIntelDir, session.id)) return NONE;
  const door = await place.loadDoor();
  const standing = await door.standing();
  if (standing === null) return NONE;
  await door.note("stop", { client: call.client, id: conversation });
  const { step, of, phase } = standing;
  return {
    kind: "block",
    reason: `The code-intel session is at step ${step}/${of} (${phase}) and not finished. ` +
      "Work that is done is handed in by one submit_phase " +
      '({"done": {clause: places}, "observed": {…}, "commit_message": "…"}); ' +
      "get_session_status says what is due. " +
      'To stop here, send {"park": true, "reason": "…"} to keep the work for later or to hand it over, or ' +
      '{"abandon": true, "reason": "it cannot be done because …"} to end it. ' +
      "If you wait for the person, just end again.",
  };
}

function isUserDue(state: SessionPreview["state"]): boolean {
  const { escalation = null, stage, lastProblems = [] } = state;
  const codes = Array.isArray(lastProblems) ? lastProblems.map(({ code }) => code) : [];
  return escalation !== null || stage === "BRANCH_INTERVENTION" ||
    codes.some((code) => PERSON_PROBLEMS.includes(code));
}

async function answerCompaction(_call: HookCall, place: HookContext): Promise<HookAnswer> {
  if (place.session !== null) {
    await (await place.loadDoor()).keepFiles("before compaction");
  }
  return NONE;
}

/** Leaves a mark that tells the next start of a session that hooks run here. */
async function markHooksSeen({ client }: HookCall, { root }: HookContext): Promise<void> {
  const folder = join(root, ".code-intel");
  // The mark is written only where a `.gitignore` hides it from git.
  const isHidden = await Deno.stat(join(folder, ".gitignore")).then(() => true, () => false);
  if (!isHidden) return;
  await makeOwnFolder(join(folder, "cache"));
  const mark = { client, at: SYSTEM_CLOCK.now().toISOString() };
  await writeOwnFile(join(folder, "cache/hooks_seen.json"), `${JSON.stringify(mark)}\n`);
}

/** The real path of a folder; the given path where the folder does not exist. */
function resolveReal(path: string): string {
  try {
    return Deno.realPathSync(path);
  } catch {
    return path;
  }
}

function resolvePath(path: string, { cwd }: HookCall, { root }: HookContext): string {
  const isAbsolute = path.startsWith("/") || /^[A-Za-z]:[\\/]/.test(path);
  return isAbsolute ? path : join(cwd === "" ? root : cwd, path);
}

/** Most problems that the text of a hook lists; the next reply of the server has all of them. */
const MOST_LINES = 8;

/** Problems as one text for the model: what is wrong, where the work is, what to do. */
export function formatProblems(problems: readonly Problem[], standing: Standing | null): string {
  const where = standing === null
    ? ""
    : ` (step ${standing.step}/${standing.of}: ${standing.phase})`;
  const lines = problems.slice(0, MOST_LINES).map(({ message, hint }) =>
    hint === undefined ? `- ${message}` : `- ${message}. ${hint}`
  );
  const more = problems.length > MOST_LINES ? [`- and ${problems.length - MOST_LINES} more`] : [];
  const none = problems.length === 0 ? ["- not allowed now. Call get_session_status."] : [];
  return [`code-intel${where}:`, ...lines, ...more, ...none].join("\n");
}
