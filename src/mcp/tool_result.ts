/** Puts a reply into the form of the protocol: the one place that does. */
import type { Reply } from "../base/reply.ts";

/** What `tools/call` answers: text only, because clients drop the text beside structured content. */
export interface ToolResult {
  readonly content: { readonly type: "text"; readonly text: string }[];
  readonly isError?: boolean;
  readonly [field: string]: unknown;
}

/** Compact JSON as text; `isError` exactly when the reply is a refusal or a failure. */
export function toToolResult(reply: Reply): ToolResult {
  const content = [{ type: "text" as const, text: JSON.stringify(reply) }];
  return reply.ok ? { content } : { content, isError: true };
}
