/** Which changed lines say something new, in languages with and without a meaning of blanks. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { findNewStatements } from "../../src/evidence/own_work.ts";
import { changedLines } from "../../src/git/trees/changed_lines.ts";
import { createTempRepo } from "../support/temp_repo.ts";

interface Row {
  readonly about: string;
  readonly path?: string;
  readonly before: string;
  readonly after: string;
  /** Present lines with own work, and gaps after lines, such as `-3`. */
  readonly own: readonly number[];
}

const CODE = "a();\nb();\nc();\n";

const ROWS: readonly Row[] = [
  { about: "a new line", before: CODE, after: "a();\nx();\nb();\nc();\n", own: [2] },
  { about: "a changed value", before: "a(1);\n", after: "a(2);\n", own: [1] },
  { about: "an indented line", before: CODE, after: "a();\n    b();\nc();\n", own: [] },
  { about: "another line end", before: CODE, after: "a();\nb();\r\nc();\n", own: [] },
  { about: "blanks within a line", before: "a(1,2);\n", after: "a( 1, 2 );\n", own: [] },
  { about: "blanks within a string", before: 'a("x y");\n', after: 'a("x  y");\n', own: [1] },
  { about: "two words made one", before: "return x;\n", after: "returnx;\n", own: [1] },
  { about: "a comment behind code", before: CODE, after: "a();\nb(); // done\nc();\n", own: [] },
  { about: "a comment of its own", before: CODE, after: "// done\na();\nb();\nc();\n", own: [] },
  { about: "code beside a comment", before: CODE, after: "a();\nb(1); // done\nc();\n", own: [2] },
  { about: "a line that moved", before: CODE, after: "b();\nc();\na();\n", own: [] },
  {
    about: "a line that moved and one that is new",
    before: CODE,
    after: "b();\nc();\nx();\na();\n",
    own: [3],
  },
  {
    about: "a call over several lines",
    before: "f(a, b);\n",
    after: "f(\n  a,\n  b,\n);\n",
    own: [],
  },
  { about: "lines that are gone", before: CODE, after: "a();\nc();\n", own: [-1] },
  { about: "comments that are gone", before: "a();\n// b\nc();\n", after: "a();\nc();\n", own: [] },
  {
    about: "the place that lines left",
    before: "a();\nb();\nc();\nd();\ne();\n",
    after: "a();\nc();\nd();\ne();\nb();\n",
    own: [],
  },
  {
    about: "a block in Python that ends earlier",
    path: "a.py",
    before: "if x:\n    a()\n    b()\n",
    after: "if x:\n    a()\nb()\n",
    own: [3],
  },
  {
    about: "a call in Python over several lines",
    path: "a.py",
    before: "f(a, b)\n",
    after: "f(\n    a,\n    b,\n)\n",
    own: [],
  },
  {
    about: "a comment in Python",
    path: "a.py",
    before: "a()\n",
    after: "a()  # done\n",
    own: [],
  },
  { about: "a line of a text", path: "a.txt", before: "one\n", after: "one\ntwo\n", own: [2] },
];

Deno.test("findNewStatements() judges what git says of two trees", async (test) => {
  const toFiles = (side: "before" | "after") =>
    Object.fromEntries(ROWS.map((row, at) => [`${at}/${row.path ?? "a.ts"}`, row[side]]));
  await using temp = await createTempRepo({ files: toFiles("before") });
  await temp.write(toFiles("after"));
  await temp.git("add", "-A");
  const changes = await changedLines(temp.repo, "HEAD", await temp.git("write-tree"));
  for (const [at, { about, path = "a.ts", before, after, own }] of ROWS.entries()) {
    await test.step(about, () => {
      const hunks = changes.get(`${at}/${path}`)?.hunks ?? [];
      const { lines, gaps } = findNewStatements({ path, before, after, hunks });
      deepEqual([...lines, ...[...gaps].map((line) => -line)], own);
    });
  }
});
