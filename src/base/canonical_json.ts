/** One text for one JSON value, whatever the order of its keys: what hashes and seals are made over. Pure. */

/**
 * Writes a JSON value with sorted keys; `undefined` members are left out as `JSON.stringify` does.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { toCanonicalJson } from "./canonical_json.ts";
 * equal(toCanonicalJson({ b: 1, a: [{ d: 2, c: 3 }] }), '{"a":[{"c":3,"d":2}],"b":1}');
 * ```
 */
export function toCanonicalJson(value: unknown): string {
  return JSON.stringify(value, sortKeys);
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  // Without a prototype, so that a key called `__proto__` stays a key.
  const sorted: Record<string, unknown> = Object.create(null);
  for (const [key, member] of Object.entries(value).sort(byKey)) sorted[key] = member;
  return sorted;
}

function byKey([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
