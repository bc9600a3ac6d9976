/** Which exit code stands for which reply. */
import { strictEqual as equal } from "node:assert/strict";
import type { Reply } from "../../src/base/reply.ts";
import { chooseExitCode } from "../../src/cli/answer.ts";

const refused = (error: string): Reply => ({ ok: false, error, message: "m" });

Deno.test("chooseExitCode() gives 0 done, 1 refused or nothing found, 2 failed, 64 bad usage, 70 a bug", () => {
  const rows: readonly (readonly [reply: Reply, code: number])[] = [
    [{ ok: true }, 0],
    [{ ok: true, total: 3 }, 0],
    [{ ok: true, total: 0 }, 1],
    [refused("payload_mismatch"), 1],
    [refused("phase_blocked"), 1],
    [refused("toString"), 1],
    [refused("git_missing"), 2],
    [refused("busy"), 2],
    [refused("internal_error"), 70],
    [refused("invalid_arguments"), 64],
  ];
  for (const [reply, code] of rows) equal(chooseExitCode(reply), code, JSON.stringify(reply));
});
