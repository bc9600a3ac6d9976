/** Keys of `context.yml` that have no effect: which are told, and which are not. */
import { deepStrictEqual as deepEqual, match } from "node:assert/strict";
import { join } from "node:path";
import { DEFAULT_CONTEXT } from "../../src/base/settings/config.ts";
import { listUnmet } from "../../src/context/mod.ts";

async function tell(
  files: readonly string[],
  said: {
    readonly docs?: readonly string[];
    readonly prompts?: readonly string[];
    readonly rules?: string;
  },
) {
  const projectRoot = await Deno.makeTempDir({ prefix: "code-intel-unmet-" });
  const codeIntelDir = join(projectRoot, ".code-intel");
  await Deno.mkdir(join(codeIntelDir, "doc_research"), { recursive: true });
  for (const path of files) await Deno.writeTextFile(join(projectRoot, path), "# x\n");
  const research = DEFAULT_CONTEXT.doc_research;
  return await listUnmet({ projectRoot, codeIntelDir }, {
    ...DEFAULT_CONTEXT,
    project_rules: { ...DEFAULT_CONTEXT.project_rules, source: said.rules ?? null },
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
