/** The table of operational failures, pinned: clients and scripts rely on its codes. */
import {
  deepStrictEqual as deepEqual,
  match,
  ok,
  strictEqual as equal,
  throws,
} from "node:assert/strict";
import {
  assertNever,
  CodeIntelError,
  ERROR_CODES,
  invariant,
  makeIoError,
} from "../../src/base/errors.ts";

Deno.test("ERROR_CODES holds these codes with these exit codes", () => {
  const rows = Object.entries(ERROR_CODES).map(([code, { canRetry, exitCode }]) =>
    `${code} ${exitCode}${canRetry ? " retry" : ""}`
  );
  deepEqual(rows, [
    "arguments_too_long 2",
    "bad_usage 64",
    "backend_missing 2",
    "backend_failed 2 retry",
    "busy 2 retry",
    "cancelled 2 retry",
    "checkpoint_damaged 2",
    "checkpoint_refused 2 retry",
    "checkpoint_tampered 2",
    "checkpoint_version 2",
    "config_invalid 2",
    "control_file_unusable 2",
    "disk_full 2 retry",
    "embedding_failed 2 retry",
    "git_failed 2",
    "git_locked 2 retry",
    "git_missing 2",
    "git_too_old 2",
    "git_under_way 2",
    "io_failed 2 retry",
    "manifest_failed 1",
    "model_missing 2",
    "not_a_project 2",
    "own_path_refused 2",
    "port_taken 2",
    "remote_unusable 2 retry",
    "resources_short 2 retry",
    "start_refused 2",
    "network_denied 2",
    "store_failed 2 retry",
    "store_newer 2",
    "store_refused 2",
    "store_unreachable 2 retry",
    "store_untrusted 2",
    "thread_lost 2 retry",
    "too_many_files 2 retry",
    "timed_out 2 retry",
  ]);
});

Deno.test("each row of ERROR_CODES says in a sentence what it means", () => {
  for (const [code, { meaning }] of Object.entries(ERROR_CODES)) {
    match(meaning, /^[A-Za-z].+\.$/, code);
  }
});

Deno.test("CodeIntelError carries code, hint, details and cause", () => {
  const cause = new Error("inner");
  const error = new CodeIntelError("git_failed", "Cannot commit", {
    hint: "Try again.",
    details: { status: 128 },
    cause,
  });
  ok(error instanceof Error);
  deepEqual(
    [error.name, error.code, error.message, error.hint, error.details, error.cause],
    ["CodeIntelError", "git_failed", "Cannot commit", "Try again.", { status: 128 }, cause],
  );
  const bare = new CodeIntelError("busy", "x");
  deepEqual([bare.hint, bare.details, "cause" in bare], ["", {}, false]);
});

Deno.test("makeIoError() tells a full disk from other failures and wraps only once", () => {
  const rows: readonly (readonly [cause: unknown, code: string])[] = [
    [new Error("No space left on device (os error 28)"), "disk_full"],
    [new Error("ENOSPC: write"), "disk_full"],
    [new Error("Too many open files (os error 24): open '/a'"), "too_many_files"],
    [new Error("Too many open files in system (os error 23)"), "too_many_files"],
    [new Error("EMFILE: too many open files, open '/a'"), "too_many_files"],
    [new Error("Permission denied (os error 13)"), "io_failed"],
    ["text", "io_failed"],
  ];
  for (const [cause, code] of rows) {
    const error = makeIoError('write "a"', cause);
    equal(error.code, code);
    equal(error.cause, cause);
    ok(String(error.hint).length > 0);
    equal(makeIoError("again", error), error);
  }
});

Deno.test("invariant() and assertNever() throw plain errors, because they mark bugs", () => {
  invariant(true, "holds");
  throws(() => invariant(0, "a is 1"), { name: "Error", message: "Invariant broken: a is 1" });
  throws(() => assertNever({ a: 1 } as never), { name: "Error", message: /\{"a":1\}/ });
});
