/** Changes of payloads by field, by text and by row. Pure. */
import type { JsonRecord } from "../../src/base/text/json_record.ts";
import { isRecord } from "../../src/base/text/json_record.ts";
import type { Payload } from "./steps.ts";

/** Texts that must stay as they are: their words are the request's, or the person's. */
const FIXED = new Set(["commit_message", "summary", "quote", "rule", "choice"]);

/** The payload with each text changed by its field; null where none changes. */
export function mapTexts(
  payload: Payload,
  change: (text: string, field: string) => unknown,
): Payload | null {
  let changed = false;
  const walk = (value: unknown, field: string): unknown => {
    if (typeof value === "string" && !FIXED.has(field)) {
      const next = change(value, field);
      changed ||= next !== value;
      return next;
    }
    if (Array.isArray(value)) return value.map((one) => walk(one, field));
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, walk(one, name)]));
  };
  const next = walk(payload, "") as Payload;
  return changed ? next : null;
}

/** The payload with each field changed; null where none changes. */
export function mapFields(
  payload: Payload,
  change: (value: unknown, field: string) => unknown,
): Payload | null {
  const rows = Object.entries(payload).map(([field, value]) =>
    [field, change(value, field)] as const
  );
  const isChanged = rows.some(([field, value]) => value !== payload[field]);
  return isChanged ? Object.fromEntries(rows) : null;
}

/** A value with the names of all its fields changed. */
export function renameAll(value: unknown, rename: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((one) => renameAll(one, rename));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) =>
      // Keys of what was observed are words of the request.
      name === "observed" ? [name, one] : [rename(name), renameAll(one, rename)]
    ),
  );
}

/** The payload with the names of its own fields changed. */
export function mapKeys(payload: Payload, rename: (name: string) => string): Payload {
  return Object.fromEntries(Object.entries(payload).map(([name, value]) => [rename(name), value]));
}

/** The payload with the rows of a field changed; null where it has none. */
export function mapRows(
  payload: Payload,
  field: string,
  change: (row: JsonRecord, at: number) => JsonRecord,
): Payload | null {
  const rows = payload[field];
  return Array.isArray(rows) && rows.length > 0
    ? { ...payload, [field]: rows.map((row, at) => change(row as JsonRecord, at)) }
    : null;
}
