/** The one place that puts a reply into the form of the protocol. */
import type { Reply } from "../base/reply.ts";

/**
 * What `tools/call` returns: text only, because clients drop the text when there is structured
 * content too.
 */
export interface ToolResult {
  readonly content: { readonly type: "text"; readonly text: string }[];
  readonly isError?: boolean;
  readonly [field: string]: unknown;
}

/** Compact JSON as text; `isError` exactly when the reply is a refusal or a failure. */
export function toToolResult(reply: Reply): ToolResult {
  return toTextResult(JSON.stringify(reply), reply.ok);
}

/** The same of a reply that is text already. */
export function toTextResult(text: string, isOk: boolean): ToolResult {
  const content = [{ type: "text" as const, text }];
  return isOk ? { content } : { content, isError: true };
}
