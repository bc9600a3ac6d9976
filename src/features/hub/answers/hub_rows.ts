/** The tools of a hub: those of a project that only read the index, each with the repository that is asked. */
import * as z from "zod";
import type { ToolRow } from "../../../tools/tool.ts";
import { analyzeImpactTool } from "../../../tools/rows/analyze_impact.ts";
import { fetchChunkDetailTool } from "../../../tools/rows/fetch_chunk_detail.ts";
import { findDefinitionsTool } from "../../../tools/rows/find_definitions.ts";
import { findReferencesTool } from "../../../tools/rows/find_references.ts";
import { getSymbolsTool } from "../../../tools/rows/get_symbols.ts";
import { searchTextTool } from "../../../tools/rows/search_text.ts";
import { semanticSearchTool } from "../../../tools/rows/semantic_search.ts";
import { lineField } from "../../../tools/explore_fields.ts";

/** A tool of a hub, with the row that answers for one repository. */
export interface HubRow extends Omit<ToolRow, "run" | "needs"> {
  /** Answers for one repository. */
  readonly row: ToolRow;
  /**
   * Which repositories a call without one is asked of: those that define or mention the name in `symbol`; those that may
   * have a line of the pattern; the only one that defines all of `symbols`.
   */
  readonly asks: "defining" | "mentioning" | "holding" | "changing" | "one";
  /** What every answer has to say once. */
  readonly notice?: string;
}

const LONGEST_NAME = 200;
/** What a call without a repository means. */
const DEFAULTS: Readonly<Record<HubRow["asks"], string>> = {
  defining: "default all that have the symbol",
  mentioning: "default all that have the symbol",
  holding: "default all",
  changing: "needed where several define the symbols",
  one: "needed where there are several",
};

/** The tool that names the repositories; it has no row of a project. */
export const LIST_REPOSITORIES = {
  name: "list_repositories",
  title: "List repositories",
  description:
    "Lists the repositories of this hub with branch, indexed commit and its time, files, and what failed.",
  hints: { readOnly: true, destructive: false, idempotent: true },
  schema: z.strictObject({}),
  example: {},
} as const;

/** Parameters that mean files on a disk, or a session, which a hub does not have. */
const LEFT_OUT = ["include_ignored", "include_text", "target_feature", "collection", "diff"];

/** What a hub answers, in the order of its listing. */
export const HUB_ROWS: readonly HubRow[] = [
  toHubRow(findDefinitionsTool as ToolRow, "defining"),
  toHubRow(findReferencesTool as ToolRow, "mentioning"),
  toImpactRow(),
  toHubRow(getSymbolsTool as ToolRow, "one"),
  toHubRow({
    ...searchTextTool as ToolRow,
    description: "Finds lines of the indexed commits by regular expression or plain text.",
  }, "holding"),
  toHubRow(semanticSearchTool as ToolRow, "one"),
  toHubRow(fetchChunkDetailTool as ToolRow, "one"),
];

function toHubRow(row: ToolRow, asks: HubRow["asks"]): HubRow {
  const { name, title, description, hints, example } = row;
  const fields = Object.fromEntries(
    Object.entries((row.schema as z.ZodObject).shape).filter(([key]) => !LEFT_OUT.includes(key)),
  );
  const repository = lineField(LONGEST_NAME).optional().describe(
    `Name by list_repositories; ${DEFAULTS[asks]}`,
  );
  return {
    ...{ name, title, description, hints, asks, row },
    schema: z.strictObject({ repository, ...fields }),
    example: { repository: "shop", ...example },
  };
}

function toImpactRow(): HubRow {
  const row = toHubRow({
    ...analyzeImpactTool as ToolRow,
    description:
      "What a change of files or symbols can break: must_verify, should_verify, affected_tests; other_repositories: who uses them elsewhere, by name.",
  }, "changing");
  const schema = row.schema as z.ZodObject;
  const isGiven = (value: unknown) => {
    const { target_files, symbols } = value as Readonly<Record<string, readonly string[]>>;
    return (target_files?.length ?? 0) + (symbols?.length ?? 0) > 0;
  };
  return {
    ...row,
    schema: schema.refine(isGiven, {
      message: "Give target files or symbols",
      params: { code: "missing_field" },
      path: ["target_files"],
    }),
    notice:
      "A hub knows the indexed commits alone: neither the past of the files nor changes that are not committed, nor which lines tests ran.",
  };
}
