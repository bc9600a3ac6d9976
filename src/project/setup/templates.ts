/** Reads the templates that `init` writes: files of the program, below `templates/`. */
import { invariant } from "../../base/errors.ts";
import { readProgramFile } from "../../base/program_files.ts";
import type { SkillText } from "../../clients/setup.ts";

/** Prompts and rules below `.code-intel/`, each a template of the same name. */
export const PROJECT_TEMPLATES = [
  "agreements/README.md",
  "doc_research/default.md",
  "interventions/hypothesis_review.md",
  "interventions/step_back.md",
  "interventions/structure_review.md",
  "phase_contract.yml",
  "review_prompts/garbage_detection.md",
  "review_prompts/quality_review.md",
  "task_planning.md",
  "user_escalation.md",
  "verifiers/backend.md",
  "verifiers/generic.md",
  "verifiers/html_css.md",
] as const;

/** The skills that both clients get. */
export const SKILLS = ["code", "exp", "outcome"] as const;

/** Every text that a set-up is made of. */
export interface Templates {
  /** By name below `.code-intel/`. */
  readonly project: Readonly<Record<string, string>>;
  readonly skills: readonly SkillText[];
  /** The blocks for the instruction files of Claude Code and of Codex. */
  readonly claudeBlock: string;
  readonly agentsBlock: string;
  /** The block for one file that both clients read. */
  readonly sharedBlock: string;
}

/** Reads all templates. */
export async function loadTemplates(): Promise<Templates> {
  const [project, skills, claudeBlock, agentsBlock, sharedBlock] = await Promise.all([
    Promise.all(PROJECT_TEMPLATES.map(async (name) => [name, await read(`project/${name}`)])),
    loadSkills(),
    read("blocks/claude.md"),
    read("blocks/agents.md"),
    read("blocks/both.md"),
  ]);
  return { project: Object.fromEntries(project), skills, claudeBlock, agentsBlock, sharedBlock };
}

/** Reads the skills alone. */
export async function loadSkills(): Promise<readonly SkillText[]> {
  return await Promise.all(SKILLS.map(async (name) => parseSkill(await read(`skills/${name}.md`))));
}

/** Reads a template of a skill: three lines of front matter, then the text. */
export function parseSkill(text: string): SkillText {
  const parts = /^---\nname: (.+)\ndescription: (.+)\nargument-hint: "(.+)"\n---\n\n([\s\S]+)$/
    .exec(text);
  invariant(parts !== null, "a template of a skill begins with name, description, argument-hint");
  const [, name = "", description = "", argumentHint = "", body = ""] = parts;
  return { name, description, argumentHint, body };
}

async function read(name: string): Promise<string> {
  return new TextDecoder().decode(await readProgramFile(`templates/${name}`));
}
