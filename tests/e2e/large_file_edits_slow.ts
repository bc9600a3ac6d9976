/**
 * A file of 10,000 lines that was edited just before: a command once printed positions of its old content beside lines of
 * the new one, at every call, and threw away what it had analysed.
 */
import { deepStrictEqual as deepEqual, ok } from "node:assert/strict";
import { join } from "node:path";
import { runProgram } from "../support/server/cli.ts";
import { startClient } from "../support/server/mcp_client.ts";
import { createProject } from "../support/session/project.ts";

const METHODS = 2_400;
const LARGE = "pkg/parser.py";

/** A class with a method that each other one calls, in lines enough for a second of analysis. */
function toLargeFile(): string {
  const methods = Array.from(
    { length: METHODS },
    (_, at) =>
      `    def parse_${at}(self, tokens):\n        if tokens:\n            return make_node(${at})\n\n`,
  );
  return `from pkg.nodes import make_node\n\n\nclass Parser:\n${methods.join("")}`;
}

const FILES = {
  [LARGE]: toLargeFile(),
  "pkg/nodes.py": "def make_node(kind):\n    return kind\n",
  ...Object.fromEntries(
    Array.from({ length: 12 }, (_, at) => [`pkg/m${at}.py`, `def other_${at}():\n    pass\n`]),
  ),
};

const EDITS: readonly (readonly [name: string, change: (text: string) => string])[] = [
  ["a line on top", (text) => `# new\n${text}`],
  ["lines deleted", (text) => text.split("\n").toSpliced(6, 5).join("\n")],
  ["line ends of Windows", (text) => `# again\n${text}`.replaceAll("\n", "\r\n")],
  [
    "replaced",
    (text) => text.replaceAll("\r\n", "\n").replaceAll("if tokens:", "\n        if tokens:"),
  ],
];

/** Places `path:line` of a text whose line does not hold the name. */
async function findWrong(dir: string, printed: string, name: string): Promise<readonly string[]> {
  const lines = new Map<string, readonly string[]>();
  const wrong: string[] = [];
  for (const [place, path = "", line = ""] of printed.matchAll(/(pkg\/\w+\.py):(\d+)\b/g)) {
    if (!lines.has(path)) {
      lines.set(path, (await Deno.readTextFile(join(dir, path))).split("\n"));
    }
    if (lines.get(path)?.[Number(line) - 1]?.includes(name) !== true) wrong.push(place);
  }
  return wrong;
}

Deno.test("commands and a server show no place of a large file whose line does not hold the name, right after any edit", async () => {
  await using project = await createProject({ files: FILES });
  const { dir: cwd, env } = project;
  const run = (...words: string[]) => runProgram(words, { cwd, env });
  await run("index");
  const client = await startClient({ projectDir: cwd, env });
  await client.call("sync_index", { sync_map: false });
  let text = toLargeFile();
  for (const [name, change] of EDITS) {
    const questions = [
      ["refs", "make_node", "make_node"],
      ["def", "Parser.parse_2000", "parse_2000"],
      ["impact", "--symbols", "make_node", "make_node"],
    ];
    for (const words of questions) {
      await project.repo.write({ [LARGE]: text = change(text) });
      const wanted = words.at(-1) ?? "";
      const { stdout } = await run(...words.slice(0, -1));
      ok(stdout.includes(LARGE) || words[0] === "impact", `${name}: ${words[0]}\n${stdout}`);
      deepEqual(await findWrong(cwd, stdout, wanted), [], `${name}: ${words[0]}`);
    }
    await project.repo.write({ [LARGE]: text = `# served\n${text}` });
    const { reply } = await client.call("find_references", { symbol: "make_node" });
    const printed = JSON.stringify(reply.references.map((
      { path, line }: { readonly path: string; readonly line: number },
    ) => `${path ?? reply.path}:${line}`));
    deepEqual(await findWrong(cwd, printed, "make_node"), [], `${name}: served`);
  }
  await client.close();
});
