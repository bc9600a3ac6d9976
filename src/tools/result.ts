/** Turns replies and failures outward for clients: the one place of the protocol side that does. */
import type { Logger } from "../base/logger.ts";
import { CodeIntelError } from "../base/errors.ts";
import type { RefusedReply, Reply } from "../base/reply.ts";

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

/** An operational failure as its code, a bug as an incident whose stack goes to standard error only. */
export function toFailure(failure: unknown, logger: Logger): RefusedReply {
  if (failure instanceof CodeIntelError) {
    const { code, message, hint } = failure;
    return { ok: false, error: code, message, ...(hint === "" ? {} : { hint }) };
  }
  const incident = crypto.randomUUID().slice(0, 8);
  const stack = failure instanceof Error ? failure.stack ?? failure.message : String(failure);
  logger.note(`incident ${incident}: ${stack}`);
  return {
    ok: false,
    error: "internal_error",
    message: `A bug of code-intel ended this call (incident ${incident}); nothing else is affected`,
    incident,
    hint:
      "Go on with another call; the server's standard error names the place under this incident.",
  };
}
