/** What a brief review counts and shows of a diff. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { listCoveredLines, shortenHunks } from "../../../src/workflow/calls/review_hunks.ts";
import { toDoneTask } from "../../phase/samples.ts";

const FIRST = "@@ -1,2 +1,3 @@\n one\n+two\n three\n";
const SECOND = "@@ -10,2 +11,1 @@ head\n-+gone\n kept\n";

const ROWS: readonly (readonly [
  covered: readonly (readonly [number, number])[],
  diff: string,
  places: readonly string[],
])[] = [
  [[], FIRST + SECOND, ["2", "11"]],
  [[[2, 2]], SECOND, ["11"]],
  [[[11, 40]], FIRST, ["2"]],
  [[[1, 99]], "", []],
];

Deno.test("shortenHunks() counts all lines and keeps the hunks with a line that no evidence covers", () => {
  for (const [covered, diff, places] of ROWS) {
    deepEqual(shortenHunks(`new file mode 100755\n${FIRST}${SECOND}`, covered), {
      added: 1,
      removed: 1,
      diff,
      places,
    });
  }
});

Deno.test("shortenHunks() wants no evidence on blank lines beside others", () => {
  const beside = "@@ -1,1 +1,3 @@\n one\n+\n+two\n";
  const alone = "@@ -9,1 +11,2 @@\n nine\n+  \n";
  deepEqual(shortenHunks(beside + alone, [[3, 3]]).diff, alone);
});

Deno.test("shortenHunks() names the lines without evidence alone, and no imports", () => {
  const lines = ["+one", "+two", " kept", "+four", "+", "+six", "-gone", " kept", "-gone too"];
  const partly = `@@ -5,4 +10,7 @@\n${lines.join("\n")}\n`;
  deepEqual(shortenHunks(partly, [[11, 11]]).places, ["10", "13-15", "17"]);
  const imports = [
    "+import a",
    "+from b import (",
    "+  c,",
    "+)",
    ' use "d";',
    "+use e::f;",
    "-import {",
    "-  g,",
    '-} from "./g.ts";',
    '+#include "h.h"',
    '+const i = require("i");',
    '+require_relative "k"',
  ];
  const head = `@@ -1,4 +1,8 @@\n${imports.join("\n")}\n`;
  deepEqual(shortenHunks(head, []), { added: 8, removed: 3, diff: "", places: [] });
  const used = `${head}+const j = await import("./j.ts");\n+important(1);\n`;
  deepEqual(shortenHunks(used, []).places, ["10-11"]);
});

Deno.test("listCoveredLines() takes the lines of a file's own evidence", () => {
  const task = toDoneTask("task_1");
  const tasks = [{
    ...task,
    checklist: ["src/a.ts:3-9", "src/b.ts:1", "src/a.ts:deleted", "src/a.ts:20"].map((
      evidence,
    ) => ({
      item: evidence,
      status: "done" as const,
      evidence,
    })),
  }];
  deepEqual(listCoveredLines(tasks, "src/a.ts" as never), [[3, 9], [20, 20]]);
});
