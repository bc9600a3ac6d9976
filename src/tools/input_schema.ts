/** The JSON Schema of a tool: what clients are shown, and where hints about a parameter come from. */
import * as z from "zod";
import type { ToolRow } from "./tool.ts";

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

const SCHEMAS = new WeakMap<ToolRow, JsonSchema>();

/** The JSON Schema of a row's parameters, made once. */
export function toInputSchema(row: ToolRow): JsonSchema {
  const known = SCHEMAS.get(row);
  if (known !== undefined) return known;
  const { $schema: _, ...schema } = z.toJSONSchema(row.schema, {
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
  SCHEMAS.set(row, schema as JsonSchema);
  return schema as JsonSchema;
}

/** Parameters that older clients send and no other has to know: accepted, and shown to nobody. */
export const UNLISTED: readonly string[] = ["repo_path"];

/** The JSON Schema of a row's parameters as a listing shows it. */
export function toListedSchema(row: ToolRow): JsonSchema {
  const schema = toInputSchema(row);
  const shown = Object.entries(schema.properties ?? {}).filter(([name]) =>
    !UNLISTED.includes(name)
  );
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
export function toTypes(schema: JsonSchema): readonly string[] {
  if (schema.type !== undefined) return [schema.type];
  return [...new Set((schema.anyOf ?? []).flatMap((branch) => toTypes(branch)))];
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
