/** Reads texts of JSON that may be damaged, and tells its objects from its other values. Pure. */

/** An object of JSON, whose members are not checked yet. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** True for an object that is neither null nor an array. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value where it is an object, else one without members. */
export function toRecord(value: unknown): JsonRecord {
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
