/** Which failures have their cause in the system, and that each cause has one code and a next step. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { toIoError, toOperational } from "../../src/base/errors.ts";
import { findSystemCause, isOfSystem } from "../../src/base/system_cause.ts";

const withCode = (code: string, message = "x") => Object.assign(new Error(message), { code });

/** What the runtime, Node's functions, git and SQLite say, with code and the first words of the next step. */
const ROWS: readonly (readonly [failure: unknown, code: string, hint: RegExp])[] = [
  [withCode("ENOSPC"), "disk_full", /^Free some space/],
  [new Error("No space left on device (os error 28): writefile"), "disk_full", /^Free/],
  ["fatal: sha1 file '.git/index.lock' write error. Out of diskspace", "disk_full", /^Free/],
  ["error: unable to write loose object file: No space left on device", "disk_full", /^Free/],
  [new Error("database or disk is full"), "disk_full", /^Free/],
  [withCode("EDQUOT"), "disk_full", /^Remove files of this account/],
  ["fatal: write error: Disk quota exceeded", "disk_full", /^Remove/],
  [new Error("Quota exceeded (os error 122)"), "disk_full", /^Remove/],
  [withCode("EROFS"), "io_failed", /^Mount it for writing/],
  ["fatal: Unable to create '.git/index.lock': Read-only file system", "io_failed", /^Mount/],
  [withCode("EIO"), "io_failed", /^Check the disk/],
  ["error: unable to write file a.ts: Input/output error", "io_failed", /^Check the disk/],
  [withCode("EMFILE"), "too_many_files", /^Raise the limit/],
];

Deno.test("findSystemCause() gives each cause one code and a next step, whoever says it", () => {
  for (const [failure, code, hint] of ROWS) {
    const cause = findSystemCause(failure);
    equal(cause?.code, code, String(failure));
    match(String(cause?.hint), hint);
    equal(toIoError("write", failure).code, code);
  }
  for (const other of [withCode("ENOENT"), "fatal: not a git repository", new Error("EIOX")]) {
    equal(findSystemCause(other), null, String(other));
  }
});

Deno.test("isOfSystem() takes what the system refused, and no mistake of the program", () => {
  const rows: readonly (readonly [unknown, boolean])[] = [
    [withCode("ENOSPC"), true],
    [withCode("ENOENT"), true],
    [new Deno.errors.NotADirectory("x"), true],
    [new Deno.errors.BadResource("x"), false],
    [new Deno.errors.NotCapable("x"), false],
    [withCode("ERR_INVALID_ARG_TYPE"), false],
    [new TypeError("x is undefined"), false],
    [new Error("Invariant broken"), false],
    ["ENOSPC", false],
  ];
  for (const [failure, isSystem] of rows) equal(isOfSystem(failure), isSystem, String(failure));
});

Deno.test("toOperational() words what the system refused, and leaves a bug alone", () => {
  const { code, message } = toOperational(withCode("EROFS")) ?? {};
  deepEqual([code, message], ["io_failed", "Cannot reach a file: the file system is read-only"]);
  equal(toOperational(new Error("Invariant broken")), null);
});
