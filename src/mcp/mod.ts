/**
 * The protocol, and the one pipeline that every tool call goes through.
 *
 * @module
 */
export { callTool, loadToolNames, loadTools, serve, serveHttp } from "./lazy.ts";
export type { CallOptions } from "./call.ts";
export type { ServeHttpOptions } from "./http.ts";
export type { HttpToken } from "./http_token.ts";
export type { JsonSchema } from "./input_schema.ts";
export type { ServeOptions } from "./server.ts";
export type { ToolContext, ToolOutcome, ToolRow } from "./tool.ts";
