/** The project's configuration: the schemas of `config.json` and `context.yml`, and their defaults. */
import { join } from "node:path";
import * as z from "zod";
import { toIoError } from "./errors.ts";
import { parseJsonc } from "./jsonc.ts";
import { LIMITS } from "./limits.ts";
import type { Problem } from "./problem.ts";
import { toProblem } from "./problem.ts";

const TEXT = z.string().min(1).max(4096);
const TEXTS = z.array(TEXT).max(1000);
const WEIGHT = z.number().min(0).max(10);

const MAX_VERIFY_ROWS = 50;
const VERIFY = z.strictObject({
  name: TEXT,
  run: z.array(TEXT).min(1).max(200),
  paths: TEXTS.optional(),
  writes: TEXTS.optional(),
  timeout_s: z.number().positive().max(86_400).default(1800),
});

/** A result is told apart by the name of its command. */
function checkNames(rows: readonly { readonly name: string }[], context: z.RefinementCtx): void {
  rows.forEach(({ name }, index) => {
    if (rows.findIndex((row) => row.name === name) === index) return;
    context.addIssue({ code: "custom", path: [index, "name"], message: `"${name}" comes twice` });
  });
}

/** Every key of `config.json` with its check. */
export const CONFIG_SHAPE = {
  source_dirs: TEXTS,
  exclude_patterns: TEXTS,
  sync_ttl_hours: z.number().min(0).max(8760),
  sync_on_start: z.boolean(),
  chunk_max_tokens: z.number().int().min(64).max(8192),
  embedding_model: z.enum(["multilingual-e5-small", "none"]),
  chunk_strategy: z.enum(["ast"]),
  max_chunks: z.number().int().min(0).max(10_000_000),
  search_weights: z.strictObject({
    vector: WEIGHT.default(1),
    keyword: WEIGHT.default(1),
    definition: WEIGHT.default(1),
    reference: WEIGHT.default(1),
  }),
  verify: z.array(VERIFY).max(MAX_VERIFY_ROWS).superRefine(checkNames),
  verify_baseline: z.enum(["auto", "off"]),
  enforcement: z.enum(["strict", "warn", "off"]),
  snapshot_days: z.number().int().min(0).max(3650),
  max_snapshot_mb: z.number().positive().max(100_000),
} as const;

const SUMMARY = z.looseObject({
  path: TEXT,
  summary: z.string().max(20_000).default(""),
  content_hash: z.string().max(64).nullable().default(null),
  extra_notes: z.string().max(20_000).nullable().default(null),
});

/** Every key of `context.yml` that is read, with its check. */
export const CONTEXT_SHAPE = {
  project_rules: z.looseObject({
    source: TEXT.nullable().default(null),
    summary: z.string().max(20_000).nullable().default(null),
    content_hash: z.string().max(64).nullable().default(null),
    extra_notes: z.string().max(20_000).nullable().default(null),
  }),
  doc_research: z.looseObject({
    enabled: z.boolean().default(true),
    docs_path: z.union([TEXT.transform((path) => [path]), TEXTS]).default([]),
    default_prompts: TEXTS.default(["default.md"]),
    /** Summaries that `update_context` wrote, each with the hash of the document it was made of. */
    summaries: z.array(SUMMARY).max(200).default([]),
  }),
  /** Of earlier programs: read, never written. */
  essential_docs: z.looseObject({ summaries: z.array(SUMMARY).max(200).default([]) }),
  document_search: z.looseObject({
    include_patterns: TEXTS.default([]),
    exclude_patterns: TEXTS.default([]),
  }),
  interventions: z.looseObject({
    enabled: z.boolean().default(true),
    prompts_dir: TEXT.default("interventions"),
    threshold: z.number().int().min(1).max(100).default(LIMITS.verificationFailures.value),
    force_escalation_after: z.number().int().min(1).max(100).default(LIMITS.interventions.value),
    suggest_new_prompts: z.boolean().default(false),
    patterns: z.array(z.looseObject({
      pattern: TEXT,
      prompts: TEXTS.default([]),
      threshold: z.number().int().min(1).max(100).default(1),
    })).max(100).default([]),
  }),
  verifiers: z.looseObject({ suggest_improvements: z.boolean().default(false) }),
} as const;

