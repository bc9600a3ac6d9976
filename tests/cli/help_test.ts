/** Help texts, whole, as a person sees them. */
import { strictEqual as equal } from "node:assert/strict";
import type { Command } from "../../src/cli/command.ts";
import { toCommandHelp } from "../../src/cli/help.ts";

const COMMAND: Command = {
  usage: "[JSON|-]",
  positionals: [0, 1],
  example: "code-intel probe -",
  options: [
    { name: "file", kind: "text", short: "f", value: "FILE", summary: "Read it" },
    { name: "glob", kind: "list", value: "TEXT", summary: "Only these" },
    { name: "mode", kind: "text", value: "TEXT", values: ["a", "b"], summary: "How" },
  ],
  run: () => Promise.resolve(0),
};

Deno.test("toCommandHelp() shows usage, every option with its form, and the example", () => {
  const entry = { name: "probe", summary: "Try it", load: () => Promise.resolve(COMMAND) };
  equal(
    toCommandHelp(entry, COMMAND),
    `Try it

Usage: code-intel probe [JSON|-] [OPTIONS]

Options:
  -f, --file FILE  Read it
  --glob TEXT      Only these; may be repeated
  --mode TEXT      How (a, b)
  --project DIR    Folder of the project (default: here)
  --json           Answer as JSON
  --debug          Show the stack of a bug
  -h, --help       Show this help

Example:
  code-intel probe -
`,
  );
});
