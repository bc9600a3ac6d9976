/**
 * A text that names a tool is made by say`…`: so each reader gets words of its own. And a call that a text
 * names is one of a tool that exists, with arguments that it takes.
 */
import { deepStrictEqual as deepEqual, ok } from "node:assert/strict";
import { listCommands } from "../../src/cli/commands.ts";
import { FEATURES } from "../../src/features/features.ts";
import { COMMANDS_OF_TOOLS } from "../../src/cli/user_reader.ts";
import { buildInputSchema } from "../../src/tools/input_schema.ts";
import { TOOLS } from "../../src/tools/tools.ts";
import { readSourceFiles } from "./source_files.ts";

const COMMANDS = listCommands(FEATURES);

/** Files whose texts only agents, or only people in documents, read; each with its reason. */
const EXCEPTIONS: readonly (readonly [start: string, why: string])[] = [
  ["src/tools/rows/", "descriptions of tools, which the protocol lists"],
  ["src/mcp/", "what the protocol says of the server"],
  ["src/features/hub/commands/hub_serve.ts", "what the protocol says of a hub"],
  ["src/hooks/", "what clients put before a model"],
  ["src/base/settings/config_keys.ts", "descriptions of settings, in a document"],
  ["src/base/settings/limits.ts", "reasons of limits, in a document"],
  ["src/project/setup/config_text.ts", "comments of a file that init writes"],
  ["src/workflow/calls/earlier_sessions.ts", "a reason for the log"],
  ["src/phase/contract/evaluation.ts", "stored texts with names in backticks, read by readWords()"],
  ["src/phase/rules/explore_rules.ts", "the form of an evidence, which a payload has literally"],
  [
    "src/phase/table/phases.ts",
    "the form of an evidence, and values of example payloads",
  ],
  ["src/workflow/calls/start_reply.ts", "a tool that no command stands for"],
];

/** Names of tools that are words of the language too. */
const WORDS: readonly string[] = ["query", "prove"];
const NAMES = TOOLS.map(({ name }) => name).filter((name) => !WORDS.includes(name));
// A sentence, not a name alone: values of fields are data.
const SENTENCE = new RegExp(
  `"[^"\\n]*\\b(?:${NAMES.join("|")})\\b[^"\\n]*"|\`[^\`\\n]*\\b(?:${
    NAMES.join("|")
  })\\b[^\`\\n]*\``,
);

/** The text without comments, imports and the calls that say`…` holds as data. */
function toTexts(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, "").replaceAll(/^\s*\/\/.*$/gm, "")
    .replaceAll(/^(?:import|export)[^;]*?;$/gm, "")
    .replaceAll(/\b(?:tool|call|use)\(\s*"[a-z_]+"/g, "");
}

Deno.test("no text of the program names a tool outside say`…`", async () => {
  const found: string[] = [];
  for (const { path, text } of await readSourceFiles("src")) {
    if (EXCEPTIONS.some(([start]) => path.startsWith(start))) continue;
    for (const line of toTexts(text).split("\n")) {
      const [hit] = SENTENCE.exec(line) ?? [];
      if (hit !== undefined && /\s/.test(hit)) found.push(`${path}: ${hit}`);
    }
  }
  deepEqual(found, []);
});

Deno.test("each call that a text names is one of a tool with such arguments", async () => {
  const wrong: string[] = [];
  let count = 0;
  for (const { path, text } of await readSourceFiles("src")) {
    if (path === "src/base/text/words.ts") continue;
    const calls = text.matchAll(/\$\{\s*(?:tool|call|use)\(\s*"(\w+)"(?:,\s*\{([^}]*)\})?/g);
    for (const [whole, name, args = ""] of calls) {
      count++;
      const row = TOOLS.find((one) => one.name === name);
      const known = row === undefined ? [] : Object.keys(buildInputSchema(row).properties ?? {});
      const sent = args.split(",").flatMap((pair) => /^\s*(\w+)/.exec(pair)?.[1] ?? []);
      if (row === undefined || sent.some((one) => !known.includes(one))) {
        wrong.push(`${path}: ${whole}`);
      }
    }
  }
  deepEqual(wrong, []);
  ok(count > 50, `${count} calls`);
});

Deno.test("what is to be sent again is said by SAME_CALL, because a person runs a command", async () => {
  const found: string[] = [];
  for (const { path, text } of await readSourceFiles("src")) {
    if (path === "src/base/text/words.ts" || path.startsWith("src/mcp/")) continue;
    const texts = text.replaceAll(/\/\*[\s\S]*?\*\//g, "").replaceAll(/^\s*\/\/.*$/gm, "");
    const [hit] = /(?:send (?:the|the same) call|then call) again/i.exec(texts) ?? [];
    if (hit !== undefined) found.push(`${path}: ${hit}`);
  }
  deepEqual(found, []);
});

Deno.test("each tool has a command that exists, for texts at a terminal", () => {
  deepEqual(TOOLS.filter(({ name }) => COMMANDS_OF_TOOLS[name] === undefined), []);
  const names = COMMANDS.map(({ name }) => name);
  deepEqual(Object.values(COMMANDS_OF_TOOLS).filter((name) => !names.includes(name)), []);
});
