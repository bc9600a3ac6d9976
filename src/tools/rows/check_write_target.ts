/** The tool `check_write_target`: may these files be written now? */
import * as z from "zod";
import { pathField } from "../explore_fields.ts";
import type { ToolRow } from "../tool.ts";

function buildSchema() {
  return z.strictObject({
    file_path: pathField("One file").optional(),
    file_paths: z.array(pathField()).min(1).max(200).describe("Files, folders, globs").optional(),
    allow_new_files: z.boolean().default(true).describe("Files may be new"),
  }).refine(({ file_path, file_paths }) => (file_path ?? file_paths) !== undefined, {
    message: "Neither `file_path` nor `file_paths` is given",
    params: { code: "missing_field" },
    path: ["file_path"],
    when: ({ value }) => typeof value === "object" && value !== null,
  });
}

/** The row of the tool. */
export const checkWriteTargetTool: ToolRow<z.infer<ReturnType<typeof buildSchema>>> = {
  name: "check_write_target",
  title: "May I write?",
  description:
    "Call before edits that no hook sees: clears files for writing, or says why not. A change to another file is asked about.",
  needs: null,
  hints: { readOnly: false, destructive: false, idempotent: true },
  buildSchema,
  command: {
    name: "check-write",
    summary: "Ask whether files may be written now",
    usage: "PATH...",
    parameters: ["file_paths"],
    example: "code-intel check-write src/auth.ts",
  },
  example: { file_paths: ["src/auth.ts", "tests/auth_test.ts"] },
  async run({ file_path, file_paths = [], allow_new_files }, { services }) {
    const paths = [...(file_path === undefined ? [] : [file_path]), ...file_paths];
    const reply = await services.workflow.checkWriteTarget({
      paths: [...new Set(paths)],
      allowNewFiles: allow_new_files,
      isShown: true,
    });
    return { reply };
  },
};
