/**
 * Decides which texts of the project the server may say to an agent in its own name. A clone brings texts along, so each
 * of them waits for a person's word, by its content; the program's own templates need none.
 */
import { hasProgramFile, readProgramFile } from "../../base/program_files.ts";
import { formatCount } from "../../base/text/plain_text.ts";
import type { GuidingText, TrustedText } from "../../evidence/runs/trust.ts";
import type { WorkflowDeps } from "./deps.ts";

/** What a person does about texts that are left out. */
export const ALLOW_TEXTS = "a person reads and allows them with `code-intel trust`";

/** Where texts are looked up, and who allowed them. */
export type TextDeps = Pick<WorkflowDeps, "verification">;

/** The texts that may guide agents, in their order. */
export async function keepAllowed<T extends GuidingText>(
  { verification }: TextDeps,
  texts: readonly T[],
): Promise<readonly T[]> {
  const isOwn = await Promise.all(texts.map(isTemplate));
  const asked = texts.filter((_, at) => isOwn[at] !== true);
  if (asked.length === 0) return texts;
  const key = await verification.readRepositoryKey();
  const isTrusted = await verification.trust.areTextsTrusted(key, asked);
  const refused = new Set<GuidingText>(asked.filter((_, at) => isTrusted[at] !== true));
  return texts.filter((text) => !refused.has(text));
}

/** Remembers that these texts may guide agents in this repository. */
export async function allowTexts(
  { verification }: TextDeps,
  texts: readonly GuidingText[],
  by: TrustedText["by"],
): Promise<void> {
  if (texts.length === 0) return;
  await verification.trust.trustTexts(await verification.readRepositoryKey(), texts, by);
}

const templates = new Map<string, Promise<string | null>>();

/** Whether a file is still what `init` wrote: the program's own text. */
async function isTemplate({ path, name, text }: GuidingText): Promise<boolean> {
  if (name !== "") return false;
  const below = path.replace(/^\.code-intel\//, "");
  const reading = templates.get(below) ?? readTemplate(`templates/project/${below}`);
  templates.set(below, reading);
  return text.replaceAll("\r\n", "\n") === await reading;
}

async function readTemplate(name: string): Promise<string | null> {
  if (!await hasProgramFile(name)) return null;
  return new TextDecoder().decode(await readProgramFile(name));
}

/** How many texts of each kind are left out. */
export interface LeftOutTexts {
  readonly rules: number;
  readonly summaries: number;
  readonly prompts: number;
}

/**
 * The notice about texts that nobody allowed; empty where there are none.
 *
 * @param rulesFile the file with the project's own rules, which agents read in the place of a summary.
 */
export function formatLeftOutNotice(
  { rules, summaries, prompts }: LeftOutTexts,
  rulesFile: string | null,
): readonly string[] {
  const instead = rulesFile === null ? "" : ` (read ${rulesFile} itself)`;
  const parts = [
    ...(rules === 0 ? [] : [`what context.yml says of the rules${instead}`]),
    ...(summaries === 0
      ? []
      : [formatCount(summaries, "summary of a document", "summaries of documents")]),
    ...(prompts === 0 ? [] : [formatCount(prompts, "prompt file")]),
  ];
  return parts.length === 0 ? [] : [
    `Nobody allowed these texts of the repository to guide agents here, so they are left out: ${
      parts.join(", ")
    }; ${ALLOW_TEXTS}.`,
  ];
}
