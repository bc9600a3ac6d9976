/** Puts a reply into the form of the protocol, and logs the steps of a session for clients that ask for it. */
import type { LoggingLevel } from "@modelcontextprotocol/server";
import { LOG_LEVEL_META_KEY } from "@modelcontextprotocol/server";
import type { Reply } from "../base/reply.ts";
import { PROGRAM_NAME } from "../base/version.ts";

/** Levels from the least to the most urgent. */
const LEVELS: readonly LoggingLevel[] = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
];

/** A notification as the protocol wants it. */
interface LogNotification {
  readonly method: "notifications/message";
  readonly params: { level: LoggingLevel; logger: string; data: unknown };
}

/** The connection that hears messages, and from which level on. */
export interface Listener {
  /** Level of the connection, from `logging/setLevel`; null while none was named. */
  readonly level: LoggingLevel | null;
  /** The envelope of a request of 2026-07-28, which names the log level for that request. */
  readonly envelope: object | undefined;
  readonly notify: (notification: LogNotification) => Promise<void>;
}

/** Logs the step that a reply leads to. A message that cannot be sent is dropped. */
export async function logStep(reply: Reply, listener: Listener): Promise<void> {
  const { phase, step, of } = reply as Readonly<Record<string, unknown>>;
  if (typeof step !== "number" || typeof phase !== "string") return;
  const own = (listener.envelope as Readonly<Record<string, unknown>> | undefined)
    ?.[LOG_LEVEL_META_KEY];
  const wanted = LEVELS.findIndex((name) => name === (own ?? listener.level));
  const level = reply.ok ? "info" : "notice";
  if (wanted < 0 || LEVELS.indexOf(level) < wanted) return;
  const why = reply.ok ? "" : `, refused: ${reply.message}`;
  const data = `Step ${step}/${String(of)}: ${phase}${why}`;
  await listener.notify({
    method: "notifications/message",
    params: { level, logger: PROGRAM_NAME, data },
  }).catch(() => {});
}

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
export function buildToolResult(reply: Reply): ToolResult {
  return buildTextResult(JSON.stringify(reply), reply.ok);
}

/** The same of a reply that is text already. */
export function buildTextResult(text: string, isOk: boolean): ToolResult {
  const content = [{ type: "text" as const, text }];
  return isOk ? { content } : { content, isError: true };
}
