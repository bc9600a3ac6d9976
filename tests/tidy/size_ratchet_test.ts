/** No folder grows without a reason: its lines of code and files are held by a table. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { countCodeLines, measureFolders } from "../../tools/size/count.ts";
import { findGrown, lowerTable, measureSources, readTable } from "../../tools/size/table.ts";
import { expectNone } from "./source_files.ts";

Deno.test("no folder holds more code than its row of tools/size/sizes.json allows", async () => {
  expectNone(
    findGrown(await measureSources(), await readTable()),
    "Delete what the change makes superfluous; `deno task size` shows all folders and lowers rows.",
  );
});

Deno.test("countCodeLines() counts neither comments nor blank lines, and each line of a text", () => {
  deepEqual(countCodeLines("/** a\n * b\n */\nconst a = `\n// c\n`; // d\n\n  // e\n"), 3);
});

Deno.test("measureFolders() counts features by themselves, and tests as a whole", () => {
  const files = ["src/git/a/b.ts", "src/git/c.ts", "src/features/hub/d.ts", "tests/git/e.ts"]
    .map((path) => ({ path, text: "f();\n" }));
  deepEqual(Object.fromEntries(measureFolders(files)), {
    "src/features/hub": { lines: 1, files: 1 },
    "src/git": { lines: 2, files: 2 },
    "tests": { lines: 1, files: 1 },
  });
});

Deno.test("findGrown() names a folder above its row or without one; lowerTable() only lowers", () => {
  const table = { "src/a": { lines: 10, files: 2, reason: "b" }, "src/c": { lines: 10, files: 1 } };
  const sizes = new Map([
    ["src/a", { lines: 8, files: 3 }],
    ["src/c", { lines: 11, files: 1 }],
    ["src/d", { lines: 1, files: 1 }],
  ]);
  deepEqual(findGrown(sizes, table).map((sentence) => sentence.split(":")[0]), [
    "src/a",
    "src/c",
    "src/d has no row in tools/size/sizes.json",
  ]);
  deepEqual(lowerTable(sizes, table), {
    "src/a": { lines: 8, files: 2, reason: "b" },
    "src/c": { lines: 10, files: 1 },
    "src/d": { lines: 1, files: 1 },
  });
});
