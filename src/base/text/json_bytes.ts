/** The size of values as replies and briefs send them. Pure. */

const ENCODER = new TextEncoder();

/** Bytes of a value as compact JSON in UTF-8. */
export function toJsonBytes(value: unknown): number {
  return ENCODER.encode(JSON.stringify(value)).length;
}
