/** A wrong use of a task is told in one sentence, with the line that is right; a stack was printed once. */
import { deepStrictEqual as deepEqual, match } from "node:assert/strict";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const LINES: readonly (readonly [folder: string, words: readonly string[]])[] = [
  ["tools/package", []],
  ["tools/package", ["tarball"]],
  ["tools/package", ["manifests"]],
  ["tools/package", ["manifests", "--repository", "example.org"]],
  ["tools/package", ["npm", "--nonsense"]],
  ["lab/bench", ["--nonsense"]],
  ["tools/compile", ["--nonsense"]],
  ["tools/soak", ["--minutes", "x"]],
  ["tools/trial", ["x"]],
  ["lab/history", ["x"]],
  ["lab/retrieval", ["x"]],
  ["lab/word_vectors", ["x"]],
  ["lab/calls", []],
  ["lab/calls", ["no-such-folder"]],
  ["lab/impact_accuracy", ["no-such-folder"]],
  ["lab/share", ["--nonsense"]],
  ["lab/share", ["no-such-folder"]],
  ["tools/coverage", ["no-such-folder"]],
  ["tools/quick_tests", ["no-such-folder"]],
];

Deno.test("a wrong use of a task once printed a stack", async () => {
  for (const [folder, words] of LINES) {
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", "--no-check", "-P=test", `${folder}/main.ts`, ...words],
      cwd: ROOT,
      stdin: "null",
    }).output();
    const said = new TextDecoder().decode(stderr);
    const printed = new TextDecoder().decode(stdout);
    deepEqual([code, printed], [64, ""], `${folder} ${words.join(" ")}: ${said}`);
    match(said, /^[^\n]+\.\nUse: deno task [a-z-]+ /, `${folder} ${words.join(" ")}`);
  }
});
