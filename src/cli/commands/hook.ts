/**
 * The command `hook`, which clients call. It never blocks a client: any failure is one line on
 * standard error and exit code 1, which no client takes for a decision.
 */
import { dirname, join } from "node:path";
import { expectOpenFiles } from "../../base/files/open_limit.ts";
import type { ClientName } from "../../clients/mod.ts";
import type { HookPlace, HookWord } from "../../hooks/mod.ts";
import {
  answerHook,
  glanceActive,
  HOOK_EVENTS,
  toHookCall,
  toHookOutput,
} from "../../hooks/mod.ts";
import type { HookDoor } from "../../workflow/mod.ts";
import type { Command, ExitCode, Invocation } from "../command.ts";

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
      return await answer(invocation);
    } catch (failure) {
      const [line = ""] = (failure instanceof Error ? failure.message : String(failure)).split(
        "\n",
      );
      await invocation.terminal.err(`code-intel hook: ${line}; nothing was decided`);
      return 1;
    }
  },
};

async function answer(invocation: Invocation): Promise<ExitCode> {
  const { positionals, options, terminal } = invocation;
  const [word = ""] = positionals;
  if (!isWord(word)) {
    const known = Object.keys(HOOK_EVENTS).join(", ");
    await terminal.err(`Unknown event "${word}"; there are ${known}`);
    return 64;
  }
  const client: ClientName = options["client"] === "codex" ? "codex" : "claude";
  const call = toHookCall(word, client, JSON.parse(await terminal.readInput()));
  const place = await findPlace(call.cwd === "" ? invocation.projectDir : call.cwd);
  if (place === null) return 0;
  expectOpenFiles();
  const output = toHookOutput(client, word, await answerHook(call, place));
  if (output !== "") await terminal.data(`${output}\n`);
  return 0;
}

/**
 * The project with its active session: that of the folder where the client works, else that of the
 * folder where the client was started. Null where the program was never used.
 */
async function findPlace(cwd: string): Promise<HookPlace | null> {
  const started = Deno.env.get("CLAUDE_PROJECT_DIR") ?? "";
  const roots: string[] = [];
  for (const folder of started === "" ? [cwd] : [cwd, started]) {
    const root = await findUpwards(folder);
    if (root === null) continue;
    const session = await glanceActive(join(root, ".code-intel"));
    if (session !== null) return { root, session, loadDoor: () => loadDoor(root) };
    roots.push(root);
  }
  const [root] = roots;
  return root === undefined ? null : { root, session: null, loadDoor: () => loadDoor(root) };
}

/** The real path of the nearest folder upwards that has `.code-intel`. */
async function findUpwards(start: string): Promise<string | null> {
  const real = await Deno.realPath(start).catch(() => null);
  if (real === null) return null;
  for (let folder = real;; folder = dirname(folder)) {
    const found = await Deno.stat(join(folder, ".code-intel")).catch(() => null);
    if (found?.isDirectory) return folder;
    if (dirname(folder) === folder) return null;
  }
}

async function loadDoor(projectDir: string): Promise<HookDoor> {
  const { openHookDoor } = await import("../../services/mod.ts");
  return await openHookDoor(projectDir);
}

function isWord(word: string): word is HookWord {
  return Object.hasOwn(HOOK_EVENTS, word);
}
