/**
 * The tools, and the one pipeline that every call of a tool goes through: from the protocol and from the
 * command line alike. Nothing in this folder speaks MCP.
 *
 * @module
 */
export { callTool, listTools, loadToolNames, loadTools } from "./lazy.ts";
export type { CallOptions } from "./call.ts";
export type { JsonSchema } from "./input_schema.ts";
export type { ToolContext, ToolOutcome, ToolRow } from "./tool.ts";
export type { ListedTool } from "./tools.ts";
