/** The innermost function of a line. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { createIndexedProject } from "./indexed_project.ts";

const TEXT =
  "// first\nclass Ünïcode {\n  /** Doc. */\n  outer(): void {\n    const inner = () => {\n      return 1;\n    };\n" +
  "    inner();\n  }\n}\n\nconst x = 1;\n";

Deno.test("R25: getFunctionAtLine() gives the innermost function whole, with lines around it", async () => {
  await using project = await createIndexedProject({ files: { "a.ts": TEXT } });
  const ask = async (line: number, contextLines = 0) => {
    const answer = await project.explorer.getFunctionAtLine({ path: "a.ts", line, contextLines });
    ok(answer.kind === "found", JSON.stringify(answer));
    return answer;
  };
  const outer = await ask(8, 1);
  equal(outer.definition?.name, "outer");
  deepEqual([outer.definition?.startLine, outer.definition?.endLine], [3, 9]);
  deepEqual(outer.content, TEXT.split("\n").slice(2, 9));
  deepEqual([outer.contextBefore, outer.contextAfter], [["class Ünïcode {"], ["}"]]);
  deepEqual([outer.definition?.scope, outer.definition?.doc, outer.total], ["Ünïcode", "Doc.", 1]);
  const none = await ask(12);
  deepEqual([none.definition, none.total], [undefined, 0]);
  equal(none.nearest.at(-1)?.name, (await ask(6)).definition?.name, "the one before");
});

Deno.test("getFunctionAtLine() is of the text as it is now", async () => {
  await using project = await createIndexedProject({ files: { "a.ts": TEXT } });
  await project.temp.write({ "a.ts": `function first() {}\n${TEXT}` });
  const answer = await project.explorer.getFunctionAtLine({
    path: "a.ts",
    line: 1,
    contextLines: 0,
  });
  equal(answer.kind === "found" && answer.definition?.name, "first");
});

Deno.test("getFunctionAtLine() refuses folders, lines outside, and unknown files by their parameter", async () => {
  await using project = await createIndexedProject({ files: { "src/a.ts": TEXT } });
  const refuse = async (path: string, line: number) => {
    const answer = await project.explorer.getFunctionAtLine({ path, line, contextLines: 0 });
    ok(answer.kind === "refused");
    const [problem] = answer.problems;
    ok((problem?.hint ?? "") !== "");
    return [problem?.code, problem?.at];
  };
  deepEqual(await refuse("src", 1), ["not_a_file", "file_path"]);
  deepEqual(await refuse("src/a.ts", 99), ["line_outside", "line_number"]);
  deepEqual(await refuse("src/b.ts", 1), ["path_not_found", "file_path"]);
});
