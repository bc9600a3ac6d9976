/**
 * What the session has seen of the files that a payload or a call names: an answer or a hook showed them, or the agent
 * sends a line that it read. The word of the agent alone opens nothing.
 */
import type { Facts, FileObservation } from "../../phase/facts.ts";
import type { ParsedSubmission, PayloadOf } from "../../phase/payload/payloads.ts";
import { parseLines, parseReadLine } from "../../phase/rules/rule.ts";
import type { WriteTarget } from "../../ledger/write_guard.ts";
import type { SessionRecord } from "../../session/records.ts";
import { listExploredFiles } from "../../session/records.ts";
import type { OpenSession, SessionContext } from "../context/sessions.ts";
import { readLines } from "./disk_facts.ts";
import { noteSuggestion } from "../context/learn.ts";

/** How a line that the agent sent is recorded. */
export const BY_LINE = "line";

/** What the session has seen of each entry, by the text that was sent; entries that lead nowhere are left out. */
export async function judgeSeen(
  context: SessionContext,
  records: readonly SessionRecord[],
  entries: readonly string[],
): Promise<Readonly<Record<string, FileObservation & { readonly target: WriteTarget }>>> {
  const shown = new Set<string>(listExploredFiles(records));
  const judged = await Promise.all([...new Set(entries)].map(async (entry) => {
    const line = parseReadLine(entry);
    const found = await context.paths.toTarget(line?.path ?? entry);
    if (found.kind === "refused" || found.target.kind === "missing") return [];
    const { target } = found;
    if (line === null || target.kind === "folder") {
      return [[entry, { by: shown.has(target.path) ? "shown" : "nothing", target }] as const];
    }
    const lines = readLines(context, target.path);
    if (lines !== null && holdsLine(lines, line)) return [[entry, { by: "line", target }] as const];
    // Of a file that an answer showed, no line has to prove that it was read.
    return [[entry, { by: shown.has(target.path) ? "shown" : "differs", target }] as const];
  }));
  return Object.fromEntries(judged.flat());
}

/** A line that says less than this could be guessed. */
const LEAST_CHARS = 8;

/** Whether a file has the text in the line; in a file of short lines its longest ones are enough. */
function holdsLine(
  lines: readonly string[],
  { line, text }: { readonly line: number; readonly text: string },
): boolean {
  const longest = Math.max(...lines.map((one) => one.trim().length));
  return text.length >= Math.min(LEAST_CHARS, longest) &&
    (lines[line - 1] ?? "").trim().startsWith(text);
}

/** What a client may put before a line of a file: its number. */
const LINE_NUMBER = /^\s*\d+(?:\t|→|: ?)/;

/** Whether one of the texts is a part of a file: nearly all of its telling lines stand there. */
export function showsLines(lines: readonly string[], texts: readonly string[]): boolean {
  const known = new Set(lines.map((line) => line.trim()));
  if (!lines.some((line) => line.trim() !== "")) return true;
  return texts.some((text) => {
    const told = text.split("\n").map((line) => line.trim()).filter((line) => line !== "");
    const own = told.filter((line) =>
      known.has(line) || known.has(line.replace(LINE_NUMBER, "").trim())
    );
    const isTelling = own.some((line) => line.length >= LEAST_CHARS) ||
      own.length >= known.size - 1;
    return own.length > told.length / 2 && isTelling;
  });
}

/** What an accepted payload leaves in the records. */
export interface SeenInput {
  readonly session: OpenSession;
  readonly parsed: ParsedSubmission;
  readonly facts: Facts;
}

/**
 * Records what an accepted payload made known: files of which it sends a line that was read, definitions that the server
 * told for a frame, and the payload's suggestion.
 */
export async function recordSeen(context: SessionContext, input: SeenInput): Promise<void> {
  const { submission } = input.parsed;
  if (submission?.kind !== "payload") return;
  await noteSuggestion(context.deps, input.session.id, input.parsed);
  if (submission.stage === "QUERY_FRAME") await recordDefinitions(context, input);
  if (submission.stage !== "EXPLORATION") return;
  const { explored_files: entries } = submission.data as PayloadOf<"EXPLORATION">;
  const seen = Object.values(
    await judgeSeen(context, [], entries.filter((entry) => parseReadLine(entry) !== null)),
  );
  const read = seen.flatMap(({ by, target }) => by === "line" ? [target.path] : []);
  await context.sessions.recordExplored(input.session, read, BY_LINE);
}

/** Where target symbols are defined, as the reply to the frame says it, counts as asked and answered. */
async function recordDefinitions(
  context: SessionContext,
  { session, facts }: SeenInput,
): Promise<void> {
  for (const { symbol, defined } of facts.frame?.symbols ?? []) {
    const paths = (defined?.places ?? []).flatMap((place) => {
      const resolved = context.paths.toWorktree(parseLines(place)?.path ?? place);
      return resolved.kind === "path" ? [resolved.path] : [];
    });
    if (paths.length === 0) continue;
    await context.sessions.record(session.id, {
      kind: "call",
      visit: session.state.visit,
      stage: "EXPLORATION",
      tool: "find_definitions",
      argsHash: "",
      subject: symbol,
      ok: true,
      total: paths.length,
      files: [],
      symbols: [symbol],
      defines: Object.fromEntries(paths.map((path) => [path, [symbol]])),
      durationMs: 0,
      via: "server",
    });
  }
}
