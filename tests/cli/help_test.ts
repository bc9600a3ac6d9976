/** Help texts, whole, as a person sees them. */
import { match, ok, strictEqual as equal } from "node:assert/strict";
import type { Command } from "../../src/cli/command.ts";
import { listCommands } from "../../src/cli/commands.ts";
import { FEATURES } from "../../src/features/features.ts";
import { formatCommandHelp } from "../../src/cli/help.ts";
import { testNeeding } from "../support/needs.ts";
import { runHosted } from "../support/server/hosted_cli.ts";

const COMMANDS = listCommands(FEATURES);

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

Deno.test("formatCommandHelp() shows usage, every option with its form, and the example", () => {
  const entry = { name: "probe", summary: "Try it", load: () => Promise.resolve(COMMAND) };
  equal(
    formatCommandHelp(entry, COMMAND).join("\n"),
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
  code-intel probe -`,
  );
});

Deno.test("formatCommandHelp() folds what an option does below itself, at the width of the terminal", () => {
  const entry = { name: "probe", summary: "Try it", load: () => Promise.resolve(COMMAND) };
  const lines = formatCommandHelp(entry, COMMAND, 46);
  equal(lines.every((line) => line.length <= 46), true);
  equal(lines.includes("  --project DIR    Folder of the project"), true);
  equal(lines.includes("                   (default: here)"), true);
});

Deno.test("no line of a help text is wider than COLUMNS, in a pipe too, save a line to be copied", async () => {
  const columns = 60;
  const helps = COMMANDS.map(({ name }) => ["help", ...name.split(" ")]);
  for (const words of [["help"], ["session", "--help"], ["nothing"], ...helps]) {
    const { stdout, stderr } = await runHosted(words, { env: { COLUMNS: `${columns}` } });
    const [told = ""] = (stdout + stderr).split("Example:\n");
    for (const line of told.split("\n")) ok(line.length <= columns, `${words.join(" ")}: ${line}`);
  }
});

testNeeding(
  ["man"],
  "the manual page is set without a warning, in a plain terminal too",
  async () => {
    const file = await Deno.makeTempFile({ suffix: ".1" });
    await Deno.writeTextFile(file, (await runHosted(["help", "--man"])).stdout);
    const { stdout, stderr } = await new Deno.Command("man", {
      args: ["--warnings", "-l", file],
      env: { LC_ALL: "C", MANWIDTH: "80", PAGER: "cat" },
    }).output();
    equal(new TextDecoder().decode(stderr), "");
    match(new TextDecoder().decode(stdout), /code-intel session submit '\{"choice": "continue"/);
  },
);

Deno.test("the manual page has every command and option, escaped for its macros", async () => {
  const { stdout } = await runHosted(["help", "--man"]);
  for (const { name } of COMMANDS) {
    match(stdout, new RegExp(`\\.SS "code\\\\-intel ${name.replaceAll("-", "\\\\-")}`));
  }
  match(stdout, /\.TP\n\.B \\-\\-enforcement|\.B \\-h, \\-\\-help\nShow this help/);
  // deno-lint-ignore no-control-regex -- signs outside of ASCII are looked for
  equal(/[^\x00-\x7f]/.test(stdout), false);
  equal(/^['.](?![A-Z]{2} |[A-Z]{2}$|[BI] |TP$|PP$|EX$|EE$)/m.test(stdout), false);
});
