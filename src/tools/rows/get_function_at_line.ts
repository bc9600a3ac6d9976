/** The tool `get_function_at_line`. */
import * as z from "zod";
import type { FunctionFound } from "../../explore/mod.ts";
import { lineField, PAGE_FIELDS, toOutcome } from "../explore_fields.ts";
import type { ToolRow } from "../tool.ts";

/** Most lines of a function on one page; nearly all functions are shorter. */
const MAX_LINES = 2_000;

const SCHEMA = z.strictObject({
  "file_path": lineField(4096).describe("One file"),
  "line_number": z.int().min(1).max(10_000_000).describe("First line is 1"),
  "context_lines": z.int().min(0).max(50).default(0).describe("Lines around it"),
  offset: PAGE_FIELDS.offset,
  max_bytes: PAGE_FIELDS.max_bytes,
});

type Input = z.output<typeof SCHEMA>;

/** The innermost function of a line. */
export const getFunctionAtLineTool: ToolRow<Input> = {
  name: "get_function_at_line",
  title: "Get function at line",
  description:
    "Gives the innermost function that holds a line, with its content; in no function, the nearest ones.",
  needs: "structure",
  hints: { readOnly: true, destructive: false, idempotent: true },
  schema: SCHEMA,
  example: { "file_path": "src/users/service.ts", "line_number": 42 },
  async run(input, context) {
    const answer = await context.services.explorer.getFunctionAtLine({
      path: input.file_path,
      line: input.line_number,
      contextLines: input.context_lines,
    }, { signal: context.signal });
    if (answer.kind === "refused") return toOutcome(answer, context, toOptions(input));
    // The items of this page are lines, so the total is the number of lines.
    const total = answer.content.length;
    return toOutcome<FunctionFound, string>({ ...answer, total }, context, toOptions(input));
  },
};

function toOptions(input: Input) {
  return {
    tool: "get_function_at_line",
    input,
    listKey: "content",
    items: ({ content }: FunctionFound) => content.slice(input.offset, input.offset + MAX_LINES),
    fields: ({ path, definition, contextBefore, contextAfter, nearest }: FunctionFound) => ({
      filePath: path,
      lineNumber: input.line_number,
      function: definition ?? null,
      ...(definition === undefined ? { nearest } : {}),
      ...(input.context_lines === 0 || definition === undefined
        ? {}
        : { contextBefore, contextAfter }),
    }),
    shrink: (line: string) => `${line.slice(0, 400)}…`,
    files: () => input.file_path,
  };
}
