/** Lists of paths reach a program by its input, or through the doors that know how long a command line may be. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { expectNone, readSourceFiles } from "./source_files.ts";

/** What may be spread after `--` or `--end-of-options`: values of a bounded number. */
const BOUNDED: Readonly<Record<string, string>> = {
  "limit.args": "made by limitTo() of src/git/path_limit.ts",
  "limitTo([...candidates.keys()]).args": "the same",
  "(isWhole ? [] : limit.args)": "the same",
  "options.args": "the arguments of one git hook",
  "files": "the three versions of one file (src/git/trees/merge_file.ts)",
  "under": "one folder (src/git/repository.ts)",
  '(batch.length === 0 ? ["-"] : batch.map((path) => path === "." ? "./" : `./${path}`))':
    "a batch of toArgumentBatches() (src/backends/ripgrep_run.ts)",
};

Deno.test("no list of paths is spread into arguments but through the doors", async () => {
  const files = await readSourceFiles("src");
  expectNone(
    files.flatMap(({ path, text }) =>
      findSpreads(text).filter((spread) => BOUNDED[spread] === undefined)
        .map((spread) => `${path}: ...${spread}`)
    ),
    "Go through the function that the test names: a long list overflows the stack.",
  );
});

Deno.test("findSpreads() finds what is spread after the end of options", () => {
  deepEqual(findSpreads('run(["ls-files", ...more, "--", ...paths, ...other])'), [
    "paths",
    "other",
  ]);
  deepEqual(findSpreads('run(["ls-tree", "--end-of-options", tree, ...names.keys()])'), [
    "names.keys()",
  ]);
  deepEqual(findSpreads('run(["x", ...options]); run(["--"])'), []);
});

/** The spread elements of array literals that stand after `"--"` or `"--end-of-options"`. */
function findSpreads(text: string): readonly string[] {
  const found: string[] = [];
  for (const { index } of text.matchAll(/"--(?:end-of-options)?",/g)) {
    let depth = 0;
    let start = -1;
    for (let at = index; at < text.length; at++) {
      const char = text[at] ?? "";
      const isEnd = depth === 0 && (char === "," || char === "]");
      if (start >= 0 && isEnd) {
        found.push(text.slice(start, at).trim());
        start = -1;
      }
      if (isEnd && char === "]") break;
      if ("([{".includes(char)) depth++;
      if (")]}".includes(char)) depth--;
      if (depth === 0 && text.startsWith("...", at)) start = at + 3;
    }
  }
  return found;
}
