/** Names of parameters that mean the same, on the schemas of the real tools. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { buildInputSchema, resolveParameterAliases } from "../../src/tools/input_schema.ts";
import { findTool } from "../../src/tools/tools.ts";

type Fields = Readonly<Record<string, unknown>>;

const ROWS: readonly (readonly [tool: string, given: Fields, expected: Fields])[] = [
  ["get_symbols", { file_path: "a.ts" }, { path: "a.ts" }],
  ["get_function_at_line", { path: "a.ts", line: 5 }, { file_path: "a.ts", line_number: 5 }],
  ["analyze_impact", { path: "a.ts" }, { target_files: ["a.ts"] }],
  ["analyze_impact", { files: ["a.ts", "b.ts"] }, { target_files: ["a.ts", "b.ts"] }],
  ["check_write_target", { path: "a.ts" }, { file_path: "a.ts" }],
  ["check_write_target", { files: ["a.ts"] }, { file_paths: ["a.ts"] }],
  ["find_definitions", { name: "save", limit: 3 }, { symbol: "save", max_results: 3 }],
  ["search_text", { query: "fee" }, { pattern: "fee" }],
  ["search_text", { patterns: ["fee", "due"] }, { pattern: ["fee", "due"] }],
  ["search_files", { glob: "*.ts" }, { pattern: "*.ts" }],
  ["search_text", { glob: "*.ts", query: "fee" }, { globs: ["*.ts"], pattern: "fee" }],
  ["search_text", { pattern: "a", regex: true }, { pattern: "a", fixed: false }],
  ["search_text", { pattern: "a", ignore_case: true }, { pattern: "a", case_sensitive: false }],
  ["search_text", { regex: "a.b", literal: false }, { pattern: "a.b", fixed: false }],
  ["search_text", { pattern: "a", fixed: true, regex: true }, { pattern: "a", fixed: true }],
  ["query", { query: "where?" }, { question: "where?" }],
  // What is given under its own name, and what nothing is like, stays for the check.
  ["get_symbols", { path: "a.ts", file: "b.ts" }, { path: "a.ts", file: "b.ts" }],
  ["get_symbols", { fil: "a.ts" }, { fil: "a.ts" }],
];

Deno.test("resolveParameterAliases() takes the name of another tool for the tool's own", () => {
  for (const [tool, given, expected] of ROWS) {
    const row = findTool(tool);
    deepEqual(row && resolveParameterAliases(given, buildInputSchema(row)), expected, tool);
  }
});
