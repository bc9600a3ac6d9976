/** Calls of tools as evidence names them. Pure. */

/**
 * Reads a call that evidence names, with or without words behind it; null for anything else.
 *
 * @param offered Names of tools, which tell a call from a sentence where `tool:` does not stand before it.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { parseClaimedCall } from "./claimed_call.ts";
 * const call = { tool: "find_references", subject: "login", claimed: 0 };
 * deepEqual(parseClaimedCall("tool: find_references(login) → 0", []), call);
 * ```
 */
export function parseClaimedCall(
  evidence: string,
  offered: readonly string[],
): { readonly tool: string; readonly subject: string; readonly claimed?: number } | null {
  const found =
    /^(tool:\s*)?(?:mcp__code[-_]intel__)?([a-z_]+)\s*\((.*?)\)(?:\s*(?:→|->|=|:)\s*(\d+)\b.*|[\s.,;:].*)?$/s
      .exec(evidence.trim());
  if (found === null) return null;
  const [, prefix, tool = "", sent = "", claimed] = found;
  // Without the word before it, only the name of a tool tells a call from a sentence.
  if (prefix === undefined && !offered.includes(tool)) return null;
  return { tool, subject: sent.trim(), ...(claimed === undefined ? {} : { claimed: +claimed }) };
}

/**
 * Whether evidence names the argument of a recorded call. The argument's name, its quotes and the
 * arguments behind it may be missing. A part of it is another argument.
 */
export function isSameSubject(sent: string, recorded: string): boolean {
  const toPlainArgument = (text: string) =>
    text.trim().replace(/^\w+\s*[:=]\s*/, "").replace(/^(["'`])(.*)\1$/s, "$2");
  const [first = ""] = sent.split(/,\s*/);
  if ([sent, toPlainArgument(sent), toPlainArgument(first)].includes(recorded)) return true;
  // The record keeps the beginning of a long argument.
  return recorded.endsWith("…") && toPlainArgument(sent).startsWith(recorded.slice(0, -1));
}
