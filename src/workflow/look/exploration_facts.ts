/** Collects the facts for the server's evaluation of an exploration. */
import type { Facts } from "../../phase/facts.ts";
import { countDefined, EXPLORATION_NEEDS, isMarkupFile } from "../../phase/contract/evaluation.ts";
import type { SessionRecord } from "../../session/records.ts";
import { keepExploringCalls } from "../../session/records.ts";
import type { TreePath } from "../../base/paths.ts";
import type { SessionContext } from "../context/sessions.ts";
import { BY_LINE } from "./seen_files.ts";

/** What shows files beside the tools of the server. */
const SHOWN_OTHERWISE: readonly string[] = ["hook", BY_LINE];

/** A project with more files certainly defines enough symbols for any exploration. */
const MAX_ASKED_FILES = 20;

/**
 * The facts for the evaluation: the calls so far, files that the agent itself read (`read` now, and before), and how
 * much the project has to show.
 */
export async function gatherExploration(
  { deps }: Pick<SessionContext, "deps">,
  records: readonly SessionRecord[],
  read: readonly TreePath[],
): Promise<Partial<Facts>> {
  const sources = (await deps.listFiles()).filter(deps.isSourceFile);
  const code = sources.filter((path) => !isMarkupFile(path));
  const explored = keepExploringCalls(records).flatMap((call) => [
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
  const others = records.flatMap((record) =>
    record.kind === "explored" && SHOWN_OTHERWISE.includes(record.via) ? record.paths : []
  );
  explored.push({ tool: "", subject: "", files: [...others, ...read], defines: {}, refers: {} });
  const facts = { explored, hasSourceFiles: sources.length > 0, codeFiles: code.length };
  const needed = EXPLORATION_NEEDS.code.symbols;
  if (code.length > MAX_ASKED_FILES || countDefined(explored) >= needed) return facts;
  // In a small project, the number of symbols tells whether there is more to find.
  let definable = 0;
  for (const path of code) {
    definable += (await deps.listSymbols(path)).length;
    if (definable >= needed) return facts;
  }
  return { ...facts, definable };
}
