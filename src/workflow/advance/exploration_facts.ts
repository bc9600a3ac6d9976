/** Collects the facts for the server's evaluation of an exploration. */
import type { Facts } from "../../phase/mod.ts";
import { countDefined, EXPLORATION_NEEDS, isMarkupFile } from "../../phase/mod.ts";
import type { SessionRecord } from "../../session/mod.ts";
import { toExploringCalls } from "../../session/mod.ts";
import type { Bench } from "../desk.ts";

/** A project with more files certainly defines enough symbols for any exploration. */
const MAX_ASKED_FILES = 20;

/** The facts for the evaluation: the calls so far, and how much the project has to show. */
export async function toExplorationFacts(
  { deps }: Pick<Bench, "deps">,
  records: readonly SessionRecord[],
): Promise<Partial<Facts>> {
  const sources = (await deps.listFiles()).filter(deps.isSourceFile);
  const code = sources.filter((path) => !isMarkupFile(path));
  const explored = toExploringCalls(records).flatMap((call) => [
    {
      tool: call.tool,
      subject: call.subject,
      files: call.files,
      defines: call.defines ?? {},
      refers: call.refers ?? {},
      ...(call.proven === undefined ? {} : { proven: call.proven }),
    },
    // What they showed is on record with the call that ran them.
    ...(call.ran ?? []).map(({ tool, subject }) => ({
      tool,
      subject,
      files: [],
      defines: {},
      refers: {},
    })),
  ]);
  const facts = { explored, hasSourceFiles: sources.length > 0, codeFiles: code.length };
  const needed = EXPLORATION_NEEDS.code.symbols;
  if (code.length > MAX_ASKED_FILES || countDefined(explored) >= needed) return facts;
  // In a small project, the number of symbols tells whether there is more to find.
  let definable = 0;
  for (const path of code) {
    definable += await deps.countSymbols(path);
    if (definable >= needed) return facts;
  }
  return { ...facts, definable };
}
