/** The project's configuration: the schemas of `config.json` and `context.yml`, and their defaults. */
import { STEP } from "../steps.ts";
import { join } from "node:path";
import * as z from "zod";
import type { Checked, Locate } from "./config_check.ts";
import { checkKeys, makeFault } from "./config_check.ts";
import { readControlFile } from "../files/control_file.ts";
import { parseJsonc } from "../text/jsonc.ts";
import { LIMITS } from "./limits.ts";
import { makeProblem } from "../problem.ts";

const TEXT = z.string().min(1).max(4096);
const TEXTS = z.array(TEXT).max(1000);
const WEIGHT = z.number().min(0).max(10);

const MAX_VERIFY_ROWS = 50;
const VERIFY = z.strictObject({
  name: TEXT.describe("How the command is called in replies"),
  run: z.array(TEXT).min(1).max(200).describe("Program and arguments; no shell"),
  paths: TEXTS.optional().describe("Globs: runs only when one of these changed"),
  writes: TEXTS.optional().describe("Globs: what the command itself may write"),
  timeout_s: z.number().positive().max(86_400).default(1800).describe("Longest run, in seconds"),
});

/** A result is distinguished by the name of its command. */
function checkNames(rows: readonly { readonly name: string }[], context: z.RefinementCtx): void {
  rows.forEach(({ name }, index) => {
    if (rows.findIndex((row) => row.name === name) === index) return;
    context.addIssue({ code: "custom", path: [index, "name"], message: `"${name}" comes twice` });
  });
}

/** Every key of `config.json` with its check, and what it means, for editors and `docs/configuration.md`. */
export const CONFIG_SHAPE = {
  source_dirs: TEXTS.describe("Folders that are indexed; empty: the whole project"),
  exclude_patterns: TEXTS.describe("Globs that are left out of the index"),
  scip_indexes: TEXTS.describe(
    "SCIP index files of the languages' own indexers, whose paths begin in their folder",
  ),
  share_remote: z.string().max(4096)
    .describe(
      "Remote of the repository that analyses are pulled from at a start, such as origin; empty: none (docs/sharing.md)",
    ),
  sync_ttl_hours: z.number().min(0).max(8760)
    .describe("After how many hours every file is read again, whatever its time and size say"),
  sync_on_start: z.boolean().describe("Bring the index up to date when the server starts"),
  chunk_max_tokens: z.number().int().min(64).max(8192)
    .describe("Largest piece of code that is indexed as one"),
  embedding_model: z.enum(["auto", "multilingual-e5-small", "none"])
    .describe(
      "When the embedding model is asked: auto, for questions in a language that no table puts into English; multilingual-e5-small, for every question in words (some 300 MB, and minutes of a processor for its vectors); none, never",
    ),
  max_chunks: z.number().int().min(0).max(10_000_000)
    .describe(
      "Most pieces with a vector of their whole text, beside those of digests; 0: none; those beyond are found by digests and words",
    ),
  search_weights: z.strictObject({
    vector: WEIGHT.default(1).describe("Nearness of meaning"),
    keyword: WEIGHT.default(1).describe("Words"),
    definition: WEIGHT.default(1).describe("Definitions of names in the question"),
    reference: WEIGHT.default(1).describe("Uses of these names"),
  }).describe("Factors of the ranking, each 0 to 10"),
  verify: z.array(VERIFY).max(MAX_VERIFY_ROWS).superRefine(checkNames)
    .describe(
      `Commands that the server runs at ${STEP.POST_IMPL_VERIFY}; a person allows them first`,
    ),
  verify_baseline: z.enum(["auto", "off"])
    .describe("Run them once on the untouched tree: tests that fail there do not count"),
  verify_checkout: z.enum(["auto", "off"])
    .describe(
      "Run them in a clean checkout of what is to be committed, where that works; off: in the worktree",
    ),
  verify_lend: TEXTS
    .describe(
      "Ignored folders that are lent to that checkout, by name anywhere or by path: installed dependencies",
    ),
  attest: z.enum(["auto", "signed", "off"])
    .describe(
      "Keep a statement about each commit of a session as a git note: signed where git has a key, only then, never",
    ),
  enforcement: z.enum(["strict", "warn", "off"])
    .describe("What a change outside the rules does: block, tell, nothing"),
  snapshot_days: z.number().int().min(0).max(3650)
    .describe("Days that the snapshots of an ended session are kept"),
  max_snapshot_mb: z.number().positive().max(100_000)
    .describe("Untracked files above this size, in MiB, are recorded by hash only"),
} as const;

const SUMMARY = z.looseObject({
  path: TEXT.describe("The document"),
  summary: z.string().max(20_000).default("").describe("Its rules in short"),
  content_hash: z.string().max(64).nullable().default(null)
    .describe("What the document was when it was summed up"),
  extra_notes: z.string().max(20_000).nullable().default(null)
    .describe("Yours; no update touches it"),
});

