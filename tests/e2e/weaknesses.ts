/**
 * Where each weakness of the reference (reference-behaviour.md L2 and L3) is held: the test file whose
 * name of a test cites it, or why it belongs to a later part of the program.
 */

/** A test file, or a reason. */
export type Whereabouts = { readonly test: string } | { readonly later: string };

const INDEX = "the index of the code is not built yet";
const MEANING = "search by meaning and its model are not built yet";
const INIT = "init and its templates are not built yet";
const QUERY = "the tool `query` is not built yet";

/** Weaknesses found by reading. */
export const L2: Readonly<Record<number, Whereabouts>> = {
  1: { test: "tests/model/combinations_test.ts" },
  2: { test: "tests/e2e/parking_slow.ts" },
  3: { test: "tests/e2e/weaknesses_test.ts" },
  4: { test: "tests/git/snapshots/restore_test.ts" },
  5: { test: "tests/e2e/failure_slow.ts" },
  6: { test: "tests/e2e/weaknesses_slow.ts" },
  7: { test: "tests/e2e/weaknesses_test.ts" },
  8: { test: "tests/e2e/failure_slow.ts" },
  9: { test: "tests/e2e/weaknesses_test.ts" },
  10: { test: "tests/e2e/places_slow.ts" },
  11: { test: "tests/e2e/parking_slow.ts" },
  12: { test: "tests/git/branches/branch_name_test.ts" },
  13: { test: "tests/git/branches/merge_test.ts" },
  14: { test: "tests/phase/flags_test.ts" },
  15: { test: "tests/e2e/weaknesses_test.ts" },
  16: { test: "tests/tools/call_test.ts" },
  17: { test: "tests/e2e/weaknesses_test.ts" },
  18: { test: "tests/e2e/weaknesses_test.ts" },
  19: { later: INIT },
  20: { later: INIT },
  21: { later: INDEX },
  22: { test: "tests/e2e/weaknesses_test.ts" },
  23: { later: QUERY },
  24: { test: "tests/backends/text_search_test.ts" },
  25: { later: "tree-sitter and its structure tool are not built yet" },
  26: { test: "tests/git/trees/changes_test.ts" },
  27: { test: "tests/mcp/tool_result_test.ts" },
  28: { test: "tests/e2e/concurrency_test.ts" },
  29: { test: "tests/git/trees/commit_tree_test.ts" },
};

/** Weaknesses seen by running it. */
export const L3: Readonly<Record<number, Whereabouts>> = {
  1: { test: "tests/git/branches/commit_test.ts" },
  2: { test: "tests/e2e/weaknesses_slow.ts" },
  3: { test: "tests/e2e/weaknesses_slow.ts" },
  4: { test: "tests/git/branches/branches_test.ts" },
  5: { test: "tests/e2e/weaknesses_slow.ts" },
  6: { test: "tests/e2e/weaknesses_test.ts" },
  7: { test: "tests/e2e/weaknesses_test.ts" },
  8: { test: "tests/e2e/weaknesses_test.ts" },
  9: { test: "tests/session/session_test.ts" },
  10: { test: "tests/e2e/weaknesses_test.ts" },
  11: { test: "tests/e2e/places_slow.ts" },
  12: { later: INDEX },
  13: { later: INDEX },
  14: { test: "tests/backends/walk_test.ts" },
  15: { test: "tests/backends/walk_test.ts" },
  16: { later: INDEX },
  17: { later: MEANING },
  18: { later: INDEX },
  19: { later: INDEX },
  20: { test: "tests/e2e/weaknesses_test.ts" },
  21: { test: "tests/backends/text_search_test.ts" },
  22: { test: "tests/backends/text_search_test.ts" },
  23: { test: "tests/e2e/weaknesses_test.ts" },
  24: { later: QUERY },
  25: { test: "tests/base/logger_test.ts" },
  26: { later: "the skill prompts that name call shapes come with init" },
  27: { later: INIT },
  28: { test: "tests/model/combinations_test.ts" },
  29: { later: MEANING },
};
