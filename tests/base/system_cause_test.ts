/** Causes outside the program: each has one code and a next step. */
import { match, strictEqual as equal } from "node:assert/strict";
import { makeIoError } from "../../src/base/errors.ts";
import { findSystemCause } from "../../src/base/system_cause.ts";

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
    equal(makeIoError("write", failure).code, code);
  }
  for (const other of [withCode("ENOENT"), "fatal: not a git repository", new Error("EIOX")]) {
    equal(findSystemCause(other), null, String(other));
  }
});
