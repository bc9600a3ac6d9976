/** Failures as clients get them. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { CodeIntelError } from "../../src/base/errors.ts";
import { toFailure } from "../../src/tools/fit.ts";

Deno.test("toFailure() keeps the code and hint of an operational failure", () => {
  const failure = new CodeIntelError("git_missing", "Cannot run git", { hint: "Install git." });
  deepEqual(toFailure(failure, { note() {} }), {
    ok: false,
    error: "git_missing",
    message: "Cannot run git",
    hint: "Install git.",
  });
});

Deno.test("toFailure() shows an incident for a bug and its stack only in the log", () => {
  const notes: string[] = [];
  const logger = { note: (line: string) => void notes.push(line) };
  const reply = toFailure(new Error("secret detail"), logger);
  equal(reply.error, "internal_error");
  equal(JSON.stringify(reply).includes("secret detail"), false);
  match(notes[0] ?? "", new RegExp(`incident ${reply["incident"]}: Error: secret detail\n`));
});

Deno.test("toFailure() called what the system refused a bug: it names the cause and the next step, and logs where it was", () => {
  const notes: string[] = [];
  const full = Object.assign(new Error("ENOSPC: no space left on device, write"), {
    code: "ENOSPC",
  });
  const reply = toFailure(full, { note: (line) => void notes.push(line) });
  equal(reply.error, "disk_full");
  match(String(reply["hint"]), /^Free some space/);
  match(notes[0] ?? "", /incident \w+: Error: ENOSPC/);
});
