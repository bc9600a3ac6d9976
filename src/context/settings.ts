/** The settings of a project as they are now: both configuration files, read again when they change. */
import { STEP } from "../base/steps.ts";
import { join } from "node:path";
import type { LoadedConfig } from "../base/settings/config.ts";
import type { ContextSettings } from "../base/settings/config_keys.ts";
import { checkContext, DEFAULT_CONTEXT, loadConfig } from "../base/settings/config.ts";
import { listOwnFolder } from "../base/files/own_folder.ts";
import type { Problem } from "../base/problem.ts";
import { makeProblem } from "../base/problem.ts";
import { parseRepoPath } from "../base/repo_path.ts";
import { formatSuggestion } from "../base/text/nearest.ts";
import { findDocuments } from "./doc_research.ts";
import { findRules } from "./project_rules.ts";
import type { Checked } from "../base/settings/config_check.ts";
import { readStampText } from "../base/files/file_stamp.ts";
import { readControlFile } from "../base/files/control_file.ts";

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

/** A folder of prompts, as the user may name them. */
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
  if (parsed.kind === "refused") return [makeDirProblem(`"${dir}" lies outside .code-intel`)];
  const read = await readFolder(codeIntelDir, parsed.path);
  if (isOwn && read.known.length === 0) {
    return [
      makeDirProblem(
        `.code-intel/${parsed.path}/ has no prompt: ${STEP.VERIFY_INTERVENTION} goes without`,
      ),
    ];
  }
  return patterns.flatMap(({ prompts }, row) =>
    checkPrompts(prompts, { ...read, builtIn: [], at: `interventions.patterns[${row}].prompts` })
  );
}

function makeDirProblem(message: string): Problem {
  return makeProblem("path_not_found", message, {
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
      makeProblem("unknown_prompt", `There is no prompt "${name}" in .code-intel/${folder}/`, {
        at: `${at}[${index}]`,
        path: FILE,
        hint: known.length === 0
          ? "Write the file, or take the name out of .code-intel/context.yml."
          : `Its prompts are ${known.join(", ")}.${formatSuggestion(file, known)}`,
      }),
    ];
  });
}

/** Everything that a project sets. */
export interface Settings {
  readonly config: LoadedConfig;
  readonly context: Checked<ContextSettings>;
}

/** Gives the settings as the disk has them. */
export interface SettingsReader {
  read(): Promise<Settings>;
}

/** Where settings come from. */
export interface SettingsOptions {
  /** Absolute path of the project's `.code-intel` folder. */
  readonly codeIntelDir: string;
  /** Value of a variable of the environment. */
  readonly get: (name: string) => string | undefined;
}

/** Makes a reader that parses a file only when its time or size has changed. */
export function createSettingsReader(options: SettingsOptions): SettingsReader {
  const { codeIntelDir, get } = options;
  const config = cacheByStamp(
    join(codeIntelDir, "config.json"),
    () => Promise.resolve(loadConfig(codeIntelDir, { get })),
  );
  const context = cacheByStamp(
    join(codeIntelDir, "context.yml"),
    () => loadContext(codeIntelDir),
  );
  return {
    read: async () => ({ config: await config(), context: await context() }),
  };
}

/** Reads `context.yml`; the built-in values hold for what is missing or wrong. */
export async function loadContext(codeIntelDir: string): Promise<Checked<ContextSettings>> {
  const reading = readControlFile(join(codeIntelDir, "context.yml"), "context");
  if (reading.kind === "absent") return { values: DEFAULT_CONTEXT, warnings: [] };
  if (reading.kind === "unusable") return { values: DEFAULT_CONTEXT, warnings: [reading.problem] };
  const { LineCounter, parseBounded } = await import("./yaml.ts");
  const lines = new LineCounter();
  const document = parseBounded(reading.text, { lineCounter: lines, prettyErrors: false });
  const where = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `line ${line}, column ${col}`;
  };
  const file = ".code-intel/context.yml";
  const fault = (message: string) => ({
    values: DEFAULT_CONTEXT,
    warnings: [
      makeProblem("config_invalid", message, {
        path: file,
        hint: "Correct the file; until then the built-in values hold.",
      }),
    ],
  });
  const error = document.errors[0];
  if (error !== undefined) return fault(`${error.message} (${file}, ${where(error.pos[0])})`);
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 });
  } catch (cause) {
    return fault(`${cause instanceof Error ? cause.message : String(cause)} (${file})`);
  }
  return checkContext(value, (path) => where(findOffset(document, path)));
}

/** The nearest node at or above a path that has a place in the text. */
function findOffset(
  document: { getIn(path: Iterable<unknown>, keepScalar: boolean): unknown },
  path: readonly PropertyKey[],
): number {
  for (let length = path.length; length > 0; length--) {
    const node = document.getIn(path.slice(0, length), true);
    const range = typeof node === "object" && node !== null && "range" in node ? node.range : null;
    if (Array.isArray(range) && typeof range[0] === "number") return range[0];
  }
  return 0;
}

function cacheByStamp<T>(path: string, load: () => Promise<T>): () => Promise<T> {
  let cached: { readonly stamp: string | null; readonly value: T } | null = null;
  return async () => {
    // What is wrong with the file is said by the reading, each time.
    const stamp = readStampText(path);
    if (cached === null || cached.stamp !== stamp) cached = { stamp, value: await load() };
    return cached.value;
  };
}
