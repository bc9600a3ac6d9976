/** Collects what the server's evaluation of an exploration is made from. */
import type { Facts } from "../../phase/mod.ts";
import { countDefined, EXPLORATION_NEEDS, isMarkupFile } from "../../phase/mod.ts";
import type { SessionRecord } from "../../session/mod.ts";
import { toExploringCalls } from "../../session/mod.ts";
import type { Bench } from "../desk.ts";

/** Beyond this many files a project surely defines what an exploration needs. */
const MAX_ASKED_FILES = 20;

/** What the evaluation is made from: the calls so far, and what the project has to show at all. */
export async function toExplorationFacts(
  { deps }: Pick<Bench, "deps">,
  records: readonly SessionRecord[],
): Promise<Partial<Facts>> {
  const sources = (await deps.listFiles()).filter(deps.isSourceFile);
  const code = sources.filter((path) => !isMarkupFile(path));
  const explored = toExploringCalls(records).map((call) => ({
    tool: call.tool,
    subject: call.subject,
    files: call.files,
    defines: call.defines ?? {},
    refers: call.refers ?? {},
  }));
  const facts = { explored, hasSourceFiles: sources.length > 0, codeFiles: code.length };
  const needed = EXPLORATION_NEEDS.code.symbols;
  if (code.length > MAX_ASKED_FILES || countDefined(explored) >= needed) return facts;
  // Little was found in a small project: is there more, or is that all that it defines?
  let definable = 0;
  for (const path of code) {
    definable += await deps.countSymbols(path);
    if (definable >= needed) return facts;
  }
  return { ...facts, definable };
}
