/** What tells the arguments of one call from those of another. */
import { createHash } from "node:crypto";
import { toCanonicalJson } from "../base/text/canonical_json.ts";

/** A short hash of the arguments of a call, as its record keeps them. */
export function toArgsHash(input: unknown): string {
  return createHash("sha256").update(toCanonicalJson(input)).digest("hex").slice(0, 16);
}
