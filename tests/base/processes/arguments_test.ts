/** Lists on command lines: what fits, and parts that do. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { delimiter, join } from "node:path";
import {
  batchArguments,
  findProgram,
  fitsCommandLine,
} from "../../../src/base/processes/arguments.ts";

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

Deno.test("fitsCommandLine() bounds number and length", () => {
  equal(fitsCommandLine([]), true);
  equal(fitsCommandLine(Array(1_000).fill("a")), true);
  equal(fitsCommandLine(Array(1_001).fill("a")), false);
  equal(fitsCommandLine(Array(1_000).fill("a".repeat(4_000))), false);
});

Deno.test("batchArguments() keeps every value in its order, a long one alone", () => {
  const values = Array.from({ length: 50_000 }, (_, at) => `some/folder/file_${at}.ts`);
  const batches = [...batchArguments(values)];
  ok(batches.length > 1);
  deepEqual(batches.flat(), values);
  deepEqual([...batchArguments([])], []);
  const long = "x".repeat(1_000_000);
  deepEqual([...batchArguments(["a", long, "b"])], [["a"], [long], ["b"]]);
});
