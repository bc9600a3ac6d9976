/** What the hand-written pages tell the reader to type: each command exists and takes these words. */
import { deepStrictEqual as deepEqual, ok } from "node:assert/strict";
import { join } from "node:path";
import { parse } from "yaml";
import { findCommand, listCommands } from "../../src/cli/commands.ts";
import { FEATURES } from "../../src/features/features.ts";
import { parseLine } from "../../src/cli/parse.ts";
import { checkContext } from "../../src/base/settings/config.ts";
import { mergeContract } from "../../src/phase/contract/contract.ts";
import { expectNone, ROOT } from "./source_files.ts";
import { splitWords, toCommandLines } from "../support/guide_lines.ts";

const COMMANDS = listCommands(FEATURES);

const PAGES = [
  "README.md",
  "docs/guide.md",
  "docs/claude_code.md",
  "docs/codex.md",
  "docs/contracts.md",
  "docs/setup.md",
  "docs/troubleshooting.md",
];

Deno.test("each code-intel command line of the guides parses as it stands", async () => {
  const wrong: string[] = [];
  let count = 0;
  for (const page of PAGES) {
    const text = await Deno.readTextFile(join(ROOT, page));
    for (const line of toCommandLines(text)) {
      count++;
      const words = splitWords(line).slice(1);
      if (words[0] === "--version" || words[0] === "--help") continue;
      const found = findCommand(words, COMMANDS);
      if (found === null) wrong.push(`${page}: ${line}: no such command`);
      else {
        const read = parseLine(found.rest, await found.entry.load());
        // A command that is only named needs no arguments.
        if (read.kind === "refused" && found.rest.length > 0) {
          wrong.push(`${page}: ${line}: ${read.problems.join("; ")}`);
        }
      }
    }
  }
  expectNone(wrong, "Correct the guide in docs/, or the name it gives.");
  ok(count > 40, `${count} lines`);
});

Deno.test("the examples of docs/contracts.md are right, and its fault is told as shown", async () => {
  const page = await Deno.readTextFile(join(ROOT, "docs/contracts.md"));
  const [contract = "", context = ""] = [...page.matchAll(/^```yaml\n([\s\S]*?)^```/gm)]
    .map((found) => found[1] ?? "");
  const where = (path: readonly PropertyKey[]) => path.length > 1 ? "line 2, column 3" : "line 1";
  deepEqual(mergeContract(parse(contract), where).problems, []);
  deepEqual(checkContext(parse(context), where).warnings, []);
  const wrong = mergeContract(parse("phases:\n  EXPLORE:\n"), where).problems[0];
  ok(page.includes(`${wrong?.message}\n`), String(wrong?.message));
  ok(page.includes(String(wrong?.hint).slice(0, 60) ?? "-"), String(wrong?.hint));
});

Deno.test("toCommandLines() finds commands in blocks and in the text, and splitWords() their words", () => {
  const text =
    "Run `code-intel doctor`.\n```\n$ code-intel def lend\nsrc/a.ts:1: x\ncode-intel trust   # once\n```\n";
  deepEqual(toCommandLines(text), ["code-intel doctor", "code-intel def lend", "code-intel trust"]);
  deepEqual(splitWords(`code-intel query "where is it?" --json`), [
    "code-intel",
    "query",
    "where is it?",
    "--json",
  ]);
});
