/** What `context.yml` asks for and the project does not have: such a key has no effect. */
import { join } from "node:path";
import type { ContextSettings } from "../base/settings/config.ts";
import { DEFAULT_CONTEXT } from "../base/settings/config.ts";
import { listOwnFolder } from "../base/files/own_folder.ts";
import type { Problem } from "../base/problem.ts";
import { toProblem } from "../base/problem.ts";
import { toSuggestion } from "../base/text/nearest.ts";
import { findDocuments } from "./doc_research.ts";
import { findRules } from "./project_rules.ts";

const FILE = ".code-intel/context.yml";

/** The problem of each key that has no effect, with the key as its place. */
export async function listUnmet(
  place: { readonly projectRoot: string; readonly codeIntelDir: string },
  values: ContextSettings,
): Promise<readonly Problem[]> {
  const { projectRoot, codeIntelDir } = place;
  const [documents, prompts] = await Promise.all([
    findDocuments(projectRoot, values),
    checkPrompts(join(codeIntelDir, "doc_research"), values.doc_research.default_prompts),
  ]);
  const { source } = values.project_rules;
  const rules = source === null ? [] : findRules(projectRoot, source).problems;
  return [...rules, ...documents.problems, ...prompts];
}

/** Prompts that no file of the folder is; the built-in name needs none. */
async function checkPrompts(
  folder: string,
  names: readonly string[],
): Promise<readonly Problem[]> {
  const builtIn = DEFAULT_CONTEXT.doc_research.default_prompts;
  const entries = await listOwnFolder(folder).catch(() => []);
  const known = entries.filter(({ isFile, name }) => isFile && name.endsWith(".md"))
    .map(({ name }) => name).sort();
  return names.flatMap((name, index) => {
    const file = `${name.replace(/\.md$/, "")}.md`;
    if (known.includes(file) || builtIn.includes(file)) return [];
    return [
      toProblem("unknown_prompt", `There is no prompt "${name}" in .code-intel/doc_research/`, {
        at: `doc_research.default_prompts[${index}]`,
        path: FILE,
        hint: known.length === 0
          ? "Write the file, or take the name out of .code-intel/context.yml."
          : `Its prompts are ${known.join(", ")}.${toSuggestion(file, known)}`,
      }),
    ];
  });
}
