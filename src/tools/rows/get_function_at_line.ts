/** The tool `get_function_at_line`. */
import * as z from "zod";
import type { FunctionFound } from "../../explore/explorer.ts";
import { buildOutcome, lineField, listPageFields } from "../explore_fields.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import { addRunBy } from "../run_fields.ts";
import type { ToolContext, ToolRow } from "../tool.ts";

/** Most lines of a function on one page; nearly all functions are shorter. */
const MAX_LINES = 2_000;
/** A function that is longer is shown around the line first (guessed, as the next two). */
const LONG_LINES = 120;
const WINDOW_LINES = 80;
const LINES_BEFORE = 30;

function buildSchema() {
  const { offset, max_bytes } = listPageFields();
  return z.strictObject({
    "file_path": lineField(4096).describe("One file"),
    "line_number": z.int().min(1).max(10_000_000).describe("First line is 1"),
    "context_lines": z.int().min(0).max(50).default(0).describe("Lines around it"),
    offset,
    max_bytes,
  });
}

type Input = z.output<ReturnType<typeof buildSchema>>;
type Answer = FunctionFound & { readonly runBy?: string };

/** The innermost function of a line. */
export const getFunctionAtLineTool: ToolRow<Input> = {
  name: "get_function_at_line",
  title: "Get function at line",
  description:
    "Gives the innermost function that holds a line, with its content; in no function, the nearest ones.",
  needs: "structure",
  hints: { readOnly: true, destructive: false, idempotent: true },
  buildSchema,
  command: {
    name: "function",
    summary: "Show the function that a line is in",
    usage: "FILE LINE",
    // FILE:LINE, as all output prints places, is one word.
    positionals: [1, 2],
    parameters: ["file_path", "line_number"],
    example: "code-intel function src/auth.ts:42",
  },
  print: { list: "content", toLine: (entry) => String(entry).split("\n") },
  example: { "file_path": "src/users/service.ts", "line_number": 42 },
  async run(input, context) {
    const asked = await context.services.explorer.getFunctionAtLine({
      path: input.file_path,
      line: input.line_number,
      contextLines: input.context_lines,
    }, { signal: context.signal });
    if (asked.kind === "refused") return buildOutcome(asked, context, buildOptions(input));
    const [answer = asked] = await addRunBy<Answer>(context.services, [asked], {
      toNamed: ({ definition }) => definition,
    });
    // The items of this page are lines, so the total is the number of lines.
    const total = answer.content.length;
    if (!isWindow(input, total, context)) {
      return buildOutcome<Answer, string>(
        { ...answer, total },
        context,
        buildOptions(input),
      );
    }
    const { startLine = 1 } = answer.definition ?? {};
    const offset = Math.max(0, input.line_number - startLine - LINES_BEFORE);
    const from = startLine + offset;
    const notice =
      `The function has ${total} lines; shown is from line ${from} on. Ask for line ${startLine} to see its beginning.`;
    const notices = offset === 0 ? {} : { notices: [...answer.notices ?? [], notice] };
    return buildOutcome<Answer, string>(
      { ...answer, total, ...notices },
      context,
      buildOptions({ ...input, offset }, WINDOW_LINES),
    );
  },
};

/** Whether a long function is shown around the line: where the caller asks for no page and no budget of their own. */
function isWindow(input: Input, lines: number, { maxBytes }: ToolContext): boolean {
  return lines > LONG_LINES && input.offset === 0 && input.max_bytes === undefined &&
    maxBytes <= LIMITS.replyDefaultBytes.value;
}

function buildOptions(input: Input, maxLines: number = MAX_LINES) {
  return {
    tool: "get_function_at_line",
    input,
    listKey: "content",
    items: ({ content }: Answer) => content.slice(input.offset, input.offset + maxLines),
    fields: ({ path, definition, contextBefore, contextAfter, nearest, runBy }: Answer) => ({
      filePath: path,
      lineNumber: input.line_number,
      function: definition ?? null,
      ...(runBy === undefined ? {} : { runBy }),
      ...(definition === undefined ? { nearest } : {}),
      ...(input.context_lines === 0 || definition === undefined
        ? {}
        : { contextBefore, contextAfter }),
    }),
    shrink: (line: string) => `${line.slice(0, 400)}…`,
    files: () => input.file_path,
  };
}
