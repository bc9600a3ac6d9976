/**
 * The command `hook`, which clients call. It never blocks a client: any failure is one line on
 * standard error and exit code 1, which no client takes for a decision.
 */
import { dirname, join } from "node:path";
import { CodeIntelError } from "../../base/errors.ts";
import { readControlTextIfUsable } from "../../base/files/control_file.ts";
import { expectOpenFiles } from "../../base/files/open_file.ts";
import type { ClientName } from "../../clients/setup.ts";
import type { HookAnswer } from "../../hooks/hook_answer.ts";
import type { HookCall, HookEventWord } from "../../hooks/hook_call.ts";
import type { HookContext } from "../../hooks/hook_events.ts";
import { previewActive } from "../../hooks/active_session.ts";
import { formatHookOutput } from "../../hooks/hook_answer.ts";
import { HOOK_EVENTS, parseHookCall } from "../../hooks/hook_call.ts";
import { answerHook } from "../../hooks/hook_events.ts";
import { listShellFolders } from "../../hooks/shell_guard.ts";
import { findGitFolder } from "../../place/git_folder.ts";
import { findGitStore, listWorktreeFolders } from "../../place/git_store.ts";
import { findProjectRoot } from "../../place/project_root.ts";
import type { Command, ExitCode, Invocation } from "../command.ts";
import { renderForUser } from "../user_words.ts";

/** Answers an event of a client, read from standard input as JSON. */
export const HOOK: Command = {
  usage: "EVENT",
  positionals: [1, 1],
  example: "code-intel hook session-start --client claude < event.json",
  options: [
    {
      name: "client",
      kind: "text",
      value: "NAME",
      values: ["claude", "codex"],
      summary: "Who calls, and so how the answer is written",
    },
  ],
  async run(invocation) {
    try {
      return await answerEvent(invocation);
    } catch (failure) {
      const [line = ""] = (failure instanceof Error ? failure.message : String(failure)).split(
        "\n",
      );
      await invocation.terminal.err(`code-intel hook: ${line}; nothing was decided`);
      return 1;
    }
  },
};

/** How a failure names the folder that a client gave. */
const AS_HOOK = {
  words: { action: "work in", hint: "Start the client in a folder that exists." },
};

async function answerEvent(invocation: Invocation): Promise<ExitCode> {
  const { positionals, options, terminal } = invocation;
  const [word = ""] = positionals;
  if (!isWord(word)) {
    const known = Object.keys(HOOK_EVENTS).join(", ");
    await terminal.err(`Unknown event "${word}"; there are ${known}`);
    return 64;
  }
  const client: ClientName = options["client"] === "codex" ? "codex" : "claude";
  const call = parseHookCall(word, client, JSON.parse(await terminal.readInput()));
  let answer: HookAnswer;
  try {
    const parts = await findParts(call, call.cwd === "" ? invocation.projectDir : call.cwd);
    if (parts.length === 0) return 0;
    expectOpenFiles();
    answer = await answerParts(parts, invocation.features);
  } catch (failure) {
    if (!(failure instanceof CodeIntelError) || failure.code !== "not_a_project") throw failure;
    // Said to the model once, at the start; of each tool there is nothing to say.
    await terminal.err(`code-intel hook: ${failure.message}`);
    if (word !== "session-start") return 0;
    const hint = await renderForUser(failure.hint);
    answer = { kind: "context", text: `code-intel: ${failure.message}. ${hint}` };
  }
  const output = formatHookOutput(client, word, answer);
  if (output !== "") await terminal.data(`${output}\n`);
  return 0;
}

/** Who decides, before what decides is loaded. */
type FoundProject = Omit<HookContext, "loadDoor" | "proveTurn">;

/** A part of an event with the place that decides about it. */
interface Part {
  readonly call: HookCall;
  readonly place: FoundProject;
}

/** The first answer that says something: one file that may not be written stops the whole edit. */
async function answerParts(
  parts: readonly Part[],
  features: Invocation["features"],
): Promise<HookAnswer> {
  for (const { call, place } of parts) {
    const loadDoor = async () => {
      const { openHookDoor } = await import("../../services/hook_services.ts");
      return await openHookDoor(place.root, features);
    };
    const proveTurn = (turn: HookCall) => proveIfWanted(turn, place.root, features);
    const answer = await answerHook(call, { ...place, loadDoor, proveTurn });
    if (answer.kind !== "none") return answer;
  }
  return { kind: "none" };
}

/** Most projects do not want it: without the key in `context.yml` nothing more is loaded. */
async function proveIfWanted(
  { word, conversation, isStopActive, lastMessage }: HookCall,
  projectRoot: string,
  features: Invocation["features"],
): Promise<HookAnswer> {
  const text = readControlTextIfUsable(join(projectRoot, ".code-intel/context.yml"), "context");
  if (conversation === "" || !/^prove\s*:/m.test(text ?? "")) return { kind: "none" };
  const { proveAtStop } = await import("../../services/prove_at_stop.ts");
  return await proveAtStop({
    ...{ projectRoot, conversation, isStopActive, lastMessage, features },
    event: word === "stop" ? "stop" : "start",
    loadWords: async () => (await import("./init.ts")).listOwnWords(),
  });
}

