/**
 * What the session has seen of the files that a payload or a call names: an answer or a hook showed them, or the agent
 * sends a line that it read. The word of the agent alone opens nothing.
 */
import type { Facts, FileObservation } from "../../phase/facts.ts";
import type { ParsedSubmission, PayloadOf } from "../../phase/payload/payloads.ts";
import { parseLines, parseReadLine } from "../../base/text/places.ts";
import { holdsLine } from "../../base/text/read_lines.ts";
import type { WriteTarget } from "../../ledger/write_guard.ts";
import type { SessionRecord } from "../../session/records.ts";
import { listExploredFiles } from "../../session/records.ts";
import type { OpenSession, SessionContext } from "../context/sessions.ts";
import { clip } from "../../base/text/clip.ts";
import { readLines } from "./disk_facts.ts";
import { noteSuggestion } from "../context/learn.ts";

/** What a refusal shows of the line that stands there. */
const SAID_CHARS = 80;
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
    if (shown.has(target.path)) return [[entry, { by: "shown", target }] as const];
    const says = clip((lines?.[line.line - 1] ?? "").trim(), SAID_CHARS);
    return [[entry, { by: "differs", says, target }] as const];
  }));
  return Object.fromEntries(judged.flat());
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
