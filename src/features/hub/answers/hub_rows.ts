/** The tools of a hub: those of a project that only read the index, each with the repository that is asked. */
import * as z from "zod";
import type { HubUse, ToolRow } from "../../../tools/tool.ts";
import { getSchema } from "../../../tools/input_schema.ts";
import { TOOLS } from "../../../tools/tools.ts";
import { lineField } from "../../../tools/explore_fields.ts";

/** A tool of a hub, with the row that answers for one repository. */
export interface HubRow extends Omit<ToolRow, "run" | "needs" | "command"> {
  /** Answers for one repository. */
  readonly row: ToolRow;
  readonly asks: HubUse["asks"];
  /** What every answer has to say once. */
  readonly notice?: string;
}

const LONGEST_NAME = 200;
/** What a call without a repository means. */
const DEFAULTS: Readonly<Record<HubUse["asks"], string>> = {
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
  buildSchema: () => z.strictObject({}),
  example: {},
} as const;

/** Parameters that mean files on a disk, or a session, which a hub does not have. */
const LEFT_OUT = ["include_ignored", "include_text", "target_feature", "collection", "diff"];

/** What a hub answers, in the order of its listing. */
export const HUB_ROWS: readonly HubRow[] = TOOLS.flatMap((row) => {
  if (row.hub === undefined) return [];
  const asked = buildHubRow(row, row.hub);
  return [asked.asks === "changing" ? withTargets(asked) : asked];
});

function buildHubRow(row: ToolRow, { asks, description = row.description }: HubUse): HubRow {
  const { name, title, hints, example } = row;
  return {
    ...{ name, title, description, hints, asks, row },
    buildSchema: () => {
      const { shape } = getSchema(row) as z.ZodObject;
      const fields = Object.fromEntries(
        Object.entries(shape).filter(([key]) => !LEFT_OUT.includes(key)),
      );
      const repository = lineField(LONGEST_NAME).optional().describe(
        `Name by list_repositories; ${DEFAULTS[asks]}`,
      );
      return z.strictObject({ repository, ...fields });
    },
    example: { repository: "shop", ...example },
  };
}

/** A question about a change has to name what changes. */
function withTargets(row: HubRow): HubRow {
  const isGiven = (value: unknown) => {
    const { target_files, symbols } = value as Readonly<Record<string, readonly string[]>>;
    return (target_files?.length ?? 0) + (symbols?.length ?? 0) > 0;
  };
  return {
    ...row,
    buildSchema: () =>
      (row.buildSchema() as z.ZodObject).refine(isGiven, {
        message: "Give target files or symbols",
        params: { code: "missing_field" },
        path: ["target_files"],
      }),
    notice:
      "A hub knows the indexed commits alone: neither the past of the files nor changes that are not committed, nor which lines tests ran.",
  };
}
