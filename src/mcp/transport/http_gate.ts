/**
 * Decides who may talk to the server over HTTP: programs of this machine that know the token, and anybody on this machine
 * for the page without anything of a session. A web page of others is refused by the `Origin` of its requests, before the token is compared.
 */
import {
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from "@modelcontextprotocol/server";
import { REPORT_PATH } from "../../features/report/live_page.ts";
import { isSameToken } from "./http_token.ts";

/** The path of the protocol. */
export const MCP_PATH = "/mcp";
/** The path of the page for people, which holds nothing of a session and so needs no token. */
export const PAGE_PATH = "/";

/** Code of the JSON-RPC error for a refused request; the protocol leaves this number to servers. */
const REFUSED = -32000;

/**
 * Clients send messages by POST; those of the earlier generation also listen by GET and end their
 * session by DELETE.
 */
const METHODS: Readonly<Record<string, readonly string[]>> = {
  [MCP_PATH]: ["GET", "POST", "DELETE"],
  [REPORT_PATH]: ["GET"],
  [PAGE_PATH]: ["GET"],
};

/** Who may come. */
export interface GateOptions {
  /** Only this machine, by the names that it has for itself. Default true. */
  readonly isLocal?: boolean;
}

/** The answer to a request that is refused; null for one that may pass. */
export function checkRequest(
  request: Request,
  token: string,
  { isLocal = true }: GateOptions = {},
): Response | null {
  const rebound = !isLocal
    ? undefined
    : hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
      originValidationResponse(request, localhostAllowedOrigins());
  if (rebound !== undefined) return rebound;
  const { pathname } = new URL(request.url);
  const methods = Object.hasOwn(METHODS, pathname) ? METHODS[pathname] : undefined;
  if (methods === undefined) {
    return refuse(404, `Nothing is here: the server is at ${MCP_PATH}`);
  }
  if (!methods.includes(request.method)) {
    const allow = methods.join(", ");
    return refuse(405, `The method is not served: send ${allow.replace(/, (\w+)$/, " or $1")}`, {
      allow,
    });
  }
  if (pathname === PAGE_PATH) return null;
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
