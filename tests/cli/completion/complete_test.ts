/** Completion: commands, options, their values, and names of the project, by what the table says of the place. */
import { deepStrictEqual as deepEqual, ok } from "node:assert/strict";
import { listCommands } from "../../../src/cli/commands.ts";
import { complete } from "../../../src/cli/completion/complete.ts";
import { FEATURES } from "../../../src/features/features.ts";
import { isKnownCommand } from "../../support/known_commands.ts";

const NAMES = {
  commands: listCommands(FEATURES),
  symbols: (prefix: string) =>
    Promise.resolve([{ word: `${prefix}gin`, about: "function" }, { word: "Login" }]),
  sessions: () => Promise.resolve([{ word: "session_2" }, { word: "session_1" }]),
};

const HAS_REPORT = isKnownCommand(["report"]);

async function check(line: string, expected: readonly string[]): Promise<void> {
  if (line.startsWith("report ") && !HAS_REPORT) return;
  const found = await complete(line.split(" "), NAMES);
  deepEqual(found.map(({ word }) => word), expected, line);
}

Deno.test("complete() names commands, in one word or two, with what they do", async () => {
  await check("re", ["review", "refs", "restore", ...(HAS_REPORT ? ["report"] : [])]);
  await check("session st", ["start", "status"]);
  if (isKnownCommand(["attest"])) await check("attest v", ["verify"]);
  await check("nothing ", []);
  const [def] = await complete(["def"], NAMES);
  ok(def?.about?.startsWith("Find where a symbol"));
});

Deno.test("complete() names options that were not given yet, and the values of one", async () => {
  await check("report --o", ["--open", "--out"]);
  await check("report --open --o", ["--out"]);
  await check("text --pr", ["--project"]);
  await check("trust --mode ", ["strict", "warn", "off"]);
  await check("trust --mode w", ["warn"]);
  await check("trust --mode=w", ["--mode=warn"]);
  // Bash hands over the sign as a word.
  await check("trust --mode = s", ["strict"]);
  await check("trust --mode =", ["strict", "warn", "off"]);
  // Files are the matter of the shell.
  await check("report --out ", []);
  await check("text login --path ", []);
  await check("report -- --o", []);
});

Deno.test("complete() looks up what the usage names, at its place", async () => {
  await check("def lo", ["login"]);
  await check("def ", []);
  await check("report ", ["session_2", "session_1"]);
  await check("report --format json ses", ["session_2", "session_1"]);
  await check("report session_1 ", []);
  await check("restore session_1 s", []);
  if (isKnownCommand(["outcome"])) await check("outcome ", ["success", "partial", "failure"]);
  await check("completions f", ["fish"]);
  await check("help se", ["serve", "session", "search"]);
});
