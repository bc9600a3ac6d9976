/** Questions at the terminal: what is shown, what is read, and where nobody can be asked. */
import { deepStrictEqual as deepEqual, match } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import type { Question } from "../../src/base/asker.ts";
import { createTerminalAsker } from "../../src/cli/answer.ts";
import { runOnTerminal } from "../support/server/cli.ts";
import { SOURCE_COMMAND } from "../support/server/mcp_client.ts";
import { testNeeding } from "../support/needs.ts";

const QUESTION: Question = {
  key: "k",
  message: "May the tests run?",
  fields: [
    { name: "allow", title: "Run them", type: "boolean", required: true },
    { name: "next", title: "Next", type: "choice", choices: ["continue", "park"], required: true },
    { name: "why", title: "Why", type: "text", required: false },
  ],
};

async function ask(lines: readonly (string | null)[], isInteractive = true) {
  const shown: string[] = [];
  const rest = [...lines];
  const asker = createTerminalAsker({
    isInteractive,
    err: (...lines) => Promise.resolve(void shown.push(...lines)),
    ask: (text) => {
      shown.push(text);
      return Promise.resolve(rest.shift() ?? null);
    },
  });
  return { answer: await asker.ask(QUESTION, new AbortController().signal), shown };
}

Deno.test("createTerminalAsker() asks field by field and takes only what fits", async () => {
  const { answer, shown } = await ask(["Y", "park", " later "]);
  deepEqual(answer, { kind: "answered", values: { allow: true, next: "park", why: "later" } });
  deepEqual(shown, [
    "May the tests run?",
    "Run them [y/N] ",
    "Next (continue, park): ",
    "Why (may be empty): ",
  ]);
  deepEqual((await ask(["", "park", ""])).answer, {
    kind: "answered",
    values: { allow: false, next: "park" },
  });
  deepEqual((await ask(["y", "leave", ""])).answer, { kind: "unanswered" });
  deepEqual((await ask(["y", null])).answer, { kind: "unanswered" });
});

Deno.test("createTerminalAsker() shows nothing where nobody can answer", async () => {
  deepEqual(await ask(["y", "park", ""], false), { answer: { kind: "unavailable" }, shown: [] });
});

Deno.test("createTerminalAsker() ends with the call", async () => {
  const { promise: never } = Promise.withResolvers<null>();
  const err = () => Promise.resolve();
  const asker = createTerminalAsker({ isInteractive: true, err, ask: () => never });
  const ending = new AbortController();
  setTimeout(() => ending.abort(), 10);
  deepEqual(await asker.ask(QUESTION, ending.signal), { kind: "unanswered" });
});

testNeeding(
  ["terminal"],
  "createTerminalAsker() asks a person at a real terminal, on standard error alone",
  async () => {
    const program = fileURLToPath(new URL("../support/server/asking_terminal.ts", import.meta.url));
    const cwd = await Deno.makeTempDir();
    const command = [...SOURCE_COMMAND.slice(0, -1), program] as const;
    const typed = "y\npark\nlater\n";
    const shown = await runOnTerminal([], { cwd, command, typed, redirect: "out.json" });
    match(shown, /May the tests run\?\r\nRun them \[y\/N\] /);
    deepEqual(JSON.parse(await Deno.readTextFile(`${cwd}/out.json`)), {
      kind: "answered",
      values: { allow: true, next: "park", why: "later" },
    });
  },
);