const CONFIG = z.object(CONFIG_SHAPE);
const CONTEXT = z.object(CONTEXT_SHAPE);

/** The schema of `config.json` for editors; what has a default may be left out. */
export function toConfigSchema(): Readonly<Record<string, unknown>> {
  const schema = z.toJSONSchema(CONFIG.partial().extend({ $schema: z.string().optional() }), {
    io: "input",
    unrepresentable: "any",
  });
  return { ...schema, title: "code-intel: config.json", additionalProperties: false };
}

/** The values of `config.json`, by its own keys. */
export type ProjectConfig = Readonly<z.infer<typeof CONFIG>>;

/** The values of `context.yml`, by its own keys. */
export type ContextSettings = Readonly<z.infer<typeof CONTEXT>>;

/** What holds where `config.json` says nothing. */
export const DEFAULT_CONFIG: ProjectConfig = {
  source_dirs: [],
  exclude_patterns: [],
  sync_ttl_hours: 1,
  sync_on_start: true,
  chunk_max_tokens: 512,
  embedding_model: "multilingual-e5-small",
  chunk_strategy: "ast",
  max_chunks: 200_000,
  search_weights: { vector: 1, keyword: 1, definition: 1, reference: 1 },
  verify: [],
  verify_baseline: "auto",
  enforcement: "strict",
  snapshot_days: LIMITS.snapshotDays.value,
  max_snapshot_mb: LIMITS.snapshotFileMb.value,
};

/** What holds where `context.yml` says nothing. */
export const DEFAULT_CONTEXT: ContextSettings = {
  project_rules: CONTEXT_SHAPE.project_rules.parse({}),
  doc_research: CONTEXT_SHAPE.doc_research.parse({}),
  essential_docs: CONTEXT_SHAPE.essential_docs.parse({}),
  document_search: CONTEXT_SHAPE.document_search.parse({}),
  interventions: CONTEXT_SHAPE.interventions.parse({}),
  verifiers: CONTEXT_SHAPE.verifiers.parse({}),
};

/** Keys that stand in files of earlier programs or for editors, and that change nothing. */
const CONFIG_PASSED_OVER = ["version", "$schema"];
const CONTEXT_PASSED_OVER = ["version", "last_synced"];

/** Keys that a variable `CODE_INTEL_<KEY>` may set; the enforcement mode is never among them. */
export const OVERRIDABLE = [
  "sync_ttl_hours",
  "sync_on_start",
  "chunk_max_tokens",
  "embedding_model",
  "max_chunks",
  "verify_baseline",
  "snapshot_days",
  "max_snapshot_mb",
] as const satisfies readonly (keyof ProjectConfig)[];

/** Gives "line 3, column 5" of a member of the file. */
export type Locate = (path: readonly PropertyKey[]) => string;

/** Values that can be worked with, whatever the file holds. */
export interface Checked<T> {
  readonly values: T;
  /** What is wrong in the file; for each such key the default holds. */
  readonly warnings: readonly Problem[];
}

/** The configuration with the variables that changed it. */
export interface LoadedConfig extends Checked<ProjectConfig> {
  readonly overrides: readonly { readonly variable: string; readonly key: string }[];
}

/** Where the configuration comes from. */
export interface LoadConfigOptions {
  /** Value of a variable of the environment. */
  readonly get: (name: string) => string | undefined;
}

/** Reads `config.json` of a project; the built-in values hold for what is missing or wrong. */
export async function loadConfig(
  codeIntelDir: string,
  options: LoadConfigOptions,
): Promise<LoadedConfig> {
  const text = await readTextIfAny(join(codeIntelDir, "config.json"));
  const checked = text === undefined
    ? { values: DEFAULT_CONFIG, warnings: [] }
    : checkConfigText(text);
  return applyOverrides(checked, options);
}

/** Checks the text of `config.json`. */
export function checkConfigText(text: string): Checked<ProjectConfig> {
  const parsed = parseJsonc(text);
  const file = ".code-intel/config.json";
  if (parsed.kind === "fault") {
    const { line, column } = parsed.place;
    const where = `line ${line}, column ${column}`;
    return { values: DEFAULT_CONFIG, warnings: [toFault(file, parsed.message, { where, at: "" })] };
  }
  const locate: Locate = (path) => {
    const { line, column } = parsed.locate(path);
    return `line ${line}, column ${column}`;
  };
  return checkKeys(parsed.value, {
    file,
    shape: CONFIG_SHAPE,
    defaults: DEFAULT_CONFIG,
    passedOver: CONFIG_PASSED_OVER,
    locate,
  });
}

