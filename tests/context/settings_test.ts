/** Both configuration files, read again only when they change. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { DEFAULT_CONFIG, DEFAULT_CONTEXT } from "../../src/base/settings/config.ts";
import { createSettingsReader, loadContext } from "../../src/context/settings.ts";
import { inTempFolder } from "../support/temp_folder.ts";

Deno.test("read() gives the built-in values without files, and sees each change of a file", () =>
  inTempFolder(async (codeIntelDir) => {
    const reader = createSettingsReader({ codeIntelDir, get: () => undefined });
    const first = await reader.read();
    deepEqual(first.config.values, DEFAULT_CONFIG);
    deepEqual(first.context, { values: DEFAULT_CONTEXT, warnings: [] });
    const path = join(codeIntelDir, "context.yml");
    await Deno.writeTextFile(path, "interventions:\n  threshold: 5 # more patience\n");
    const second = await reader.read();
    equal(second.context.values.interventions.threshold, 5);
    equal(second.config, first.config, "what did not change is not read again");
    equal((await reader.read()).context, second.context);
    await Deno.remove(path);
    deepEqual((await reader.read()).context.values, DEFAULT_CONTEXT);
  }));

Deno.test("loadContext() names faults by line and keeps what is right", () =>
  inTempFolder(async (codeIntelDir) => {
    const file = ".code-intel/context.yml";
    const rows: readonly (readonly [text: string, messages: readonly string[]])[] = [
      ["", []],
      ["# only a comment\n", []],
      [
        "doc_research:\n  enabled: perhaps\n",
        [
          `doc_research.enabled: Invalid input: expected boolean, received string (${file}, line 2, column 12)`,
        ],
      ],
      ["- a\n", [`The file is not a mapping of keys (${file}, line 1, column 1)`]],
      ["colour: red\n", [`Unknown key "colour" (${file}, line 1, column 9)`]],
    ];
    for (const [text, messages] of rows) {
      await Deno.writeTextFile(join(codeIntelDir, "context.yml"), text);
      const { warnings } = await loadContext(codeIntelDir);
      deepEqual(warnings.map(({ message }) => message), messages, text);
    }
  }));

Deno.test("loadContext() survives hostile files: broken, endless aliases, tags", () =>
  inTempFolder(async (codeIntelDir) => {
    const laughs = Array.from(
      { length: 12 },
      (_, n) => `a${n}: &a${n} [${n === 0 ? "x" : Array(10).fill(`*a${n - 1}`).join(", ")}]`,
    );
    for (const text of ["a: [1\nb: }", laughs.join("\n"), "a: !!js/function x", "\0"]) {
      await Deno.writeTextFile(join(codeIntelDir, "context.yml"), text);
      const { values, warnings } = await loadContext(codeIntelDir);
      deepEqual(values, DEFAULT_CONTEXT);
      ok(warnings.length > 0, text);
    }
  }));

Deno.test("loadContext() took minutes and gigabytes for large and deep files: both are named", () =>
  inTempFolder(async (codeIntelDir) => {
    const rows: readonly (readonly [text: string, message: RegExp])[] = [
      ["a".repeat(300_000), /Cannot use ".*context\.yml": it has 300000 bytes/],
      ["[".repeat(200_000), /too many levels/],
      ["- ".repeat(100_000), /too many levels/],
      [Array.from({ length: 100 }, (_, level) => `${" ".repeat(level)}a:`).join("\n"), /levels/],
      ["a: 1\nb: 2\na: 3\n", /Map keys must be unique \(.*line 3, column 1\)/],
    ];
    for (const [text, message] of rows) {
      await Deno.writeTextFile(join(codeIntelDir, "context.yml"), text);
      const { values, warnings } = await loadContext(codeIntelDir);
      deepEqual(values, DEFAULT_CONTEXT);
      match(String(warnings[0]?.message ?? ""), message);
    }
    // Keys are compared by a set: comparing each with each takes minutes for so many.
    const many = Array.from({ length: 15_000 }, (_, at) => `k${at}: 1`).join("\n");
    await Deno.writeTextFile(join(codeIntelDir, "context.yml"), many);
    equal((await loadContext(codeIntelDir)).warnings.length, 100);
  }));
