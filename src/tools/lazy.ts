/**
 * Loads the tools only when they are needed, so that neither the handshake nor a hook pays for
 * them.
 */
import type { Reply } from "../base/reply.ts";
import type { CallOptions } from "./call.ts";
import type { JsonSchema } from "./input_schema.ts";
import type { ToolRow } from "./tool.ts";
import type { ListedTool } from "./tools.ts";

/** Runs a tool through the pipeline that every call goes through; never throws. */
export async function callTool(name: string, raw: unknown, options: CallOptions): Promise<Reply> {
  return await (await import("./call.ts")).callTool(name, raw, options);
}

/** The tools as clients see them, in their fixed order. */
export async function listTools(): Promise<readonly ListedTool[]> {
  return (await import("./tools.ts")).listTools();
}

/** Every tool in its fixed order, with the JSON Schema of its parameters. */
export async function loadTools(): Promise<
  readonly { readonly row: ToolRow; readonly schema: JsonSchema }[]
> {
  const { TOOLS } = await import("./tools.ts");
  const { toInputSchema } = await import("./input_schema.ts");
  return TOOLS.map((row) => ({
    row,
    // Made where it is read: most callers want the schema of one tool.
    get schema() {
      return toInputSchema(row);
    },
  }));
}

/** The names of all tools that work. */
export async function loadToolNames(): Promise<readonly string[]> {
  return (await import("./tools.ts")).TOOLS.map(({ name }) => name);
}
