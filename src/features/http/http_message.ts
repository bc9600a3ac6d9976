/**
 * Reads the message of a request over HTTP once for all who need it, and refuses a body that is no
 * message.
 */
import { isJsonContentType, isLegacyRequest, readRequestBody } from "@modelcontextprotocol/server";
import { LIMITS } from "../../base/settings/limits.ts";
import type { MessageRefusal } from "../../mcp/transport/message_gate.ts";
import { checkMessage, INVALID_PARAMS, PARSE_ERROR } from "../../mcp/transport/message_gate.ts";

/** What a request carries. */
export type ReadMessage =
  /** The message, or a list of several; undefined for a request that carries none. */
  | { readonly kind: "read"; readonly message: unknown }
  | { readonly kind: "refused"; readonly response: Response };

const TOO_LARGE = -32000;

/** Reads the message in the body of a POST; requests of other methods are left unread. */
export async function readMessage(request: Request): Promise<ReadMessage> {
  const { method, headers } = request;
  // A body that does not claim to be JSON is left to the protocol's library, which refuses it with
  // the right status.
  if (method !== "POST" || !isJsonContentType(headers.get("content-type"))) {
    return { kind: "read", message: undefined };
  }
  const maxBytes = LIMITS.messageBytes.value;
  const body = await readRequestBody(request, maxBytes).catch(() => null);
  if (body === null) return refuseText("the body was not sent to its end");
  if (body.tooLarge) {
    const message = `Payload too large: a message may have at most ${maxBytes} bytes`;
    return refuse({ id: null, code: TOO_LARGE, message }, 413);
  }
  let message: unknown;
  try {
    message = JSON.parse(body.text);
  } catch {
    return refuseText("the body is not JSON");
  }
  const isLaterEra = !(await isLegacyRequest(request, message));
  const all: readonly unknown[] = Array.isArray(message) ? message : [message];
  for (const one of all) {
    const refusal = checkMessage(one, { isLaterEra });
    if (refusal === null) continue;
    // An error with the id of the request is its answer, with status 200; an error without an id
    // has no request to answer.
    return refuse(refusal, !Array.isArray(message) && isAnswer(refusal) ? 200 : 400);
  }
  return { kind: "read", message };
}

function isAnswer({ id, code }: MessageRefusal): boolean {
  return code === INVALID_PARAMS && id !== null;
}

function refuseText(what: string): ReadMessage {
  return refuse({ id: null, code: PARSE_ERROR, message: `Parse error: ${what}` }, 400);
}

function refuse(
  { id, code, message }: Pick<MessageRefusal, "id" | "message"> & { readonly code: number },
  status: number,
): ReadMessage {
  const error = { code, message };
  return { kind: "refused", response: Response.json({ jsonrpc: "2.0", id, error }, { status }) };
}
