/** The configuration: every key checked, the built-in value where one is wrong, faults by their place. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import {
  buildConfigSchema,
  checkConfigText,
  checkContext,
  DEFAULT_CONFIG,
  DEFAULT_CONTEXT,
  loadConfig,
} from "../../../src/base/settings/config.ts";
import { buildObject, CONTEXT_SHAPE } from "../../../src/base/settings/config_keys.ts";

const NO_VARIABLES = { get: () => undefined };

/** The values that differ from the built-in ones, and the messages. */
function toShort(text: string): readonly [unknown, readonly string[]] {
  const { values, warnings } = checkConfigText(text);
  const changed = Object.entries(values).filter(([key, value]) =>
    JSON.stringify(value) !== JSON.stringify(DEFAULT_CONFIG[key as keyof typeof DEFAULT_CONFIG])
  );
  return [Object.fromEntries(changed), warnings.map(({ message }) => String(message))];
}

Deno.test("the built-in values are these", () => {
  deepEqual(DEFAULT_CONFIG, {
    source_dirs: [],
    exclude_patterns: [],
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
    snapshot_days: 14,
    max_snapshot_mb: 50,
    scip_indexes: ["index.scip"],
  });
  deepEqual(DEFAULT_CONTEXT, {
    project_rules: { source: null, summary: null, content_hash: null, extra_notes: null },
    doc_research: { enabled: true, docs_path: [], default_prompts: ["default.md"], summaries: [] },
    essential_docs: { summaries: [] },
    document_search: { include_patterns: [], exclude_patterns: [] },
    interventions: {
      enabled: true,
      prompts_dir: "interventions",
      threshold: 3,
      force_escalation_after: 2,
      suggest_new_prompts: false,
      patterns: [],
    },
    mutants: { when: "high", seconds: 60, gate: false },
    verifiers: { suggest_improvements: false },
    coverage: { changed_lines: null, files: [], node: true },
    prove: { stop: "off", seconds: 60 },
    runs: "off",
  });
  const sections = Object.entries(DEFAULT_CONTEXT).flatMap(([key, value]) =>
    typeof value === "object" ? [[key, {}]] : []
  );
  deepEqual(buildObject(CONTEXT_SHAPE).parse(Object.fromEntries(sections)), DEFAULT_CONTEXT);
});

Deno.test("checkConfigText() takes right values, comments included", () => {
  deepEqual(
    toShort('{ "version": "3.9", /* days */ "snapshot_days": 3, "max_snapshot_mb": 0.5, }'),
    [{ snapshot_days: 3, max_snapshot_mb: 0.5 }, []],
  );
  const verify = '{"verify": [{"name": "test", "run": ["npm", "test"], "paths": ["src/**"]}]}';
  deepEqual(toShort(verify), [
    {
      verify: [{ name: "test", run: ["npm", "test"], paths: ["src/**"], timeout_s: 1800 }],
    },
    [],
  ]);
});

Deno.test("checkConfigText() names wrong values and unknown keys by line, and keeps the rest", () => {
  const file = ".code-intel/config.json";
  const rows: readonly (readonly [text: string, values: object, messages: readonly string[]])[] = [
    [
      '{\n  "snapshot_days": "3",\n  "max_snapshot_mb": 7\n}',
      { max_snapshot_mb: 7 },
      [`snapshot_days: Invalid input: expected number, received string (${file}, line 2, column 3)`],
    ],
    [
      '{"search_weights": {"keywrd": 2}}',
      {},
      [`search_weights: Unrecognized key: "keywrd" (${file}, line 1, column 2)`],
    ],
    [
      '{"snapshot_day": 3}',
      {},
      [`Unknown key "snapshot_day" (${file}, line 1, column 2)`],
    ],
    ['{"toString": 1}', {}, [`Unknown key "toString" (${file}, line 1, column 2)`]],
    [
      '{"__proto__": {"enforcement": "off"}}',
      {},
      [`Unknown key "__proto__" (${file}, line 1, column 2)`],
    ],
    ["[]", {}, [`The file is not a mapping of keys (${file}, line 1, column 1)`]],
    [
      '{\n "verify": [\n  {"name": "a", "run": "npm test"}\n ]\n}',
      {},
      [
        `verify.0.run: Invalid input: expected array, received string (${file}, line 3, column 17)`,
      ],
    ],
    [
      '{"snapshot_days": -1}',
      {},
      [`snapshot_days: Too small: expected number to be >=0 (${file}, line 1, column 2)`],
    ],
  ];
  for (const [text, values, messages] of rows) deepEqual(toShort(text), [values, messages], text);
  const [values, [message]] = toShort('{"snapshot_days": 3');
  deepEqual(values, {});
  ok(message?.endsWith(`(${file}, line 1, column 20)`), message);
});

