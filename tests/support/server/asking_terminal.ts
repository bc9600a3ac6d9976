/** Puts one question to the person at the terminal and prints the answer; run by a test. */
import { createTerminal } from "../../../src/cli/terminal.ts";
import { createTerminalAsker } from "../../../src/cli/answer.ts";

const terminal = createTerminal({ noColour: true });
const answer = await createTerminalAsker(terminal).ask({
  key: "k",
  message: "May the tests run?",
  fields: [
    { name: "allow", title: "Run them", type: "boolean", required: true },
    { name: "next", title: "Next", type: "choice", choices: ["continue", "park"], required: true },
    { name: "why", title: "Why", type: "text", required: false },
  ],
}, new AbortController().signal);
await terminal.data(JSON.stringify(answer));
