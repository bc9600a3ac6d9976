/** Keys of `context.yml` that have no effect: which are told, and which are not. */
import { deepStrictEqual as deepEqual, match } from "node:assert/strict";
import { join } from "node:path";
import type { ContextSettings } from "../../src/base/settings/config.ts";
import { DEFAULT_CONTEXT } from "../../src/base/settings/config.ts";
import { listUnmet } from "../../src/context/settings.ts";

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
