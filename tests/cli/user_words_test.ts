/** What a person reads at a terminal where a command is refused: commands and options, never tools and JSON. */
import { deepStrictEqual as deepEqual, ok } from "node:assert/strict";
import { buildInputSchema } from "../../src/tools/input_schema.ts";
import { TOOLS } from "../../src/tools/tools.ts";
import { runHosted } from "../support/server/hosted_cli.ts";
import { createTempRepo } from "../support/temp_repo.ts";

/** Command lines that are refused outside of a session, and what must stand in the answer. */
const REFUSED: readonly (readonly [words: readonly string[], shown: RegExp])[] = [
  [["text", "a["], /add `--fixed`/],
  [["text", "a", "--max-results", "0"], /`--max-results`/],
  [["text", "a", "--path", "nowhere"], /`code-intel files`; `\.` is the whole project/],
  [["refs", ""], /SYMBOL/],
  [["symbols", "nowhere"], /`\.` is the whole project/],
  [["structure", "nowhere"], /`code-intel files`/],
  [["function", "src/a.ts", "x"], /`LINE`/],
  [["function", "src", "1"], /`code-intel structure`/],
  [["impact"], /Send `FILE`/],
  [["chunk", "x"], /`code-intel search`/],
  [["review"], /`code-intel session start`/],
  [["check-write", "src/a.ts"], /`code-intel session start --intent INTENT QUERY`/],
  [["session", "start", "change a"], /`--intent`/],
  [
    ["session", "start", "--intent", "MODIFY", "--fast", "--quick", "change a"],
    /--fast \+ --quick/,
  ],
  [["session", "submit", "{}"], /`code-intel session start --intent/],
  [["session", "resume", "session_1"], /`code-intel session status`/],
  [["session", "status"], /`code-intel session start/],
  [["session", "park"], /`code-intel session start/],
];

/** Names of tools, and of parameters that no option has as its own name. */
const FOREIGN = new RegExp(`\\b(?:${
  [
    ...TOOLS.map(({ name }) => name),
    ...TOOLS.flatMap((row) => Object.keys(buildInputSchema(row).properties ?? {})),
  ].filter((name) => name.includes("_")).join("|")
})\\b|\\b[a-z_]+: (?:true|false)\\b`);

Deno.test("a refused command names commands and options, never a tool or a parameter's JSON", async () => {
  const { dir: cwd } = await createTempRepo({ files: { "src/a.ts": "export const a = 1;\n" } });
  const foreign: string[] = [];
  for (const [words, shown] of REFUSED) {
    const { code, stderr } = await runHosted(words, { cwd });
    ok(code !== 0 && shown.test(stderr), `${words.join(" ")}: ${code} ${stderr}`);
    // The first word is the code of the refusal.
    const hit = FOREIGN.exec(stderr.replace(/^[a-z_]+: /, ""));
    if (hit !== null) foreign.push(`${words.join(" ")}: ${hit[0]} in ${stderr}`);
  }
  deepEqual(foreign, []);
});

Deno.test("a command that can succeed later is to be run again, not to be sent", async () => {
  const { dir: cwd } = await createTempRepo({ files: { "src/a.ts": "export const a = 1;\n" } });
  await Deno.writeTextFile(`${cwd}/.git/config`, "[core\n");
  const { code, stderr } = await runHosted(["session", "start", "--intent", "MODIFY", "a"], {
    cwd,
  });
  ok(code !== 0 && stderr.includes(", then run the same command again."), stderr);
  ok(!/\bcall\b/.test(stderr), stderr);
});
