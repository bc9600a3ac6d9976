/** The table of commands and how the first words name one. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { findCommand, listCommands } from "../../src/cli/commands.ts";
import { FEATURES } from "../../src/features/features.ts";

const COMMANDS = listCommands(FEATURES);

Deno.test("findCommand() takes two words before one and leaves the others", () => {
  const rows:
    readonly (readonly [words: readonly string[], name: string, rest: readonly string[]])[] = [
      [["serve"], "serve", []],
      [["text", "a", "b"], "text", ["a", "b"]],
      [["session", "start", "x"], "session start", ["x"]],
    ];
  for (const [words, name, rest] of rows) {
    const found = findCommand(words, COMMANDS);
    deepEqual([found?.entry.name, found?.rest], [name, rest]);
  }
  for (const words of [["session"], ["nothing"], [], ["toString"]]) {
    equal(findCommand(words, COMMANDS), null);
  }
});

Deno.test("command names and options are kebab-case and unique", async () => {
  equal(new Set(COMMANDS.map(({ name }) => name)).size, COMMANDS.length);
  for (const { name, load } of COMMANDS) {
    match(name, /^[a-z]+(-[a-z]+)*( [a-z]+)?$/);
    const names = (await load()).options.map((option) => option.name);
    equal(new Set(names).size, names.length, name);
    for (const option of names) match(option, /^[a-z]+(-[a-z]+)*$/);
  }
});
