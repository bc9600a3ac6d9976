/**
 * Checks every message of a client, over both transports and in both generations. A value that is
 * no message, or whose parameters have the wrong form, is refused in one sentence. A schema
 * validator would write a dump. Pure.
 */
import type { RequestId } from "@modelcontextprotocol/server";
import { isSpecType, specTypeSchemas } from "@modelcontextprotocol/server";
import { clip } from "../../base/text/clip.ts";

/** Why a message is refused, as the JSON-RPC error that answers it. */
export interface MessageRefusal {
  /** Id of the refused request; null where the value has none that can be read. */
  readonly id: RequestId | null;
  readonly code: typeof PARSE_ERROR | typeof INVALID_REQUEST | typeof INVALID_PARAMS;
  readonly message: string;
  /**
   * True for notifications and for answers of the client: JSON-RPC never answers them, even if they
   * are wrong.
   */
  readonly isUnanswered?: true;
}

/** JSON-RPC code: the text is not JSON. */
export const PARSE_ERROR = -32700;
/** JSON-RPC code: the value is no message. */
export const INVALID_REQUEST = -32600;
/** JSON-RPC code: the parameters of the request have the wrong form. */
export const INVALID_PARAMS = -32602;

/** A request that is served: the form of its parameters, and an example of right ones. */
interface ServedRequest {
  readonly type: keyof typeof specTypeSchemas;
  readonly example: Readonly<Record<string, unknown>>;
  /**
   * True for a request that the later generation no longer has; there the library answers that the
   * method is unknown.
   */
  readonly isEarlier?: boolean;
}

const GREETING = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "client", version: "1.0.0" },
};
const COMPLETION = {
  ref: { type: "ref/resource", uri: "code-intel://contract/{stage}" },
  argument: { name: "stage", value: "READY" },
};

/**
 * The methods whose parameters are checked here. Any other method has no parameters of its own, or
 * is unknown, which the protocol's library answers.
 */
const SERVED: ReadonlyMap<string, ServedRequest> = new Map([
  ["initialize", { type: "InitializeRequest", example: GREETING, isEarlier: true }],
  ["ping", { type: "PingRequest", example: {}, isEarlier: true }],
  ["tools/list", { type: "ListToolsRequest", example: {} }],
  ["tools/call", {
    type: "CallToolRequest",
    example: { name: "get_session_status", arguments: {} },
  }],
  ["resources/list", { type: "ListResourcesRequest", example: {} }],
  ["resources/templates/list", { type: "ListResourceTemplatesRequest", example: {} }],
  ["resources/read", { type: "ReadResourceRequest", example: { uri: "code-intel://brief" } }],
  ["prompts/list", { type: "ListPromptsRequest", example: {} }],
  ["prompts/get", {
    type: "GetPromptRequest",
    example: { name: "code", arguments: { request: "add a field" } },
  }],
  ["completion/complete", { type: "CompleteRequest", example: COMPLETION }],
  ["logging/setLevel", {
    type: "SetLevelRequest",
    example: { level: "info" },
    isEarlier: true,
  }],
]);

/**
 * Why a JSON value is not handed on; null where it is a message in the right form.
 *
 * @param isLaterEra True where the transport knows that the later era of the protocol answers.
 */
export function checkMessage(
  value: unknown,
  options: { readonly isLaterEra?: boolean } = {},
): MessageRefusal | null {
  const refusal = findRefusal(value, options);
  return refusal === null || isRequestLike(value) ? refusal : { ...refusal, isUnanswered: true };
}

/** Whether the sender waits for an answer, which is not so for a notification or an answer. */
function isRequestLike(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return true;
  if ("method" in value) return "id" in value || typeof value.method !== "string";
  return !("result" in value) && !("error" in value);
}

function findRefusal(
  value: unknown,
  { isLaterEra = false }: { readonly isLaterEra?: boolean },
): MessageRefusal | null {
  const id = readId(value);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return refuse(id, INVALID_REQUEST, "Invalid Request: a message is one JSON object");
  }
  if (!("method" in value)) {
    if (isSpecType.JSONRPCMessage(value)) return null;
    const message =
      "Invalid Request: a JSON-RPC 2.0 message has a `method`, a `result` or an `error`";
    return refuse(id, INVALID_REQUEST, message);
  }
  const isRequest = "id" in value;
  if (isRequest && typeof value.id === "number" && !Number.isSafeInteger(value.id)) {
    const message =
      "Invalid Request: `id` is a number that cannot be answered exactly; send an integer up to 9007199254740991 or a string";
    return refuse(null, INVALID_REQUEST, message);
  }
  const issue = findIssue(isRequest ? "JSONRPCRequest" : "JSONRPCNotification", value);
  if (issue !== null && issue.path[0] !== "params") {
    const message = `Invalid Request: ${formatIssue(issue)}; a JSON-RPC 2.0 message is wanted`;
    return refuse(id, INVALID_REQUEST, message);
  }
  if (issue !== null) return refuseParams(id, value.method, issue);
  const served = isRequest ? SERVED.get(String(value.method)) : undefined;
  if (served === undefined || (served.isEarlier && isLaterEra)) return null;
  // A request without `params` counts as one with empty `params`.
  const wrong = findIssue(served.type, { params: {}, ...value });
  return wrong === null ? null : refuseParams(id, value.method, wrong);
}

/**
 * The id of a value that may be no message, so that the error tells its sender which request
 * failed.
 */
function readId(value: unknown): RequestId | null {
  const id = typeof value === "object" && value !== null && "id" in value ? value.id : null;
  return typeof id === "string" || (typeof id === "number" && Number.isSafeInteger(id)) ? id : null;
}

interface Issue {
  readonly message: string;
  readonly path: readonly PropertyKey[];
}

function findIssue(type: keyof typeof specTypeSchemas, value: unknown): Issue | null {
  const checked = specTypeSchemas[type]["~standard"].validate(value);
  // The protocol's schemas are synchronous; the test for a promise only satisfies the type.
  if (checked instanceof Promise || checked.issues === undefined) return null;
  const [first] = checked.issues;
  if (first === undefined) return { message: "it has the wrong form", path: [] };
  const path = (first.path ?? []).map((part) => typeof part === "object" ? part.key : part);
  return { message: first.message, path };
}

function refuseParams(id: RequestId | null, method: unknown, issue: Issue): MessageRefusal {
  const served = SERVED.get(String(method));
  const right = served === undefined
    ? "they have to be an object"
    : `${JSON.stringify(served.example)} would be right`;
  return refuse(id, INVALID_PARAMS, `Invalid params: ${formatIssue(issue)}; ${right}`);
}

const SHOWN_CHARS = 200;
const SHOWN_KEY_CHARS = 60;

/** Writes an issue as a sentence: "`params.uri` is missing, expected string". */
function formatIssue({ message, path }: Issue): string {
  const keys = path.map((key) => clip(String(key), SHOWN_KEY_CHARS)).join(".");
  const at = `\`${clip(keys, SHOWN_CHARS)}\``;
  const wish = clip(
    message.replace(/^Invalid [a-z]+:? ?/, "").replace("record", "object"),
    SHOWN_CHARS,
  );
  const subject = path.length === 0 ? "the message" : at;
  if (wish === "") return `${subject} has none of the forms that it may have`;
  const [, expected] = /^(expected .*), received undefined$/.exec(wish) ?? [];
  return expected === undefined ? `${subject}: ${wish}` : `${subject} is missing, ${expected}`;
}

function refuse(
  id: RequestId | null,
  code: MessageRefusal["code"],
  message: string,
): MessageRefusal {
  return { id, code, message };
}
