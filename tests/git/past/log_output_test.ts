/** The output of git about commits: every form that a file's change takes, and what others put into it. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { parseLog } from "../../../src/git/log/read_log.ts";

const BOUNDS = { maxFiles: 3, maxPathChars: 40, maxMessageChars: 20 };
const [ONE, TWO, THREE] = ["1", "2", "3"].map((digit) => digit.repeat(40));

function toOutput(id: string | undefined, parents: string, message: string, files = ""): string {
  return `\0\0${id}\0${parents}\0${7}\0${message}\n\0${files === "" ? "" : `\n${files}`}`;
}

function read(files: string) {
  return parseLog(toOutput(ONE, "", "Work", files), BOUNDS)[0]?.files;
}

Deno.test("parsePast() reads every kind of change", () => {
  deepEqual(read("M\0a.ts\0"), [{ path: "a.ts" }]);
  deepEqual(read("A\0a.ts\0T\0b.ts\0"), [{ path: "a.ts" }, { path: "b.ts" }]);
  deepEqual(read("D\0a.ts\0"), [{ path: "a.ts", isRemoved: true }]);
  deepEqual(read("R087\0old.ts\0new.ts\0"), [{ path: "new.ts", from: "old.ts" }]);
  deepEqual(read("C100\0old.ts\0new.ts\0M\0b\0"), [{ path: "new.ts" }, { path: "b" }]);
});

Deno.test("parsePast() reads names with line breaks, and names that look like a status or a commit", () => {
  deepEqual(read("M\0a\nM\nb.ts\0"), [{ path: "a\nM\nb.ts" }]);
  deepEqual(read("M\0M\0A\0D\0"), [{ path: "M" }, { path: "D" }]);
  deepEqual(read(`M\0${TWO}\0`), [{ path: TWO }]);
});

Deno.test("parsePast() reads commits without files, parents or message, in their order", () => {
  const output = toOutput(ONE, `${TWO} ${THREE}`, "Merge") + toOutput(TWO, "", "", "M\0a\0") +
    toOutput(THREE, "", "Nothing");
  const commits = parseLog(output, BOUNDS);
  deepEqual(
    commits.map(({ id, parents, message, changed }) => [id, parents.length, message, changed]),
    [[ONE, 2, "Merge", 0], [TWO, 0, "", 1], [THREE, 0, "Nothing", 0]],
  );
});

Deno.test("parsePast() keeps no files of a mass commit, but their number, and the beginning of a long message", () => {
  const many = parseLog(
    toOutput(ONE, TWO ?? "", "x".repeat(1_000_000), "M\0a\0M\0b\0M\0c\0M\0d\0") +
      toOutput(TWO, "", "Next", `M\0${"p".repeat(50)}\0`),
    BOUNDS,
  );
  deepEqual(many.map(({ changed, files, message }) => [changed, files.length, message.length]), [
    [4, 0, 20],
    [1, 0, 4],
  ]);
});

Deno.test("parsePast() skips what has not the form of a commit", () => {
  deepEqual(parseLog("", BOUNDS), []);
  deepEqual(parseLog("fatal: no\n", BOUNDS), []);
  deepEqual(parseLog(`\0\0nothing\0\0${toOutput(ONE, "", "Work")}`, BOUNDS).length, 1);
});
