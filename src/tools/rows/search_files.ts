/** The tool `search_files`. */
import * as z from "zod";
import type { FilesFound } from "../../explore/explorer.ts";
import type { ToolRow } from "../tool.ts";
import { buildOutcome, buildPageInput, lineField, listPageFields } from "../explore_fields.ts";

function buildSchema() {
  return z.strictObject({
    pattern: lineField(500).describe(
      "Glob (src/**/*_test.ts), or part of a name (login)",
    ),
    ...listPageFields(),
    "file_type": lineField(60).optional().describe("Such as ts, py, rust"),
  });
}

type Input = z.output<ReturnType<typeof buildSchema>>;

/** Files by glob or by name. */
export const searchFilesTool: ToolRow<Input> = {
  name: "search_files",
  title: "Search files",
  description: "Lists files by glob, or without wildcard by name, best first. " +
    "Names only: go on with get_symbols or search_text.",
  needs: "files",
  hints: { readOnly: true, destructive: false, idempotent: true },
  buildSchema,
  command: {
    name: "files",
    summary: "Find files by glob or by name",
    usage: "PATTERN",
    parameters: ["pattern"],
    example: `code-intel files "**/*_test.ts"`,
  },
  print: { list: "files", toLine: (entry, paint) => paint(String(entry), "path") },
  example: { pattern: "src/**/*.{ts,tsx}" },
  async run(input, context) {
    const answer = await context.services.explorer.searchFiles({
      ...buildPageInput(input),
      pattern: input.pattern,
      ...(input.file_type === undefined ? {} : { fileType: input.file_type }),
    }, { signal: context.signal });
    return buildOutcome<FilesFound, string>(answer, context, {
      tool: "search_files",
      input,
      listKey: "files",
      items: (found) => found.files,
      fields: (found) => ({ match: found.match }),
      files: () => undefined,
    });
  },
};