Deno.test("an unknown key is told with the one that was probably meant", () => {
  const hint = (text: string) => checkConfigText(text).warnings[0]?.hint ?? "";
  match(
    String(hint('{"snapshotDays": 3}')),
    /^Nothing reads "snapshotDays"\. Did you mean "snapshot_days"/,
  );
  match(String(hint('{"search_weights": {"keywrd": 2}}')), /Did you mean "keyword"\?/);
  match(
    String(hint('{"xyzzyxyzzy": 1}')),
    /^Nothing reads "xyzzyxyzzy"\. Known keys: source_dirs, /,
  );
});

Deno.test("buildConfigSchema() describes each key for editors, with its built-in value", () => {
  const { properties, additionalProperties } = buildConfigSchema() as {
    readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    readonly additionalProperties: boolean;
  };
  equal(additionalProperties, false);
  deepEqual(
    Object.keys(properties).filter((key) => key !== "$schema"),
    Object.keys(DEFAULT_CONFIG),
  );
  for (const [key, value] of Object.entries(DEFAULT_CONFIG)) {
    deepEqual(properties[key]?.["default"], value, key);
    match(String(properties[key]?.["description"]), /^[A-Z]/, key);
  }
});

Deno.test("checkConfigText() refuses a model that the binary does not have, by name of the key", () => {
  const { values, warnings } = checkConfigText('{"embedding_model":"ruri-v3-310m"}');
  deepEqual(values, DEFAULT_CONFIG);
  equal(warnings[0]?.code, "config_invalid");
  ok(warnings[0]?.hint);
});

Deno.test("checkConfigText() tells of a key of earlier versions that nothing reads it, and keeps the rest", () => {
  const { values, warnings } = checkConfigText('{"chunk_strategy":"ast","max_chunks":5}');
  deepEqual([values.max_chunks, warnings[0]?.code], [5, "config_unknown_key"]);
  match(String(warnings[0]?.hint), /^Nothing reads "chunk_strategy"/);
});

Deno.test("loadConfig() works without a file and obeys variables, but never for the enforcement", async () => {
  const folder = await Deno.makeTempDir();
  try {
    deepEqual(await loadConfig(folder, NO_VARIABLES), {
      values: DEFAULT_CONFIG,
      warnings: [],
      overrides: [],
    });
    await Deno.writeTextFile(join(folder, "config.json"), '{"snapshot_days": 3}');
    const variables: Record<string, string> = {
      CODE_INTEL_SNAPSHOT_DAYS: "5",
      CODE_INTEL_EMBEDDING_MODEL: "none",
      CODE_INTEL_MAX_SNAPSHOT_MB: "much",
      CODE_INTEL_SYNC_ON_START: "",
      CODE_INTEL_ENFORCEMENT: "off",
      CODE_INTEL_VERIFY: "[]",
    };
    const loaded = await loadConfig(folder, { get: (name) => variables[name] });
    deepEqual(loaded.values, { ...DEFAULT_CONFIG, snapshot_days: 5, embedding_model: "none" });
    deepEqual(loaded.overrides, [
      { variable: "CODE_INTEL_EMBEDDING_MODEL", key: "embedding_model" },
      { variable: "CODE_INTEL_SNAPSHOT_DAYS", key: "snapshot_days" },
    ]);
    deepEqual(loaded.warnings.map(({ at }) => at), ["CODE_INTEL_MAX_SNAPSHOT_MB"]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("checkContext() reads the keys of context.yml and passes over those of old files", () => {
  const locate = () => "line 1, column 1";
  deepEqual(checkContext(null, locate), { values: DEFAULT_CONTEXT, warnings: [] });
  const { values, warnings } = checkContext({
    project_rules: { source: "CLAUDE.md", summary: "DO x", later: 1 },
    doc_research: { enabled: false, docs_path: "docs" },
    essential_docs: { source: "docs" },
    last_synced: "2026",
    interventions: { threshold: "many" },
    colour: 1,
  }, locate);
  equal(values.project_rules.source, "CLAUDE.md");
  equal(values.project_rules.extra_notes, null);
  deepEqual(values.doc_research, {
    enabled: false,
    docs_path: ["docs"],
    default_prompts: ["default.md"],
    summaries: [],
  });
  equal(values.interventions.threshold, 3);
  deepEqual(warnings.map(({ at, code }) => [at, code]), [
    ["project_rules.later", "config_unknown_key"],
    ["interventions.threshold", "config_invalid"],
    ["colour", "config_unknown_key"],
  ]);
});
