/** Every command once, as a script would call it: its exit code, and one JSON document on one line. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { listCommands } from "../../src/cli/commands.ts";
import { FEATURES } from "../../src/features/features.ts";
import { runProgram } from "../support/server/cli.ts";
import { runHosted } from "../support/server/hosted_cli.ts";
import { isKnownCommand } from "../support/known_commands.ts";
import { createProject } from "../support/session/project.ts";

const COMMANDS = listCommands(FEATURES);

/** Words, exit code, and a key that the answer must have beside `ok`. */
type Row = readonly [words: string, code: number, key: string];

/** In order, in one project: later rows see what earlier ones did. */
const ROWS: readonly Row[] = [
  // 0: done.
  ["text login", 0, "matches"],
  ["files *.ts", 0, "files"],
  ["def login", 0, "definitions"],
  ["refs login", 0, "references"],
  ["symbols src/auth.ts", 0, "symbols"],
  ["structure src/auth.ts", 0, "symbols"],
  ["function src/auth.ts 4", 0, "content"],
  ["query login", 0, "results"],
  // The first search builds the index that it needs.
  ["search login", 0, "hits"],
  ["index", 0, "parsed"],
  ["share status", 0, "shared"],
  ["share push", 2, "hint"],
  ["share pull nowhere", 2, "hint"],
  ["workspace list", 0, "is_on"],
  ["workspace add", 0, "members"],
  ["workspace status", 0, "members"],
  ["workspace remove .", 0, "members"],
  ["workspace remove nothing", 2, "hint"],
  ["workspace add /no/such/folder", 2, "hint"],
  ["impact src/auth.ts", 0, "confirmation_required"],
  ["history src/auth.ts", 0, "ok"],
  ["tests src/auth.ts", 1, "tests"],
  ["runs status", 0, "commands"],
  ["runs record", 1, "problems"],
  // 3 of a proof: nothing can be said.
  ["prove --commit HEAD --within 0", 3, "line"],
  // What is refused is no verdict.
  ["prove --commit nowhere", 64, "problems"],
  ["prove HEAD --staged", 64, "problems"],
  ["map src", 0, "links"],
  // No commit of this project claims to be of a session.
  ["attest", 1, "problems"],
  ["attest verify", 0, "commits"],
  ["doctor", 0, "checks"],
  ["stats", 1, "sessions"],
  ["licenses", 0, "text"],
  ["help", 0, "commands"],
  ["help --man", 0, "text"],
  ["completions bash", 0, "script"],
  ["completions --words def log", 0, "words"],
  ["try --dry-run", 0, "files"],
  ["init --dry-run", 0, "files"],
  ["init --print-config", 0, "ok"],
  ["clean --dry-run", 0, "would_remove"],
  ["session start --intent INVESTIGATE login", 0, "instruction"],
  ["session status", 0, "brief"],
  ["session submit {}", 1, "problems"],
  ["check-write src/auth.ts", 1, "problems"],
  ["review", 1, "problems"],
  ["session explore src/auth.ts", 0, "added"],
  ["session rules Short", 0, "ok"],
  ["session park", 0, "status"],
  // 1: refused, or nothing found.
  ["report session_20260101_000000_0000", 1, "problems"],
  ["map no/such/folder", 1, "problems"],
  ["session abandon", 1, "error"],
  ["session resume session_20260101_000000_0000", 1, "error"],
  ["session resume", 0, "phase"],
  ["session park", 0, "status"],
  ["session accept", 1, "error"],
  ["text nothing_of_this_kind", 1, "total"],
  ["def nothing_of_this_kind", 1, "total"],
  ["def logi", 1, "definitions"],
  ["chunk nothing", 1, "error"],
  ["verify", 1, "error"],
  ["trust", 1, "error"],
  ["restore session_20260101_000000_0000", 1, "error"],
  ["snapshots session_20260101_000000_0000", 1, "notices"],
  ["uninstall", 1, "error"],
  ["outcome success --reason works", 0, "recorded"],
  // 64: bad usage.
  ["text", 64, "message"],
  ["prove --within -1", 64, "message"],
  ["serve now", 64, "message"],
  ["completions tcsh", 64, "message"],
  ["help nonsense", 64, "message"],
  ["outcome meh", 64, "message"],
  ["map --out .", 64, "problems"],
  ["text x --max-results many", 64, "message"],
  ["text x --max-results 0", 64, "problems"],
  ["session start --intent GUESS x", 64, "message"],
  ["no-such-command", 64, "message"],
  // No store is named.
  ["hub add shop", 64, "hint"],
  ["hub list", 64, "hint"],
  ["hub refresh", 64, "hint"],
  ["hub work", 64, "hint"],
  ["hub serve", 64, "hint"],
  ["hub remove shop", 64, "hint"],
  // 2: failed.
  ["text x --project /no/such/folder", 2, "hint"],
  // 70: failed, where 2 is a verdict.
  ["prove --project /no/such/folder", 70, "hint"],
];

/** Commands that answer a client and not a script. */
const ANSWERS_CLIENTS = ["hook", "serve"];

Deno.test("each command ends with the right exit code and, asked for it, with one line of JSON", async () => {
  await using project = await createProject();
  const wrong: unknown[] = [];
  const codes = new Set<number>();
  for (const [words, code, key] of ROWS) {
    if (!isKnownCommand(words.split(" "))) continue;
    // That the program ends with what a command gives is the same for all of them: once for each code it is a process.
    const run = codes.has(code) ? runHosted : runProgram;
    codes.add(code);
    const ran = await run([...words.split(" "), "--json"], {
      cwd: project.dir,
      env: project.env,
    });
    const lines = ran.stdout.split("\n");
    const parsed = lines.length === 2 ? JSON.parse(lines[0] ?? "") : {};
    const isOk = key === "ok" || key in parsed;
    if (ran.code !== code || !isOk || typeof parsed.ok !== "boolean") {
      wrong.push({ words, code: ran.code, stdout: ran.stdout.slice(0, 300), stderr: ran.stderr });
    }
  }
  deepEqual(wrong, []);
});

Deno.test("each command is in the table", () => {
  const called = ROWS.map(([words]) => words);
  const missing = COMMANDS.map(({ name }) => name).filter((name) =>
    !called.some((words) => words === name || words.startsWith(`${name} `))
  );
  deepEqual(missing.filter((name) => !ANSWERS_CLIENTS.includes(name)), []);
});

Deno.test("a hook answers what it cannot read with nothing, one line, and never 2", async () => {
  const { code, stdout, stderr } = await runProgram(["hook", "stop", "--client", "claude"], {
    stdin: "{",
  });
  deepEqual([code, stdout, stderr.split("\n").length], [1, "", 2]);
  equal(stderr.includes("nothing was decided"), true);
});