/** Every key of `context.yml` that is read, with its check and meaning. */
export const CONTEXT_SHAPE = {
  project_rules: z.looseObject({
    source: TEXT.nullable().default(null).describe("File with the rules for all work"),
    summary: z.string().max(20_000).nullable().default(null)
      .describe("Written by update_context, shown at each start"),
    content_hash: z.string().max(64).nullable().default(null)
      .describe("What the file was when it was summed up"),
    extra_notes: z.string().max(20_000).nullable().default(null)
      .describe("Yours; shown at each start, and no update touches it"),
  }),
  doc_research: z.looseObject({
    enabled: z.boolean().default(true).describe(
      `false: ${STEP.DOCUMENT_RESEARCH} needs no documents`,
    ),
    docs_path: z.union([TEXT.transform((path) => [path]), TEXTS]).default([])
      .describe("Where documents are"),
    default_prompts: TEXTS.default(["default.md"])
      .describe(`Prompts of .code-intel/doc_research/ for ${STEP.DOCUMENT_RESEARCH}`),
    /** Summaries that `update_context` wrote, each with the hash of the document it was made of. */
    summaries: z.array(SUMMARY).max(200).default([]).describe("Written by update_context"),
  }),
  /** Of earlier programs: read, never written. */
  essential_docs: z.looseObject({
    summaries: z.array(SUMMARY).max(200).default([])
      .describe("Of earlier programs: read, never written"),
  }),
  document_search: z.looseObject({
    include_patterns: TEXTS.default([]).describe("Globs of documents; empty: all"),
    exclude_patterns: TEXTS.default([]).describe("Globs of files that are no documents"),
  }),
  interventions: z.looseObject({
    enabled: z.boolean().default(true).describe(`false: ${STEP.VERIFY_INTERVENTION} is skipped`),
    prompts_dir: TEXT.default("interventions").describe(
      `Folder of the prompts of ${STEP.VERIFY_INTERVENTION}`,
    ),
    threshold: z.number().int().min(1).max(100).default(LIMITS.verificationFailures.value)
      .describe(`Failures of a task before ${STEP.VERIFY_INTERVENTION}`),
    force_escalation_after: z.number().int().min(1).max(100).default(LIMITS.interventions.value)
      .describe(`Visits of ${STEP.VERIFY_INTERVENTION} before the person is asked`),
    suggest_new_prompts: z.boolean().default(false)
      .describe(
        `Ask for better prompts at ${STEP.VERIFY_INTERVENTION}; they go to logs/suggestions.md`,
      ),
    patterns: z.array(z.looseObject({
      pattern: TEXT.describe("Regular expression over what failed"),
      prompts: TEXTS.default([]).describe("Prompts for it"),
      threshold: z.number().int().min(1).max(100).default(1)
        .describe("From how many failures on"),
    })).max(100).default([]).describe("Which prompt for which failure"),
  }),
  mutants: z.looseObject({
    when: z.enum(["high", "always", "never"]).default("high")
      .describe(
        `Try small wrong versions of the changed lines at ${STEP.POST_IMPL_VERIFY}, each of which a test should notice: where risk is HIGH, always, never`,
      ),
    seconds: z.number().int().min(1).max(86_400).default(LIMITS.mutantSeconds.value)
      .describe("Longest trial, in seconds"),
    gate: z.boolean().default(false)
      .describe("true: the work goes back for a test of each that none notices, or a reason"),
  }),
  verifiers: z.looseObject({
    suggest_improvements: z.boolean().default(false)
      .describe(`Ask for better verifier prompts at ${STEP.POST_IMPL_VERIFY}`),
  }),
  coverage: z.looseObject({
    changed_lines: z.number().min(0).max(1).nullable().default(null)
      .describe(
        `Least share of the changed lines that the commands of ${STEP.POST_IMPL_VERIFY} have to run; null: none`,
      ),
    files: TEXTS.default([])
      .describe(
        "Coverage files that the commands write, or folders of them, beside the usual places",
      ),
    node: z.boolean().default(true)
      .describe("false: Node is not asked to count lines (NODE_V8_COVERAGE) in test commands"),
  }),
  runs: z.union([z.enum(["on", "off"]), z.boolean().transform((isOn) => isOn ? "on" : "off")])
    .default("off")
    .describe(
      "on: the run of the tests at the start of a session records which test runs which function; it takes up to 1.5 times as long",
    ),
} as const;

const CONFIG = z.object(CONFIG_SHAPE);
const CONTEXT = z.object(CONTEXT_SHAPE);

/** The schema of `config.json` for editors; what has a default may be left out. */
export function buildConfigSchema(): Readonly<Record<string, unknown>> {
  const schema = z.toJSONSchema(CONFIG.partial().extend({ $schema: z.string().optional() }), {
    io: "input",
    unrepresentable: "any",
  });
  const properties = schema.properties as Readonly<Record<string, object>>;
  const withDefaults = Object.entries(properties).map(([key, property]) => {
    const value = (DEFAULT_CONFIG as Readonly<Record<string, unknown>>)[key];
    return [key, value === undefined ? property : { ...property, default: value }];
  });
  return {
    ...schema,
    title: "code-intel: config.json",
    properties: Object.fromEntries(withDefaults),
    additionalProperties: false,
  };
}

