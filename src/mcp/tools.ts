/** The table of all tools, in the order in which clients are shown them. */
import { toToolName } from "../phase/mod.ts";
import { toInputSchema } from "./input_schema.ts";
import type { ToolRow } from "./tool.ts";
import { addExploredFilesTool } from "./tools/add_explored_files.ts";
import { analyzeImpactTool } from "./tools/analyze_impact.ts";
import { analyzeStructureTool } from "./tools/analyze_structure.ts";
import { checkWriteTargetTool } from "./tools/check_write_target.ts";
import { cleanupStaleBranchesTool } from "./tools/cleanup_stale_branches.ts";
import { fetchChunkDetailTool } from "./tools/fetch_chunk_detail.ts";
import { findDefinitionsTool } from "./tools/find_definitions.ts";
import { findReferencesTool } from "./tools/find_references.ts";
import { getFunctionAtLineTool } from "./tools/get_function_at_line.ts";
import { getSessionStatusTool } from "./tools/get_session_status.ts";
import { getSymbolsTool } from "./tools/get_symbols.ts";
import { queryTool } from "./tools/query.ts";
import { reviewChangesTool } from "./tools/review_changes.ts";
import { searchFilesTool } from "./tools/search_files.ts";
import { searchTextTool } from "./tools/search_text.ts";
import { semanticSearchTool } from "./tools/semantic_search.ts";
import { startSessionTool } from "./tools/start_session.ts";
import { submitPhaseTool } from "./tools/submit_phase.ts";
import { syncIndexTool } from "./tools/sync_index.ts";
import { updateContextTool } from "./tools/update_context.ts";

/** Every tool that works. */
export const TOOLS: readonly ToolRow[] = [
  startSessionTool,
  submitPhaseTool,
  getSessionStatusTool,
  checkWriteTargetTool,
  addExploredFilesTool,
  reviewChangesTool,
  cleanupStaleBranchesTool,
  updateContextTool,
  searchTextTool,
  searchFilesTool,
  findDefinitionsTool,
  findReferencesTool,
  getSymbolsTool,
  analyzeStructureTool,
  getFunctionAtLineTool,
  queryTool,
  syncIndexTool,
  semanticSearchTool,
  fetchChunkDetailTool,
  analyzeImpactTool,
] as readonly ToolRow[];

/** Names that tools had before; a rename adds a row. */
export const TOOL_ALIASES: Readonly<Record<string, string>> = {};

/** The tool of that name, with or without the prefix of a client, or under a former name. */
export function findTool(name: string): ToolRow | undefined {
  const plain = toToolName(name);
  const wanted = Object.hasOwn(TOOL_ALIASES, plain) ? TOOL_ALIASES[plain] : plain;
  return TOOLS.find((row) => row.name === wanted);
}

/** The tools as `tools/list` answers them. */
export function listTools(): readonly Record<string, unknown>[] {
  return TOOLS.map((row) => ({
    name: row.name,
    ...toTitle(row),
    description: row.description,
    inputSchema: toInputSchema(row),
    annotations: toAnnotations(row.hints),
  }));
}

/** A title that says more than the name; clients show the name where there is none. */
function toTitle({ name, title }: ToolRow): { readonly title?: string } {
  return title.toLowerCase() === name.replaceAll("_", " ") ? {} : { title };
}

/** Hints where they are not what the protocol takes for granted; read-only ones say all of the rest. */
function toAnnotations({ readOnly, destructive, idempotent }: ToolRow["hints"]) {
  if (readOnly) return { readOnlyHint: true, openWorldHint: false };
  return {
    ...(destructive ? {} : { destructiveHint: false }),
    ...(idempotent ? { idempotentHint: true } : {}),
    openWorldHint: false,
  };
}
