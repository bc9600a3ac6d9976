/** Both configuration files, read again only when they change. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import type { ContextSettings } from "../../src/base/settings/config_keys.ts";
import { DEFAULT_CONFIG, DEFAULT_CONTEXT } from "../../src/base/settings/config.ts";
import { createSettingsReader, listUnmet, loadContext } from "../../src/context/settings.ts";
import { inTempFolder } from "../support/temp_folder.ts";

async function tell(
  files: readonly string[],
  said: {
    readonly docs?: readonly string[];
    readonly prompts?: readonly string[];
    readonly rules?: string;
    readonly interventions?: Partial<ContextSettings["interventions"]>;
  },
) {
  const projectRoot = await Deno.makeTempDir({ prefix: "code-intel-unmet-" });
  const codeIntelDir = join(projectRoot, ".code-intel");
  await Deno.mkdir(join(codeIntelDir, "doc_research"), { recursive: true });
  await Deno.mkdir(join(codeIntelDir, "mine"));
  for (const path of files) await Deno.writeTextFile(join(projectRoot, path), "# x\n");
  const research = DEFAULT_CONTEXT.doc_research;
  return await listUnmet({ projectRoot, codeIntelDir }, {
    ...DEFAULT_CONTEXT,
    project_rules: { ...DEFAULT_CONTEXT.project_rules, source: said.rules ?? null },
    interventions: { ...DEFAULT_CONTEXT.interventions, ...said.interventions },
    doc_research: {
      ...research,
      docs_path: [...said.docs ?? []],
      default_prompts: [...said.prompts ?? research.default_prompts],
    },
  });
}

Deno.test("listUnmet() names each path and prompt that is not there, by its key", async () => {
  const problems = await tell([".code-intel/doc_research/style.md"], {
    docs: ["handbook"],
    prompts: ["style", "stlye.md"],
    rules: "RULES.md",
  });
  deepEqual(problems.map(({ code, at }) => `${code} ${at}`), [
    "path_not_found project_rules.source",
    "path_not_found doc_research.docs_path[0]",
    "unknown_prompt doc_research.default_prompts[1]",
  ]);
  match(String(problems[2]?.hint), /style\.md/);
});

Deno.test("listUnmet() is silent about what is there, and about what is built in", async () => {
  deepEqual(await tell([], {}), []);
  const there = await tell(["a.md", "RULES.md", ".code-intel/doc_research/style.md"], {
    docs: ["a.md"],
    prompts: ["style", "default"],
    rules: "RULES.md",
  });
  deepEqual(there, []);
});

Deno.test("listUnmet() tells of prompts of step 16 that are not there: the folder, and each name of a row", async () => {
  const rows: readonly (readonly [dir: string, said: RegExp | null])[] = [
    ["interventions", null],
    ["interventionz", /\.code-intel\/interventionz\/ has no prompt: step 16 goes without/],
    ["mine", /\.code-intel\/mine\/ has no prompt/],
    ["../docs", /"\.\.\/docs" lies outside \.code-intel/],
  ];
  for (const [dir, said] of rows) {
    const [problem, ...others] = await tell([], { interventions: { prompts_dir: dir } });
    deepEqual(others, []);
    deepEqual(problem?.at, said === null ? undefined : "interventions.prompts_dir");
    if (said !== null) match(String(problem?.message), said);
  }
  const interventions = {
    prompts_dir: "mine",
    patterns: [{ pattern: "Timeout", prompts: ["slow", "slwo"], threshold: 1 }],
  };
  const named = await tell([".code-intel/mine/slow.md"], { interventions });
  deepEqual(named.map(({ at }) => at), ["interventions.patterns[0].prompts[1]"]);
  deepEqual(await tell([], { interventions: { prompts_dir: "mine", enabled: false } }), []);
});

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
