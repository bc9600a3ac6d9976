/** Why the tests run less than four fifths of some files. */

const HOOKS = "tests/cli/commands/hook_slow.ts runs the rest, in processes of their own";

/** Reasons by the path of the file. */
export const REASONS: Readonly<Record<string, string>> = {
  "src/hooks/hook_events.ts": HOOKS,
  "src/hooks/active_session.ts": HOOKS,
  "src/workflow/hook_door.ts": HOOKS,
  "src/index/vectors/sqlite_vec.ts": "the rest is the executable's: deno task prove",
};
