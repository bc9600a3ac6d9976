/** What a person at a terminal reads where an agent reads the name of a tool. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { COMMANDS } from "../../src/cli/commands.ts";
import { COMMANDS_OF_TOOLS, toNextCommand, toTerminalWords } from "../../src/cli/words.ts";
import { TOOLS } from "../../src/tools/tools.ts";
import { BUILT_IN_CONTRACT } from "../../src/phase/mod.ts";

/** Tools that a person has no use for at a terminal. */
const AGENT_ONLY = ["update_context"];

Deno.test("COMMANDS_OF_TOOLS names a command that exists for each tool", () => {
  deepEqual(
    TOOLS.map(({ name }) => name).filter((name) => COMMANDS_OF_TOOLS[name] === undefined),
    AGENT_ONLY,
  );
  const names = COMMANDS.map(({ name }) => name);
  deepEqual(Object.values(COMMANDS_OF_TOOLS).filter((name) => !names.includes(name)), []);
  equal(toNextCommand("submit_phase"), "code-intel session submit");
  equal(toNextCommand("update_context"), "update_context");
});

const TEXTS: readonly (readonly [text: string, expected: string])[] = [
  ["Call start_session for new work.", "Run `code-intel session start` for new work."],
  ["Decide, then submit_phase.", "Decide, then run `code-intel session submit`."],
  [
    "Call get_session_status, then send the same call again.",
    "Run `code-intel session status`, then send the same command again.",
  ],
  [
    "Resume it (get_session_status with session_id session_2026_ab) first.",
    "Resume it (`code-intel session resume session_2026_ab`) first.",
  ],
  [
    "Call get_session_status with the session_id of a parked session to resume it.",
    "Run `code-intel session resume SESSION` of a parked session to resume it.",
  ],
  [
    "get_session_status with discard_active: true archives it",
    "`code-intel session status --discard-active` archives it",
  ],
  [
    "Ask the person; then repeat the call with on_unfinished.",
    "Ask the person; then repeat the command with --on-unfinished.",
  ],
  [
    'Look first: get_symbols, search_text, or add_explored_files ["src/a.ts"].',
    "Look first: `code-intel symbols`, `code-intel text`, or `code-intel symbols src/a.ts`.",
  ],
  ["do: call check_write_target for it", "do: run `code-intel check-write` for it"],
  ["Send allow_new_files true to create it.", "Leave out --no-allow-new-files to create it."],
  [
    "Look at src/submit_phase.ts and my_submit_phase.",
    "Look at src/submit_phase.ts and my_submit_phase.",
  ],
  ["Run `code-intel trust`.", "Run `code-intel trust`."],
];

for (const [text, expected] of TEXTS) {
  Deno.test(`toTerminalWords() of: ${text}`, () => {
    equal(toTerminalWords(text), expected);
    equal(toTerminalWords(expected), expected, "twice changes nothing more");
  });
}

Deno.test("toTerminalWords() leaves no tool in the instructions of the steps", () => {
  const tools = new RegExp(TOOLS.map(({ name }) => `\\b${name}\\b`).join("|"));
  for (const [stage, { instruction }] of Object.entries(BUILT_IN_CONTRACT)) {
    // A command may have the name of a tool: `code-intel query`.
    const words = toTerminalWords(instruction).replaceAll(/`code-intel [^`]*`/g, "");
    equal(tools.exec(words), null, stage);
  }
});
