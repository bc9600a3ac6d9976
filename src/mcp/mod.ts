/**
 * The protocol, and the one pipeline that every tool call goes through.
 *
 * @module
 */
export { callTool, loadToolNames, loadTools, serve, serveHttp } from "./lazy.ts";
export type { CallOptions } from "../tools/call.ts";
export type { ServeHttpOptions } from "./transport/http.ts";
export type { HttpToken } from "./transport/http_token.ts";
export type { JsonSchema } from "../tools/input_schema.ts";
export type { ServeOptions } from "./transport/server.ts";
export type { ToolContext, ToolOutcome, ToolRow } from "../tools/tool.ts";
