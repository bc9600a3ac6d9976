/** What `context.yml` asks for and the project does not have: such a key has no effect. */
import { join } from "node:path";
import type { ContextSettings } from "../base/settings/config.ts";
import { DEFAULT_CONTEXT } from "../base/settings/config.ts";
import { listOwnFolder } from "../base/files/own_folder.ts";
import type { Problem } from "../base/problem.ts";
import { toProblem } from "../base/problem.ts";
import { parseRepoPath } from "../base/repo_path.ts";
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
  const research = values.doc_research;
  const [documents, prompts, failures] = await Promise.all([
    findDocuments(projectRoot, values),
    checkPrompts(research.default_prompts, {
      ...await readFolder(codeIntelDir, "doc_research"),
      builtIn: DEFAULT_CONTEXT.doc_research.default_prompts,
      at: "doc_research.default_prompts",
    }),
    checkInterventions(codeIntelDir, values.interventions),
  ]);
  const { source } = values.project_rules;
  const rules = source === null ? [] : findRules(projectRoot, source).problems;
  return [...rules, ...documents.problems, ...prompts, ...failures];
}

/** A folder of prompts, as the person may name them. */
interface PromptFolder {
  /** Below `.code-intel`. */
  readonly folder: string;
  /** Its prompts, sorted. */
  readonly known: readonly string[];
}

async function readFolder(codeIntelDir: string, folder: string): Promise<PromptFolder> {
  const entries = await listOwnFolder(join(codeIntelDir, folder)).catch(() => []);
  const known = entries.filter(({ isFile, name }) => isFile && name.endsWith(".md"))
    .map(({ name }) => name).sort();
  return { folder, known };
}

/** The prompts of step 16: their folder, and those that a row of failures names. */
async function checkInterventions(
  codeIntelDir: string,
  { enabled, prompts_dir: dir, patterns }: ContextSettings["interventions"],
): Promise<readonly Problem[]> {
  const isOwn = dir !== DEFAULT_CONTEXT.interventions.prompts_dir;
  if (!enabled || !isOwn && patterns.length === 0) return [];
  const parsed = parseRepoPath(codeIntelDir, dir);
  if (parsed.kind === "refused") return [toDirProblem(`"${dir}" lies outside .code-intel`)];
  const read = await readFolder(codeIntelDir, parsed.path);
  if (isOwn && read.known.length === 0) {
    return [toDirProblem(`.code-intel/${parsed.path}/ has no prompt: step 16 goes without`)];
  }
  return patterns.flatMap(({ prompts }, row) =>
    checkPrompts(prompts, { ...read, builtIn: [], at: `interventions.patterns[${row}].prompts` })
  );
}

function toDirProblem(message: string): Problem {
  return toProblem("path_not_found", message, {
    at: "interventions.prompts_dir",
    path: FILE,
    hint: "Name a folder below .code-intel that holds prompts (*.md), or take the key out.",
  });
}

/** Prompts that no file of the folder is; the built-in names need none. */
function checkPrompts(
  names: readonly string[],
  { folder, known, builtIn, at }: PromptFolder & {
    readonly builtIn: readonly string[];
    readonly at: string;
  },
): readonly Problem[] {
  return names.flatMap((name, index) => {
    const file = `${name.replace(/\.md$/, "")}.md`;
    if (known.includes(file) || builtIn.includes(file)) return [];
    return [
      toProblem("unknown_prompt", `There is no prompt "${name}" in .code-intel/${folder}/`, {
        at: `${at}[${index}]`,
        path: FILE,
        hint: known.length === 0
          ? "Write the file, or take the name out of .code-intel/context.yml."
          : `Its prompts are ${known.join(", ")}.${toSuggestion(file, known)}`,
      }),
    ];
  });
}
