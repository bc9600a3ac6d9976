/** The size of values as replies and briefs send them. Pure. */

const ENCODER = new TextEncoder();
const IS_WIDE = /[^\0-\x7f]/;

/** Bytes of a value as compact JSON in UTF-8. */
export function toJsonBytes(value: unknown): number {
  const json = JSON.stringify(value);
  // Most replies are plain ASCII, which needs no copy to be measured.
  return IS_WIDE.test(json) ? ENCODER.encode(json).length : json.length;
}
