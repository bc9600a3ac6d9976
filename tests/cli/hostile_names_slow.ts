/** What others wrote reaches a terminal as text alone, whichever command prints it; programs get it as it is. */
import { match, ok, strictEqual as equal } from "node:assert/strict";
import { runHosted } from "../support/server/hosted_cli.ts";
import { isKnownCommand } from "../support/known_commands.ts";
import { testNeeding } from "../support/needs.ts";
import { createTempRepo } from "../support/temp_repo.ts";

const FILE = "src/a\u202egnp\n\u001b[2Jfake: line.ts";
const REQUEST = "Look at \u202elogin\u001b[31m\u0007";
// Line ends and tabs are what lines are made of.
// deno-lint-ignore no-control-regex -- these characters are looked for
const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/u;

/** Each command line, and whether it has to name the file. */
const LINES: readonly (readonly [words: readonly string[], namesFile: boolean])[] = [
  [["text", "login"], true],
  [["files", "src/*"], true],
  [["def", "login"], true],
  [["refs", "login"], true],
  [["symbols", FILE], false],
  [["structure", FILE], true],
  [["function", FILE, "1"], false],
  [["query", "where is login?"], true],
  [["search", "where is login?"], true],
  [["impact", FILE], true],
  [["history", FILE], true],
  [["history"], false],
  [["map"], true],
  [["index"], false],
  [["check-write", FILE], false],
  [["function", `no\u202e\n\u001b[2J`, "1"], false],
  [["session", "start", "--intent", "INVESTIGATE", REQUEST], false],
  [["session", "status"], false],
  [["session", "park"], false],
  [["session", "resume"], false],
  [["report"], false],
  [["snapshots"], false],
  [["stats"], false],
  [["session", "\u001b[2Jx"], false],
  [["text", "--\u001b[2Jx"], false],
];

testNeeding(
  ["posix"],
  "names and requests with signs that a terminal obeys were once printed raw by most commands",
  async () => {
    const source = "export function login() {}\nlogin(); // \u202e\u001b[31m\n";
    await using repo = await createTempRepo({ files: { [FILE]: source } });
    const { dir: cwd } = repo;
    for (const [words, namesFile] of LINES) {
      if ((words[0] === "report" || words[0] === "map") && !isKnownCommand(words)) continue;
      const { stdout, stderr } = await runHosted(words, { cwd });
      const said = stdout + stderr;
      ok(said !== "" && !OBEYED.test(said), `${words.join(" ")}: ${JSON.stringify(said)}`);
      equal(/^\s*fake: line/m.test(said), false, `${words.join(" ")}: ${said}`);
      ok(!namesFile || said.includes("[U+202E]gnp[U+000A][U+001B][2Jfake"), `${words}: ${said}`);
    }
    const { stdout } = await runHosted(["files", "src/*", "--json"], { cwd });
    equal(JSON.parse(stdout).files[0], FILE);
    const status = await runHosted(["session", "status"], { cwd });
    match(status.stdout, /Look at \[U\+202E\]login\[U/);
  },
);
