/**
 * The command `hook`, which clients call. It never blocks a client: any failure is one line on
 * standard error and exit code 1, which no client takes for a decision.
 */
import { join } from "node:path";
import { CodeIntelError } from "../../base/errors.ts";
import { expectOpenFiles } from "../../base/files/open_limit.ts";
import type { ClientName } from "../../clients/mod.ts";
import type { HookAnswer, HookPlace, HookWord } from "../../hooks/mod.ts";
import {
  answerHook,
  glanceActive,
  HOOK_EVENTS,
  toHookCall,
  toHookOutput,
} from "../../hooks/mod.ts";
import { findProjectRoot } from "../../place/mod.ts";
import type { HookDoor } from "../../workflow/mod.ts";
import type { Command, ExitCode, Invocation } from "../command.ts";
import { toPersonWords } from "../person_words.ts";

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
  const call = toHookCall(word, client, JSON.parse(await terminal.readInput()));
  let answer: HookAnswer;
  try {
    const place = await findPlace(call.cwd === "" ? invocation.projectDir : call.cwd);
    if (place === null) return 0;
    expectOpenFiles();
    answer = await answerHook(call, place);
  } catch (failure) {
    if (!(failure instanceof CodeIntelError) || failure.code !== "not_a_project") throw failure;
    // Said to the model once, at the start; of each tool there is nothing to say.
    await terminal.err(`code-intel hook: ${failure.message}`);
    if (word !== "session-start") return 0;
    const hint = await toPersonWords(failure.hint);
    answer = { kind: "context", text: `code-intel: ${failure.message}. ${hint}` };
  }
  const output = toHookOutput(client, word, answer);
  if (output !== "") await terminal.data(`${output}\n`);
  return 0;
}

/**
 * The project with its active session: that of the folder where the client works, else that of the
 * folder where the client was started. Null where the program was never used.
 *
 * @throws {CodeIntelError} `io_failed`, `not_a_project` where none of the folders is of a project.
 */
async function findPlace(cwd: string): Promise<HookPlace | null> {
  const started = Deno.env.get("CLAUDE_PROJECT_DIR") ?? "";
  const folders = started === "" ? [cwd] : [cwd, started];
  const found = await Promise.allSettled(folders.map((folder) => findProjectRoot(folder, AS_HOOK)));
  const roots = found.flatMap((one) => one.status === "fulfilled" ? [one.value] : []);
  const [failed] = found;
  if (roots.length === 0 && failed?.status === "rejected") throw failed.reason;
  const used = roots.filter(isUsed);
  for (const root of used) {
    const session = await glanceActive(join(root, ".code-intel"));
    if (session !== null) return { root, session, loadDoor: () => loadDoor(root) };
  }
  const [root] = used;
  return root === undefined ? null : { root, session: null, loadDoor: () => loadDoor(root) };
}

function isUsed(root: string): boolean {
  try {
    return Deno.statSync(join(root, ".code-intel")).isDirectory;
  } catch {
    return false;
  }
}

async function loadDoor(root: string): Promise<HookDoor> {
  const { openHookDoor } = await import("../../services/mod.ts");
  return await openHookDoor(root);
}

function isWord(word: string): word is HookWord {
  return Object.hasOwn(HOOK_EVENTS, word);
}
