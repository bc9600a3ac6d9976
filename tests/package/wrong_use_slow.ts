/** A wrong use of a task is told in one sentence, with the line that is right; a stack was printed once. */
import { deepStrictEqual as deepEqual, match } from "node:assert/strict";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const LINES: readonly (readonly [task: string, words: readonly string[]])[] = [
  ["package", []],
  ["package", ["tarball"]],
  ["package", ["manifests"]],
  ["package", ["manifests", "--repository", "example.org"]],
  ["package", ["npm", "--nonsense"]],
  ["bench", ["--nonsense"]],
  ["compile", ["--nonsense"]],
  ["soak", ["--minutes", "x"]],
  ["trial", ["x"]],
  ["history", ["x"]],
  ["retrieval", ["x"]],
  ["word_vectors", ["x"]],
  ["calls", []],
  ["calls", ["no-such-folder"]],
  ["impact_accuracy", ["no-such-folder"]],
  ["share", ["--nonsense"]],
  ["share", ["no-such-folder"]],
  ["coverage", ["no-such-folder"]],
  ["quick_tests", ["no-such-folder"]],
];

Deno.test("a wrong use of a task once printed a stack", async () => {
  for (const [task, words] of LINES) {
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", "--no-check", "-P=test", `tools/${task}/main.ts`, ...words],
      cwd: ROOT,
      stdin: "null",
    }).output();
    const said = new TextDecoder().decode(stderr);
    const printed = new TextDecoder().decode(stdout);
    deepEqual([code, printed], [64, ""], `${task} ${words.join(" ")}: ${said}`);
    match(said, /^[^\n]+\.\nUse: deno task [a-z-]+ /, `${task} ${words.join(" ")}`);
  }
});
