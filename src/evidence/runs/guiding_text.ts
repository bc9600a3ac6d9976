/**
 * Texts of a project that the server would say to an agent in its own name: instructions of the contract, summaries of
 * rules, prompts. A clone brings them along, so a person allows each of them by its content, as they do commands.
 */
import { createHash } from "node:crypto";
import { toCanonicalJson } from "../../base/text/json_record.ts";

/** One text that guides agents. */
export interface GuidingText {
  /** The file that it stands in, relative to the project. */
  readonly path: string;
  /** The key in that file; empty for a whole file. */
  readonly name: string;
  readonly text: string;
}

/** SHA-256 of a text and its place; line ends count alike, because git may change them. */
export function hashGuidingText({ path, name, text }: GuidingText): string {
  const plain = text.replaceAll("\r\n", "\n");
  return createHash("sha256").update(toCanonicalJson({ path, name, text: plain })).digest("hex");
}
