/** The JSON Schema of a tool: what clients are shown, where hints come from, and under which other names parameters are understood. */
import * as z from "zod";
import { getOrInsert } from "../base/once.ts";
import type { ToolRow } from "./tool.ts";

const SAME: readonly (readonly string[])[] = [
  ["path", "paths", "file", "files", "file_path", "file_paths", "target_file", "target_files"],
  ["line", "line_number"],
  ["symbol", "name", "symbol_name"],
  ["globs", "glob", "include"],
  ["pattern", "patterns", "query", "question", "regex", "glob", "text"],
  ["max_results", "n_results", "limit"],
  ["fixed", "literal", "fixed_strings"],
  ["whole_word", "word", "word_regexp"],
  ["context_lines", "context"],
];

/** Switches that mean the contrary of one of the tool's. */
const CONTRARY: Readonly<Record<string, string>> = {
  regex: "fixed",
  "is_regex": "fixed",
  "use_regex": "fixed",
  "ignore_case": "case_sensitive",
  "case_insensitive": "case_sensitive",
};

/** The arguments under the names of the tool, and a single value as a list where the tool takes a list. */
export function resolveParameterAliases(
  given: Readonly<Record<string, unknown>>,
  schema: JsonSchema,
): Record<string, unknown> {
  const known = schema.properties ?? {};
  const own: Record<string, unknown> = { ...given };
  for (const [name, value] of Object.entries(given)) {
    if (Object.hasOwn(known, name)) continue;
    const type = Array.isArray(value) ? "array" : typeof value;
    const contrary = CONTRARY[name] ?? "";
    if (type === "boolean" && Object.hasOwn(known, contrary)) {
      delete own[name];
      if (!Object.hasOwn(own, contrary)) own[contrary] = !value;
      continue;
    }
    const meant = SAME.filter((names) => names.includes(name)).map((names) => {
      const free = names.filter((one) => Object.hasOwn(known, one) && !Object.hasOwn(own, one));
      return free.find((one) => listTypes(known[one] ?? {}).includes(type)) ??
        (free.length === 1 ? free[0] : undefined);
    }).find((one) => one !== undefined);
    if (meant === undefined) continue;
    delete own[name];
    own[meant] = toForm(value, listTypes(known[meant] ?? {}));
  }
  return own;
}

function toForm(value: unknown, types: readonly string[]): unknown {
  if (typeof value === "string" && types.length === 1 && types[0] === "array") {
    return value.startsWith("[") ? value : [value];
  }
  const isOne = Array.isArray(value) && value.length === 1 && !types.includes("array");
  return isOne ? value[0] : value;
}

/** The part of JSON Schema that our tool rows use. */
export interface JsonSchema {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly enum?: readonly string[];
  readonly default?: unknown;
}

const CHECKS = new WeakMap<ToolRow, z.ZodType>();
const SCHEMAS = new WeakMap<ToolRow, JsonSchema>();

/** The check of a row's parameters, made once. */
export function getSchema(row: ToolRow): z.ZodType {
  return getOrInsert(CHECKS, row, row.buildSchema);
}

/** The JSON Schema of a row's parameters, made once. */
export function buildInputSchema(row: ToolRow): JsonSchema {
  return getOrInsert(SCHEMAS, row, () => convertSchema(getSchema(row)));
}

function convertSchema(check: z.ZodType): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(check, {
    io: "input",
    override: ({ jsonSchema, path }) => {
      const part = jsonSchema as Record<string, unknown>;
      dropNoise(part);
      // The root says `additionalProperties: false` once; unknown names in inner objects are
      // refused too, though the schema does not repeat it.
      if (path.length > 0 && part["additionalProperties"] === false) {
        delete part["additionalProperties"];
      }
    },
  });
  return schema as JsonSchema;
}

/** Parameters that older clients send and no other has to know: accepted, and shown to nobody. */
export const UNLISTED: readonly string[] = ["repo_path"];

/** Parameters whose name says what they are: a listing has no room for their descriptions. */
const SPEAKING: readonly string[] = ["max_bytes", "max_results", "offset"];

/** The JSON Schema of a row's parameters as a listing shows it. */
export function listSchema(row: ToolRow): JsonSchema {
  const schema = buildInputSchema(row);
  const shown = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    if (UNLISTED.includes(name)) return [];
    const { description: _, ...rest } = field;
    return [[name, SPEAKING.includes(name) ? rest : field] as const];
  });
  return { ...schema, properties: Object.fromEntries(shown) };
}

/** Follows a path such as `["flags", "fast"]` to the schema of that field. */
export function findField(
  schema: JsonSchema,
  path: readonly PropertyKey[],
): JsonSchema | undefined {
  let field: JsonSchema | undefined = schema;
  for (const part of path) {
    field = typeof part === "number" ? field?.items : field?.properties?.[String(part)];
  }
  return field;
}

/** JSON types that a parameter accepts: `["string", "array"]`. */
export function listTypes(schema: JsonSchema): readonly string[] {
  if (schema.type !== undefined) return [schema.type];
  return [...new Set((schema.anyOf ?? []).flatMap((branch) => listTypes(branch)))];
}

/**
 * Keywords left out of listings: they cost room, no honest call needs to read them, and the check
 * enforces them anyway.
 */
const NOISE = [
  "propertyNames",
  "minLength",
  "maxLength",
  "minItems",
  "pattern",
  "minimum",
  "maximum",
] as const;
/** A list that may have more entries than this is shown as unbounded. */
const LARGE_LIST = 3;

/** Removes keywords that make every listing longer and help no caller. */
function dropNoise(schema: Record<string, unknown>): void {
  for (const keyword of NOISE) delete schema[keyword];
  if (Number(schema["maxItems"]) > LARGE_LIST) delete schema["maxItems"];
  for (const keyword of ["default", "additionalProperties"]) {
    if (isVoid(schema[keyword], keyword)) delete schema[keyword];
  }
}

/**
 * Whether a keyword says no more than its absence: the default `false` or 0, an unrestricted
 * property, an empty default object.
 */
function isVoid(value: unknown, keyword: string): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return keyword === "default" && (value === false || value === 0);
}