/**
 * Who decides: for a file the session that it lies in, since clients name the first worktree as their folder while they
 * work in another; for everything else the project of the client's folder.
 */
async function findParts(call: HookCall, cwd: string): Promise<readonly Part[]> {
  const { tool } = call;
  const files = tool.kind === "edit" ? tool.paths : tool.kind === "read" ? [tool.path] : [];
  const parts: Part[] = [];
  const others: string[] = [];
  for (const file of files) {
    const path = resolvePath(file, cwd);
    const place = await findSessionAbove(path);
    if (place === null) others.push(path);
    else parts.push({ call: buildPartCall(call, [path]), place });
  }
  if (files.length > 0 && others.length === 0) return parts;
  let failure: unknown = null;
  const place = await findHookProject(cwd, call.word).catch((error: unknown) => {
    failure = error;
    return null;
  });
  if (tool.kind === "shell") {
    parts.push(...await findShellParts(call, tool.command, { cwd, place }));
  }
  // A line that starts in a home folder or a bare repository may still work in the worktree of a session.
  if (failure !== null && parts.length === 0) throw failure;
  const rest = files.length === 0 ? call : buildPartCall(call, others);
  return place === null ? parts : [...parts, { call: rest, place }];
}

/** A shell line belongs to the sessions of all folders that its commands work in: `cd DIR && …`, `git -C DIR …`. */
async function findShellParts(
  call: HookCall,
  line: string,
  { cwd, place }: { readonly cwd: string; readonly place: FoundProject | null },
): Promise<readonly Part[]> {
  const parts = new Map<string, Part>();
  for (const folder of listShellFolders(line, { cwd, root: place?.root ?? cwd })) {
    const other = folder === cwd ? null : await findSessionAbove(join(folder, "file"));
    if (other === null || other.root === place?.root) continue;
    parts.set(other.root, { call: { ...call, cwd }, place: other });
  }
  return [...parts.values()];
}

function buildPartCall(call: HookCall, paths: readonly string[]): HookCall {
  return call.tool.kind === "edit" ? { ...call, tool: { kind: "edit", paths } } : call;
}

function resolvePath(path: string, cwd: string): string {
  return path.startsWith("/") || /^[A-Za-z]:[\\/]/.test(path) ? path : join(cwd, path);
}

/** The nearest project above a file that has an active session, up to the top of its repository. */
async function findSessionAbove(file: string): Promise<FoundProject | null> {
  const start = findRealFolder(dirname(file));
  const top = findGitFolder(start)?.worktree ??
    await findProjectRoot(start, AS_HOOK).catch(() => start);
  for (let folder = start;; folder = dirname(folder)) {
    const session = isUsed(folder) ? await previewActive(join(folder, ".code-intel")) : null;
    if (session !== null) return { root: folder, session };
    if (folder === top || dirname(folder) === folder) return null;
  }
}

/** The nearest folder that exists, links followed: a new file may need new folders. */
function findRealFolder(folder: string): string {
  try {
    return Deno.realPathSync(folder);
  } catch {
    const above = dirname(folder);
    return above === folder ? folder : findRealFolder(above);
  }
}

/**
 * The project with its active session: that of the folder where the client works, else that of the
 * folder where the client was started. Null where the program was never used.
 *
 * @throws {CodeIntelError} `io_failed`, `not_a_project` where none of the folders is of a project.
 */
async function findHookProject(cwd: string, word: HookEventWord): Promise<FoundProject | null> {
  const started = Deno.env.get("CLAUDE_PROJECT_DIR") ?? "";
  const folders = started === "" ? [cwd] : [cwd, started];
  const found = await Promise.allSettled(folders.map((folder) => findProjectRoot(folder, AS_HOOK)));
  const roots = found.flatMap((one) => one.status === "fulfilled" ? [one.value] : []);
  const [failed] = found;
  if (roots.length === 0 && failed?.status === "rejected") {
    // A folder of git may lie in the worktree of a session, which decides about what is called from there.
    const around = findGitStore(cwd) === null ? null : await findSessionAbove(join(cwd, "file"));
    if (around !== null) return around;
    throw failed.reason;
  }
  const used = roots.filter(isUsed);
  for (const root of used) {
    const session = await previewActive(join(root, ".code-intel"));
    if (session !== null) return { root, session };
  }
  const elsewhere = word === "session-start" ? await findSiblingSession(roots) : null;
  const root = used[0] ?? (elsewhere === null ? undefined : roots[0]);
  if (root === undefined) return null;
  return { root, session: null, ...(elsewhere === null ? {} : { elsewhere }) };
}

/** The active session of another worktree of the same repository; null for none. */
async function findSiblingSession(
  roots: readonly string[],
): Promise<NonNullable<HookContext["elsewhere"]> | null> {
  for (const root of roots.flatMap(listWorktreeFolders)) {
    const session = isUsed(root) ? await previewActive(join(root, ".code-intel")) : null;
    if (session?.status === "active") return { root, id: session.id };
  }
  return null;
}

function isUsed(root: string): boolean {
  try {
    return Deno.statSync(join(root, ".code-intel")).isDirectory;
  } catch {
    return false;
  }
}

function isWord(word: string): word is HookEventWord {
  return Object.hasOwn(HOOK_EVENTS, word);
}
