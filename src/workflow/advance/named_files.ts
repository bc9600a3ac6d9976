/** Records files that an accepted payload names as explored, if they exist. */
import type { ParsedSubmission, PayloadOf } from "../../phase/mod.ts";
import type { Bench, Desk, OpenSession } from "../desk.ts";
import { toProofFiles } from "./gather.ts";
import { noteSuggestion } from "../sessions/learn.ts";

/**
 * Records the existing files that an accepted payload names as explored, and keeps the payload's
 * suggestion.
 */
export async function recordNamedFiles(
  desk: Desk,
  bench: Bench,
  input: { readonly session: OpenSession; readonly parsed: ParsedSubmission },
): Promise<void> {
  const { submission } = input.parsed;
  if (submission?.kind !== "payload") return;
  await noteSuggestion(desk.deps, input.session.id, input.parsed);
  const named = NAMED_FILES[submission.stage]?.(submission.data) ?? [];
  const facts = await Promise.all(named.map((path) => bench.paths.toTarget(path)));
  const paths = facts.flatMap((fact) =>
    fact.kind === "target" && fact.target.kind !== "missing" ? [fact.target.path] : []
  );
  await desk.recordExplored(input.session, paths, "payload");
}

const NAMED_FILES: Readonly<Record<string, (data: unknown) => readonly string[]>> = {
  EXPLORATION: (data) => (data as PayloadOf<"EXPLORATION">).explored_files,
  SEMANTIC: (data) =>
    (data as PayloadOf<"SEMANTIC">).search_results
      .map((entry) => typeof entry === "string" ? entry : entry.file),
  VERIFICATION: (data) => toProofFiles(data as PayloadOf<"VERIFICATION">),
  IMPACT_ANALYSIS: (data) =>
    (data as PayloadOf<"IMPACT_ANALYSIS">).impact_summary.decisions
      .filter(({ status, path }) => status === "will_modify" && !/[*?]/.test(path))
      .map(({ path }) => path),
};