/** The schema of `context.yml`, for its page. */
export function buildContextSchema(): Readonly<Record<string, unknown>> {
  return z.toJSONSchema(CONTEXT, { io: "input", unrepresentable: "any" });
}

/** The values of `config.json`, by its own keys. */
export type ProjectConfig = Readonly<z.infer<typeof CONFIG>>;

/** The values of `context.yml`, by its own keys. */
export type ContextSettings = Readonly<z.infer<typeof CONTEXT>>;

/** What holds where `config.json` says nothing. */
export const DEFAULT_CONFIG: ProjectConfig = {
  source_dirs: [],
  exclude_patterns: [],
  scip_indexes: ["index.scip"],
  share_remote: "",
  sync_ttl_hours: 1,
  sync_on_start: true,
  chunk_max_tokens: 512,
  embedding_model: "auto",
  max_chunks: 200_000,
  search_weights: { vector: 1, keyword: 1, definition: 1, reference: 1 },
  verify: [],
  verify_baseline: "auto",
  verify_checkout: "auto",
  verify_lend: [
    "node_modules",
    ".venv",
    "venv",
    "vendor",
    "target",
    "deps",
    ".bundle",
    ".dart_tool",
    "Pods",
    "bower_components",
    "elm-stuff",
  ],
  attest: "auto",
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
  mutants: CONTEXT_SHAPE.mutants.parse({}),
  verifiers: CONTEXT_SHAPE.verifiers.parse({}),
  coverage: CONTEXT_SHAPE.coverage.parse({}),
  runs: "off",
};

/** Keys that stand in files of earlier programs or for editors, and that change nothing. */
const CONFIG_PASSED_OVER = ["version", "$schema"];
const CONTEXT_PASSED_OVER = ["version", "last_synced"];

/** Keys that a variable `CODE_INTEL_<KEY>` may set; the enforcement mode is never among them. */
export const OVERRIDABLE = [
  "share_remote",
  "sync_ttl_hours",
  "sync_on_start",
  "chunk_max_tokens",
  "embedding_model",
  "max_chunks",
  "verify_baseline",
  "verify_checkout",
  "snapshot_days",
  "max_snapshot_mb",
] as const satisfies readonly (keyof ProjectConfig)[];

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
export function loadConfig(codeIntelDir: string, options: LoadConfigOptions): LoadedConfig {
  const reading = readControlFile(join(codeIntelDir, "config.json"), "config");
  const checked = reading.kind === "text"
    ? checkConfigText(reading.text)
    : { values: DEFAULT_CONFIG, warnings: reading.kind === "absent" ? [] : [reading.problem] };
  return applyOverrides(checked, options);
}

/** Checks the text of `config.json`. */
export function checkConfigText(text: string): Checked<ProjectConfig> {
  const parsed = parseJsonc(text);
  const file = ".code-intel/config.json";
  if (parsed.kind === "fault") {
    const { line, column } = parsed.place;
    const where = `line ${line}, column ${column}`;
    return {
      values: DEFAULT_CONFIG,
      warnings: [makeFault(parsed.message, { file, where, at: "" })],
    };
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
    // A row that is wrong takes no other row with it.
    rescue: (key, member) =>
      key === "verify" && Array.isArray(member) ? keepGoodRows(member) : undefined,
  });
}

/** Checks the parsed value of `context.yml`; null stands for an empty file. */
export function checkContext(value: unknown, locate: Locate): Checked<ContextSettings> {
  return checkKeys(value ?? {}, {
    file: ".code-intel/context.yml",
    shape: CONTEXT_SHAPE,
    defaults: DEFAULT_CONTEXT,
    passedOver: CONTEXT_PASSED_OVER,
    foreign: ["essential_docs"],
    locate,
  });
}

function keepGoodRows(rows: readonly unknown[]): readonly z.infer<typeof VERIFY>[] {
  const good = new Map<string, z.infer<typeof VERIFY>>();
  for (const row of rows.slice(0, MAX_VERIFY_ROWS)) {
    const { success, data } = VERIFY.safeParse(row);
    if (success && !good.has(data.name)) good.set(data.name, data);
  }
  return [...good.values()];
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
    const parsed = CONFIG_SHAPE[key].safeParse(parseScalar(text));
    if (parsed.success) {
      values[key] = parsed.data;
      overrides.push({ variable, key });
    } else {
      warnings.push(
        makeProblem("config_invalid", `${variable}: ${parsed.error.issues[0]?.message}`, {
          at: variable,
          hint: `Correct or unset ${variable}; until then it is ignored.`,
        }),
      );
    }
  }
  return { values: values as ProjectConfig, warnings, overrides };
}

function parseScalar(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
