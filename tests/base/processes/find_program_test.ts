/** Programs are found as the system finds them: on PATH or by their path, and only files that can be run. */
import { strictEqual as equal } from "node:assert/strict";
import { delimiter, join } from "node:path";
import { findProgram } from "../../../src/base/processes/arguments.ts";

Deno.test("findProgram() takes the first file on PATH that can be run, and paths from the working folder", async () => {
  const cwd = await Deno.makeTempDir({ prefix: "code-intel-program-" });
  try {
    const [first, second] = [join(cwd, "first"), join(cwd, "second")];
    for (const folder of [first, second, join(cwd, "folder")]) await Deno.mkdir(folder);
    await Deno.writeTextFile(join(first, "tool"), "", { mode: 0o644 });
    await Deno.writeTextFile(join(second, "tool"), "", { mode: 0o755 });
    const path = ["/no/such/folder", "", first, second].join(delimiter);
    const rows: readonly (readonly [name: string, expected: string | null])[] = [
      ["tool", join(second, "tool")],
      ["none", null],
      ["./second/tool", join(second, "tool")],
      ["./first/tool", null],
      ["second", null],
      [join(second, "tool"), join(second, "tool")],
    ];
    for (const [name, expected] of rows) {
      equal(await findProgram(name, { cwd, path }), expected, name);
    }
    equal(await findProgram("tool", { cwd: second, path: "" }), null);
  } finally {
    await Deno.remove(cwd, { recursive: true });
  }
});
