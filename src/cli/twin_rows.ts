/** The table of commands that do the same as a tool. */

/** One such command: its tool, and which parameters are given without an option name. */
export interface TwinRow {
  readonly tool: string;
  readonly usage: string;
  readonly positionals: readonly [min: number, max: number];
  /** The parameter that takes the positional arguments. */
  readonly parameter: string;
  /** The parameter for the last of two positional arguments, where it has one of its own. */
  readonly second?: string;
  readonly example: string;
}

/** Every such command by its name. */
export const TWINS: Readonly<Record<string, TwinRow>> = {
  "session start": {
    tool: "start_session",
    usage: "QUERY",
    positionals: [1, 1],
    parameter: "query",
    example: `code-intel session start --intent IMPLEMENT "add a login form"`,
  },
  "session status": {
    tool: "get_session_status",
    usage: "[SESSION]",
    positionals: [0, 1],
    parameter: "session_id",
    example: "code-intel session status",
  },
  "session explore": {
    tool: "add_explored_files",
    usage: "PATH...",
    positionals: [1, 200],
    parameter: "files",
    example: "code-intel session explore Makefile docs",
  },
  "session rules": {
    tool: "update_context",
    usage: "SUMMARY",
    positionals: [0, 1],
    parameter: "project_rules_summary",
    example: `code-intel session rules "Services own business logic; no SQL in controllers."`,
  },
  review: {
    tool: "review_changes",
    usage: "[PATH]",
    positionals: [0, 1],
    parameter: "path",
    example: "code-intel review src",
  },
  "check-write": {
    tool: "check_write_target",
    usage: "PATH...",
    positionals: [1, 200],
    parameter: "file_paths",
    example: "code-intel check-write src/auth.ts",
  },
  text: {
    tool: "search_text",
    usage: "PATTERN...",
    positionals: [1, 5],
    parameter: "pattern",
    example: `code-intel text "login\\(" --path src`,
  },
  files: {
    tool: "search_files",
    usage: "PATTERN",
    positionals: [1, 1],
    parameter: "pattern",
    example: `code-intel files "**/*_test.ts"`,
  },
  def: {
    tool: "find_definitions",
    usage: "SYMBOL",
    positionals: [1, 1],
    parameter: "symbol",
    example: "code-intel def AuthService.login",
  },
  refs: {
    tool: "find_references",
    usage: "SYMBOL",
    positionals: [1, 1],
    parameter: "symbol",
    example: "code-intel refs login",
  },
  symbols: {
    tool: "get_symbols",
    usage: "PATH",
    positionals: [1, 1],
    parameter: "path",
    example: "code-intel symbols src/auth.ts",
  },
  structure: {
    tool: "analyze_structure",
    usage: "PATH",
    positionals: [1, 1],
    parameter: "file_path",
    example: "code-intel structure src/auth.ts",
  },
  function: {
    tool: "get_function_at_line",
    usage: "FILE LINE",
    // FILE:LINE, as all output prints places, is one word.
    positionals: [1, 2],
    parameter: "file_path",
    second: "line_number",
    example: "code-intel function src/auth.ts:42",
  },
  query: {
    tool: "query",
    usage: "QUESTION",
    positionals: [1, 1],
    parameter: "question",
    example: `code-intel query "where is the login checked?"`,
  },
  search: {
    tool: "semantic_search",
    usage: "QUESTION",
    positionals: [1, 1],
    parameter: "query",
    example: `code-intel search "where are expired sessions refreshed"`,
  },
  impact: {
    tool: "analyze_impact",
    usage: "[FILE...]",
    positionals: [0, 200],
    parameter: "target_files",
    example: "code-intel impact --diff",
  },
  chunk: {
    tool: "fetch_chunk_detail",
    usage: "ID...",
    positionals: [1, 20],
    parameter: "chunk_id",
    example: "code-intel chunk 0f1e2d3c4b5a6978:12-40",
  },
};
