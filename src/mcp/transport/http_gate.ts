/**
 * Decides who may talk to the server over HTTP: programs of this machine that know the token, and anybody on this machine
 * for pages without anything of a session. A web page of others is refused by the `Origin` of its requests, before the token is compared.
 */
import {
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from "@modelcontextprotocol/server";
import type { FeaturePage } from "../../services/extension.ts";
import { isSameToken } from "./http_token.ts";

/** The path of the protocol. */
export const MCP_PATH = "/mcp";

/** Code of the JSON-RPC error for a refused request; the protocol leaves this number to servers. */
const REFUSED = -32000;

/**
 * Clients send messages by POST; those of the earlier generation also listen by GET and end their
 * session by DELETE.
 */
const METHODS: readonly string[] = ["GET", "POST", "DELETE"];

/** Who may come. */
export interface GateOptions {
  /** Only this machine, by the names that it has for itself. Default true. */
  readonly isLocal?: boolean;
  /** What is served beside the protocol; pages are read by GET. Default nothing. */
  readonly pages?: readonly Pick<FeaturePage, "kind" | "path">[];
}

/** The answer to a request that is refused; null for one that may pass. */
export function checkRequest(
  request: Request,
  token: string,
  { isLocal = true, pages = [] }: GateOptions = {},
): Response | null {
  const rebound = !isLocal
    ? undefined
    : hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
      originValidationResponse(request, localhostAllowedOrigins());
  if (rebound !== undefined) return rebound;
  const { pathname } = new URL(request.url);
  const page = pages.find(({ path }) => path === pathname);
  if (page === undefined && pathname !== MCP_PATH) {
    return refuse(404, `Nothing is here: the server is at ${MCP_PATH}`);
  }
  const methods = page === undefined ? METHODS : ["GET"];
  if (!methods.includes(request.method)) {
    const allow = methods.join(", ");
    return refuse(405, `The method is not served: send ${allow.replace(/, (\w+)$/, " or $1")}`, {
      allow,
    });
  }
  if (page?.kind === "open") return null;
  const [, given] = /^Bearer +(\S+) *$/i.exec(request.headers.get("authorization") ?? "") ?? [];
  if (given !== undefined && isSameToken(given, token)) return null;
  const challenge = given === undefined ? "" : `, error="invalid_token"`;
  const message = given === undefined
    ? "Send the header `Authorization: Bearer TOKEN`; the server names the token's file when it starts"
    : "The token is not the one of this server; it names the token's file when it starts";
  return refuse(401, message, { "www-authenticate": `Bearer realm="code-intel"${challenge}` });
}

/** Makes a refusal in the form that clients of the protocol show. */
function refuse(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const error = { code: REFUSED, message };
  return Response.json({ jsonrpc: "2.0", id: null, error }, { status, headers });
}
