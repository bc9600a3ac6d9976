/** The project's configuration: reads `config.json`, checks `context.yml`, and holds the defaults of both. */
import { join } from "node:path";
import * as z from "zod";
import type { Checked, Locate } from "./config_check.ts";
import { checkKeys, makeFault } from "./config_check.ts";
import { readControlFile } from "../files/control_file.ts";
import { parseJsonc } from "../text/jsonc.ts";
import { LIMITS } from "./limits.ts";
import { makeProblem } from "../problem.ts";
import type { ContextSettings, ProjectConfig } from "./config_keys.ts";
import {
  buildObject,
  CONFIG_SHAPE,
  CONTEXT_SHAPE,
  MAX_VERIFY_ROWS,
  verifyRow,
} from "./config_keys.ts";

/** The schema of `config.json` for editors; what has a default may be left out. */
export function buildConfigSchema(): Readonly<Record<string, unknown>> {
  const schema = z.toJSONSchema(
    buildObject(CONFIG_SHAPE).partial().extend({ $schema: z.string().optional() }),
    {
      io: "input",
      unrepresentable: "any",
    },
  );
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
  return z.toJSONSchema(buildObject(CONTEXT_SHAPE), { io: "input", unrepresentable: "any" });
}

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

/** What holds where `context.yml` says nothing: the defaults of its checks, which a test holds against them. */
export const DEFAULT_CONTEXT: ContextSettings = {
  project_rules: { source: null, summary: null, content_hash: null, extra_notes: null },
  doc_research: { enabled: true, docs_path: [], default_prompts: ["default.md"], summaries: [] },
  essential_docs: { summaries: [] },
  document_search: { include_patterns: [], exclude_patterns: [] },
  interventions: {
    enabled: true,
    prompts_dir: "interventions",
    threshold: LIMITS.verificationFailures.value,
    force_escalation_after: LIMITS.interventions.value,
    suggest_new_prompts: false,
    patterns: [],
  },
  mutants: { when: "high", seconds: LIMITS.mutantSeconds.value, gate: false },
  verifiers: { suggest_improvements: false },
  coverage: { changed_lines: null, files: [], node: true },
  prove: { stop: "off", seconds: 60 },
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

function keepGoodRows(rows: readonly unknown[]): readonly z.infer<ReturnType<typeof verifyRow>>[] {
  const good = new Map<string, z.infer<ReturnType<typeof verifyRow>>>();
  for (const row of rows.slice(0, MAX_VERIFY_ROWS)) {
    const { success, data } = verifyRow().safeParse(row);
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
    const parsed = CONFIG_SHAPE[key]().safeParse(parseScalar(text));
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
