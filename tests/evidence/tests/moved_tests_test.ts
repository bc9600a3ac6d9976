/** Which tests of before are no loss: those that stand elsewhere, and those of functions that are gone. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import type { DiffedFile } from "../../../src/evidence/tests/diffed_file.ts";
import { findWeakenedTests } from "../../../src/evidence/tests/weakened_tests.ts";

const LABEL = `def test_label():
    assert label(" red ") == "Red"
`;
const TOTAL = `def test_total():
    assert total([5, 2]) == 7


`;

function toFile(path: string, before: string, after: string): DiffedFile {
  const toLines = (text: string, other: string) =>
    text.split("\n").flatMap((line, at) =>
      other.split("\n").includes(line) ? [] : [{ text: line, line: at + 1 }]
    );
  const kind = before === "" ? "added" : after === "" ? "deleted" : "modified";
  const [removed, added] = [toLines(before, after), toLines(after, before)];
  return { path, kind, before, after, removed, added };
}

async function find(
  files: readonly DiffedFile[],
  { gone = [], fresh = [], there = [] }: Readonly<Record<string, readonly string[]>> = {},
) {
  const deleted = fresh.length === 0 ? gone : [];
  const names = { gone, fresh, deleted, there: new Set(there) };
  const { weakened, moved } = await findWeakenedTests(files, undefined, names);
  return [
    weakened.map(({ kind }) => kind),
    moved.map(({ block, how }) => `${block.name} ${how}`),
  ];
}

Deno.test("a test with the same code in another file or under another name has moved", async () => {
  const files = (label: string) => [
    toFile("tests/test_cart.py", TOTAL + LABEL, TOTAL),
    toFile("tests/test_label.py", "", label),
  ];
  deepEqual(await find(files(LABEL)), [[], ["test_label moved"]]);
  deepEqual(await find(files(LABEL.replace('"Red"', '"red"'))), [
    ["tests_removed", "assertions_removed"],
    [],
  ]);
  // What no runner takes for a test is none.
  deepEqual((await find(files(LABEL.replace("test_", "check_"))))[1], []);
  const other = TOTAL + LABEL.replace("test_label", "test_title");
  deepEqual(await find([toFile("tests/test_cart.py", TOTAL + LABEL, other)]), [
    [],
    ["test_label moved"],
  ]);
});

Deno.test("a test of a renamed function has moved, one of a deleted function is left; one that calls what is there is neither", async () => {
  const renamed = TOTAL + LABEL.replaceAll("label", "caption");
  const names = { gone: ["label"], fresh: ["caption"], there: ["caption", "total"] };
  deepEqual(await find([toFile("tests/test_cart.py", TOTAL + LABEL, renamed)], names), [
    [],
    ["test_label moved"],
  ]);
  const without = [toFile("tests/test_cart.py", TOTAL + LABEL, TOTAL)];
  deepEqual(await find(without, { gone: ["label"], there: ["total"] }), [[], ["test_label left"]]);
  deepEqual(await find(without, names), [["tests_removed", "assertions_removed"], []]);
  const both = `${LABEL}    assert total([1]) == 1\n`;
  const file = toFile("tests/test_cart.py", TOTAL + both, TOTAL);
  deepEqual((await find([file], { gone: ["label"], there: ["total"] }))[1], []);
});
