/** Help texts, whole, as a person sees them. */
import { match, strictEqual as equal } from "node:assert/strict";
import type { Command } from "../../src/cli/command.ts";
import { COMMANDS } from "../../src/cli/commands.ts";
import { toCommandHelp } from "../../src/cli/help.ts";
import { runHosted } from "../support/hosted_cli.ts";

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

Deno.test("toCommandHelp() folds what an option does below itself, at the width of the terminal", () => {
  const entry = { name: "probe", summary: "Try it", load: () => Promise.resolve(COMMAND) };
  const lines = toCommandHelp(entry, COMMAND, 46).split("\n");
  equal(lines.every((line) => line.length <= 46), true);
  equal(lines.includes("  --project DIR    Folder of the project"), true);
  equal(lines.includes("                   (default: here)"), true);
});

Deno.test("the manual page has every command and option, escaped for its macros", async () => {
  const { stdout } = await runHosted(["help", "--man"]);
  for (const { name } of COMMANDS) {
    match(stdout, new RegExp(`\\.SS "code\\\\-intel ${name.replaceAll("-", "\\\\-")}`));
  }
  match(stdout, /\.TP\n\.B \\-\\-enforcement|\.B \\-h, \\-\\-help\nShow this help/);
  equal(/^['.](?![A-Z]{2} |[A-Z]{2}$|[BI] |TP$|PP$|EX$|EE$)/m.test(stdout), false);
});
