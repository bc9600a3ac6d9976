/** Finds the project's prompt files for a stage. A missing file never skips a step. */
import { dirname, join } from "node:path";
import type { Problem } from "../../base/problem.ts";
import { makeProblem } from "../../base/problem.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import { formatSuggestion } from "../../base/text/nearest.ts";
import { listOwnFolder } from "../../base/files/own_folder.ts";
import { findRegularFile, readRegularText } from "../../base/files/regular_file.ts";
import { parseRepoPath } from "../../base/repo_path.ts";
import type { GuidingText } from "../../evidence/runs/trust.ts";
import type { SessionState } from "../../phase/state.ts";
import type { Stage } from "../../phase/table/phases.ts";
import { PHASES, STAGES } from "../../phase/table/phases.ts";
import { hasFailedRun } from "../../phase/trailer.ts";

/** What the project's settings say about its prompts. */
export interface PromptSettings {
  /** Folder of the prompts of step 16, below `.code-intel/`. */
  readonly interventionsDir: string;
  /** Patterns that choose the prompt for a failure; the first that fits is used. */
  readonly patterns: readonly InterventionPattern[];
  /** Prompts of step 3 where the call names none. */
  readonly documentPrompts: readonly string[];
}

/** The prompts for one kind of failure. */
export interface InterventionPattern {
  /**
   * A regular expression, or a plain text where it is no valid expression; it is searched in what
   * is recorded about the failure.
   */
  readonly pattern: string;
  readonly prompts: readonly string[];
  /** Fewest failures of a task for which the row counts. */
  readonly threshold: number;
}

/** The parts of the state that prompts depend on. */
export type PromptPlace = Pick<
  SessionState,
  | "stage"
  | "docResearchPrompts"
  | "revertReason"
  | "verification"
  | "tasks"
  | "escalation"
  | "fixedVerify"
>;

const MAX_NAMES = 20;
const INTERVENTIONS = "interventions";
const DOC_RESEARCH = "doc_research";
/** What belongs to a question that waits for the user, at whatever stage it came up. */
const ESCALATION = ["user_escalation.md"];

/** Paths relative to the project of the prompts for a stage, sorted. */
export async function listPrompts(
  codeIntelDir: string,
  place: PromptPlace,
  settings: PromptSettings,
): Promise<readonly string[]> {
  const found: string[] = [];
  const own = place.escalation === null ? PHASES[place.stage].prompts ?? [] : ESCALATION;
  for (const name of own) {
    if (name.endsWith(".md")) {
      const path = join(codeIntelDir, name);
      const bounds = { within: dirname(codeIntelDir), maxBytes: LIMITS.fileBytes.value };
      if (findRegularFile(path, bounds).kind === "found") found.push(`.code-intel/${name}`);
      continue;
    }
    const folder = name === INTERVENTIONS ? chooseFolder(codeIntelDir, settings) : name;
    found.push(...chooseFrom(await listFolder(codeIntelDir, folder), place, settings));
  }
  return found.sort().slice(0, MAX_NAMES);
}

/** Paths relative to the project of every prompt that some stage may name, sorted. */
export async function listAllPrompts(
  codeIntelDir: string,
  settings: PromptSettings,
): Promise<readonly string[]> {
  const names = new Set([...STAGES.flatMap((stage) => PHASES[stage].prompts ?? []), ...ESCALATION]);
  const found = await Promise.all([...names].map((name) => {
    if (name.endsWith(".md")) return [`.code-intel/${name}`];
    return listFolder(
      codeIntelDir,
      name === INTERVENTIONS ? chooseFolder(codeIntelDir, settings) : name,
    );
  }));
  return found.flat().sort();
}

/** The texts of prompts; those that cannot be read are left out. */
export function readPrompts(
  projectRoot: string,
  paths: readonly string[],
): readonly GuidingText[] {
  const bounds = { within: projectRoot, maxBytes: LIMITS.fileBytes.value };
  return paths.flatMap((path) => {
    const text = readRegularText(join(projectRoot, path), bounds);
    return text === undefined ? [] : [{ path, name: "", text }];
  });
}

/** What is wrong with the prompts of the document research that the user named: there is no such file. */
export async function checkDocPrompts(
  codeIntelDir: string,
  names: readonly string[],
): Promise<readonly Problem[]> {
  if (names.length === 0) return [];
  const paths = await listFolder(codeIntelDir, DOC_RESEARCH);
  const known = paths.map((path) => path.slice(path.lastIndexOf("/") + 1, -".md".length)).sort();
  return names.filter((name) => !known.includes(name.replace(/\.md$/, ""))).map((name) =>
    makeProblem("unknown_prompt", `There is no prompt "${name}" in .code-intel/doc_research/`, {
      at: "flags.doc_research_prompts",
      hint: known.length === 0
        ? "The folder has none; leave the names out."
        : `Its prompts are ${known.slice(0, MAX_NAMES).join(", ")}.${
          formatSuggestion(name, known)
        }`,
    })
  );
}

