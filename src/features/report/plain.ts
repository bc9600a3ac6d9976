/** Words that all forms of a report share: outcome, coverage and wrong versions. Pure. */
import { formatCount } from "../../base/text/plain_text.ts";

/** How a session ended, or where it stands, in a few words. */
export function formatOutcome(
  { status, end, step, phase }: {
    readonly status: string;
    readonly end: string | null;
    readonly step: number;
    readonly phase: string;
  },
): string {
  if (status === "ended") return end ?? "ended";
  return status === "parked" ? `parked at step ${step}` : `running: step ${step} of 19, ${phase}`;
}

/** Which changed lines ran, in a line. */
export function formatCoverage(
  { ran, not_run: notRun, unknown }: {
    readonly ran: number;
    readonly not_run: number;
    readonly unknown: number;
  },
): string {
  return `changed lines: ${ran} ran, ${notRun} did not, ${unknown} unknown`;
}

/** What small wrong versions of the change showed, in a line. */
export function formatMutants(
  { total, survivors }: { readonly total: number; readonly survivors: readonly string[] },
): string {
  return `${survivors.length} of ${
    formatCount(total, "small wrong version")
  } of the change pass the tests`;
}

/** Calls `look` with each line of hunks, and the number that it has in the new text; a removed line has that of the next one. */
export function eachNewLine(diff: string, look: (line: number, text: string) => unknown): void {
  let line = 0;
  for (const text of diff.replace(/\n$/, "").split("\n")) {
    const [, start] = /^@@ \S+ \+(\d+)/.exec(text) ?? [];
    look(line, text);
    if (start !== undefined) line = Number(start);
    else if (/^[+ ]/.test(text)) line++;
  }
}
