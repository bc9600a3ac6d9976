/** Reads texts of JSON that may be damaged, and tells its objects from its other values. Pure. */

/** The members of an object; those that may be undefined become optional. */
export type WithoutUndefined<Fields> =
  & { [Key in keyof Fields as undefined extends Fields[Key] ? never : Key]: Fields[Key] }
  & {
    [Key in keyof Fields as undefined extends Fields[Key] ? Key : never]?: Exclude<
      Fields[Key],
      undefined
    >;
  };

/** A copy without the members whose value is undefined, for types that want these absent. */
export function omitUndefined<Fields extends object>(fields: Fields): WithoutUndefined<Fields> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as WithoutUndefined<Fields>;
}

/** The size of values as replies and briefs send them. Pure. */

const ENCODER = new TextEncoder();
const IS_WIDE = /[^\0-\x7f]/;

/** Bytes of a value as compact JSON in UTF-8. */
export function measureJson(value: unknown): number {
  const json = JSON.stringify(value);
  // Most replies are plain ASCII, which needs no copy to be measured.
  return IS_WIDE.test(json) ? ENCODER.encode(json).length : json.length;
}

/**
 * Writes a JSON value with sorted keys; `undefined` members are left out as `JSON.stringify` does.
 *
 * @example
 * ```ts
 * import { strictEqual as equal } from "node:assert/strict";
 * import { formatCanonicalJson } from "./json_record.ts";
 * equal(formatCanonicalJson({ b: 1, a: [{ d: 2, c: 3 }] }), '{"a":[{"c":3,"d":2}],"b":1}');
 * ```
 */
export function formatCanonicalJson(value: unknown): string {
  // Sorting a copy first is several times faster than a replacer function.
  return JSON.stringify(sortKeys(value));
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  // Without a prototype, so that a key called `__proto__` stays a key.
  const sorted: Record<string, unknown> = Object.create(null);
  for (const key of Object.keys(value).sort()) {
    sorted[key] = sortKeys((value as Readonly<Record<string, unknown>>)[key]);
  }
  return sorted;
}

/** An object of JSON, whose members are not checked yet. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** True for an object that is neither null nor an array. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value where it is an object, else one without members. */
export function asRecord(value: unknown): JsonRecord {
  return isRecord(value) ? value : {};
}

/** The value of a text of JSON; null where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
