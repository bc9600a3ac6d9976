/** The table of all tools, in the order in which clients are shown them. */
import { invariant } from "../base/errors.ts";
import { parseToolName } from "../phase/rules/required_tools.ts";
import { LOADED_AT_ONCE } from "../clients/claude_code.ts";
import { listSchema } from "./input_schema.ts";
import type { ToolRow } from "./tool.ts";
import { addExploredFilesTool } from "./rows/add_explored_files.ts";
import { analyzeImpactTool } from "./rows/analyze_impact.ts";
import { analyzeStructureTool } from "./rows/analyze_structure.ts";
import { checkWriteTargetTool } from "./rows/check_write_target.ts";
import { cleanupStaleBranchesTool } from "./rows/cleanup_stale_branches.ts";
import { fetchChunkDetailTool } from "./rows/fetch_chunk_detail.ts";
import { findDefinitionsTool } from "./rows/find_definitions.ts";
import { findReferencesTool } from "./rows/find_references.ts";
import { getFunctionAtLineTool } from "./rows/get_function_at_line.ts";
import { getSessionStatusTool } from "./rows/get_session_status.ts";
import { getSymbolsTool } from "./rows/get_symbols.ts";
import { proveTool } from "./rows/prove.ts";
import { queryTool } from "./rows/query.ts";
import { reviewChangesTool } from "./rows/review_changes.ts";
import { searchFilesTool } from "./rows/search_files.ts";
import { searchTextTool } from "./rows/search_text.ts";
import { semanticSearchTool } from "./rows/semantic_search.ts";
import { startSessionTool } from "./rows/start_session.ts";
import { submitPhaseTool } from "./rows/submit_phase.ts";
import { syncIndexTool } from "./rows/sync_index.ts";
import { updateContextTool } from "./rows/update_context.ts";

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
  proveTool,
] as readonly ToolRow[];

/** The tool of that name, with or without the prefix of a client. */
export function findTool(name: string): ToolRow | undefined {
  const plain = parseToolName(name);
  return TOOLS.find((row) => row.name === plain);
}

/** The tool of that name, which exists. */
export function getTool(name: string): ToolRow {
  const row = findTool(name);
  invariant(row !== undefined, `no tool ${name}`);
  return row;
}

/** A tool as clients are shown it: name, title, description, schema of its parameters, hints. */
export type ListedTool = Readonly<Record<string, unknown>>;

/** The tools as clients are shown them. */
export function listTools(): readonly ListedTool[] {
  return TOOLS.map((row) => ({
    name: row.name,
    ...buildTitle(row),
    description: row.description,
    inputSchema: listSchema(row),
    annotations: buildAnnotations(row.hints),
    ...(row.isFirst === true ? { _meta: { [LOADED_AT_ONCE]: true } } : {}),
  }));
}

/**
 * The title of a row that has one which says more than its name; without a title, clients show the
 * name.
 */
function buildTitle({ name, title }: ToolRow): { readonly title?: string } {
  return title.toLowerCase() === name.replaceAll("_", " ") ? {} : { title };
}

/**
 * Hints of a row that differ from the protocol's defaults; for a read-only tool the other hints
 * mean nothing.
 */
function buildAnnotations({ readOnly, destructive, idempotent }: ToolRow["hints"]) {
  if (readOnly) return { readOnlyHint: true, openWorldHint: false };
  return {
    ...(destructive ? {} : { destructiveHint: false }),
    ...(idempotent ? { idempotentHint: true } : {}),
    openWorldHint: false,
  };
}