/** Checks the parsed value of `context.yml`; null stands for an empty file. */
export function checkContext(value: unknown, locate: Locate): Checked<ContextSettings> {
  return checkKeys(value ?? {}, {
    file: ".code-intel/context.yml",
    shape: CONTEXT_SHAPE,
    defaults: DEFAULT_CONTEXT,
    passedOver: CONTEXT_PASSED_OVER,
    locate,
  });
}

interface CheckOptions<T> {
  readonly file: string;
  readonly shape: { readonly [K in keyof T]: z.ZodType };
  readonly defaults: T;
  readonly passedOver: readonly string[];
  readonly locate: Locate;
}

/** Checks key by key, so that one mistake does not take the other keys with it. */
function checkKeys<T extends object>(value: unknown, options: CheckOptions<T>): Checked<T> {
  const { file, shape, defaults, passedOver, locate } = options;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    const fault = toFault(file, "The file is not a mapping of keys", { where: locate([]), at: "" });
    return { values: defaults, warnings: [fault] };
  }
  const values: Record<string, unknown> = Object.fromEntries(Object.entries(defaults));
  const warnings: Problem[] = [];
  for (const [key, member] of Object.entries(value)) {
    if (passedOver.includes(key)) continue;
    const schema = Object.hasOwn(shape, key) ? shape[key as keyof T] : undefined;
    if (schema === undefined) {
      const known = Object.keys(shape).join(", ");
      warnings.push(toFault(file, `Unknown key "${key}"`, {
        where: locate([key]),
        at: key,
        hint: `Remove it; known keys: ${known}.`,
      }));
      continue;
    }
    const parsed = schema.safeParse(member);
    if (parsed.success) values[key] = parsed.data;
    else {
      // A row that is wrong takes no other row with it.
      if (key === "verify" && Array.isArray(member)) values[key] = toGoodRows(member);
      for (const issue of parsed.error.issues) {
        const path = [key, ...issue.path];
        const at = path.map(String).join(".");
        warnings.push(toFault(file, `${at}: ${issue.message}`, { where: locate(path), at }));
      }
    }
  }
  return { values: values as T, warnings };
}

function toGoodRows(rows: readonly unknown[]): readonly z.infer<typeof VERIFY>[] {
  const good = new Map<string, z.infer<typeof VERIFY>>();
  for (const row of rows.slice(0, MAX_VERIFY_ROWS)) {
    const { success, data } = VERIFY.safeParse(row);
    if (success && !good.has(data.name)) good.set(data.name, data);
  }
  return [...good.values()];
}

function toFault(
  file: string,
  message: string,
  rest: { readonly where: string; readonly at: string; readonly hint?: string },
): Problem {
  return toProblem("config_invalid", `${message} (${file}, ${rest.where})`, {
    path: file,
    hint: rest.hint ?? "Correct the file; until then the built-in value holds.",
    ...(rest.at === "" ? {} : { at: rest.at }),
  });
}

function applyOverrides(
  checked: Checked<ProjectConfig>,
  { get }: LoadConfigOptions,
): LoadedConfig {
  const values: Record<string, unknown> = { ...checked.values };
  const warnings = [...checked.warnings];
  const overrides: { variable: string; key: string }[] = [];
  for (const key of OVERRIDABLE) {
    const variable = `CODE_INTEL_${key.toUpperCase()}`;
    const text = get(variable);
    if (text === undefined || text === "") continue;
    const parsed = CONFIG_SHAPE[key].safeParse(toScalar(text));
    if (parsed.success) {
      values[key] = parsed.data;
      overrides.push({ variable, key });
    } else {
      warnings.push(
        toProblem("config_invalid", `${variable}: ${parsed.error.issues[0]?.message}`, {
          at: variable,
          hint: `Correct or unset ${variable}; until then it is ignored.`,
        }),
      );
    }
  }
  return { values: values as ProjectConfig, warnings, overrides };
}

function toScalar(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The text of a file, or undefined where there is none. */
export async function readTextIfAny(path: string): Promise<string | undefined> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw toIoError(`read "${path}"`, error);
  }
}
