/** Which failures a session can be left in spite of. */
import { strictEqual as equal } from "node:assert/strict";
import { CodeIntelError } from "../../../src/base/errors.ts";
import { findHindrance } from "../../../src/workflow/context/hindrance.ts";

Deno.test("findHindrance() takes git, the disk and the system, never a cancelled call or a bug", () => {
  const rows: readonly (readonly [unknown, string | null])[] = [
    [new CodeIntelError("git_failed", "x"), "git_failed"],
    [new CodeIntelError("timed_out", "x"), "timed_out"],
    [new CodeIntelError("own_path_refused", "x"), "own_path_refused"],
    [new CodeIntelError("control_file_unusable", "x"), "control_file_unusable"],
    [new Deno.errors.NotADirectory("x"), "io_failed"],
    [new Error("write: No space left on device (os error 28)"), "disk_full"],
    [new CodeIntelError("cancelled", "x"), null],
    [new CodeIntelError("busy", "x"), null],
    [new CodeIntelError("checkpoint_refused", "x"), null],
    [new Error("Invariant broken"), null],
    ["text", null],
  ];
  for (const [failure, code] of rows) equal(findHindrance(failure)?.code ?? null, code);
});