/** The configured folder, unless it leads out of `.code-intel`. */
function chooseFolder(codeIntelDir: string, { interventionsDir }: PromptSettings): string {
  const parsed = parseRepoPath(codeIntelDir, interventionsDir);
  return parsed.kind === "path" ? parsed.path : INTERVENTIONS;
}

/** How the prompts in a folder are chosen at each stage. */
const CHOICES: Readonly<
  Partial<Record<Stage, (place: PromptPlace, settings: PromptSettings) => Choice>>
> = {
  DOCUMENT_RESEARCH: ({ docResearchPrompts }, { documentPrompts }) =>
    docResearchPrompts.length > 0
      ? { names: docResearchPrompts, isWord: true }
      : { names: documentPrompts, isWord: false },
  VERIFY_INTERVENTION: (place, { patterns }) => ({
    names: patterns.find((row) => fitsFailure(row, place))?.prompts ?? [],
    isWord: false,
  }),
};

interface Choice {
  /** Names with or without `.md`. */
  readonly names: readonly string[];
  /**
   * True where the user named the prompts: if none exists, none is used. Otherwise all prompts of
   * the folder are.
   */
  readonly isWord: boolean;
}

function chooseFrom(
  paths: readonly string[],
  place: PromptPlace,
  settings: PromptSettings,
): readonly string[] {
  if (place.stage === "POST_IMPL_VERIFY") return paths.filter((path) => helpsToVerify(path, place));
  const choice = CHOICES[place.stage]?.(place, settings);
  if (choice === undefined) return paths;
  const names = choice.names.map((name) => `/${name.replace(/\.md$/, "")}.md`);
  const chosen = paths.filter((path) => names.some((name) => path.endsWith(name)));
  return chosen.length > 0 || choice.isWord ? chosen : paths;
}

/** What is looked at in a browser. */
const WEB = /\.(?:html?|css|scss|sass|less|vue|svelte|astro|jsx|tsx|twig|erb|ejs|blade\.php)$/i;
/** What the built-in prompts of step 15 are for; all others are the user's, and always named. */
const VERIFIERS: Readonly<Record<string, "web" | "no command">> = {
  "html_css.md": "web",
  "backend.md": "no command",
  "generic.md": "no command",
};

/** Whether a prompt of step 15 is about what was changed; where no task says what that is, all are named. */
function helpsToVerify(path: string, { tasks, fixedVerify }: PromptPlace): boolean {
  const places = tasks.flatMap(({ checklist }) =>
    checklist.flatMap(({ evidence }) => evidence ?? [])
  );
  const purpose = VERIFIERS[path.slice(path.lastIndexOf("/") + 1)];
  if (purpose === undefined || places.length === 0) return true;
  return purpose === "web"
    ? places.some((place) => WEB.test(place.replace(/:[^:]*$/, "")))
    : (fixedVerify?.verify ?? []).length === 0;
}

/** Whether the pattern is found in the record of the failure, and the task failed often enough. */
export function fitsFailure(row: InterventionPattern, place: PromptPlace): boolean {
  const failures = Math.max(0, ...place.tasks.map(({ failureCount }) => failureCount));
  if (failures < row.threshold && place.tasks.length > 0) return false;
  const details = hasFailedRun(place) ? place.verification?.details ?? "" : "";
  const reasons = place.tasks.map(({ revertReason }) => revertReason ?? "");
  const text = [place.revertReason ?? "", details, ...reasons].join("\n").slice(0, MAX_TEXT_CHARS);
  const expression = parseExpression(row.pattern);
  return expression === null
    ? text.toLowerCase().includes(row.pattern.toLowerCase())
    : expression.test(text);
}

/**
 * Most characters that are searched: patterns come from the project, but the text of a failure may
 * be long.
 */
const MAX_TEXT_CHARS = 4_000;

function parseExpression(pattern: string): RegExp | null {
  try {
    return new RegExp(pattern, "i");
  } catch {
    return null;
  }
}

async function listFolder(codeIntelDir: string, folder: string): Promise<readonly string[]> {
  const names: string[] = [];
  try {
    for (const entry of await listOwnFolder(join(codeIntelDir, folder))) {
      if (entry.isFile && entry.name.endsWith(".md")) {
        names.push(`.code-intel/${folder}/${entry.name}`);
      }
    }
  } catch {
    // The folder may be missing.
  }
  return names;
}
