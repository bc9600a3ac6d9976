/** Words that all forms of a report share: outcome, coverage and wrong versions. Pure. */
import { toCountText } from "../../base/text/plain_text.ts";

/** How a session ended, or where it stands, in a few words. */
export function toOutcomeText(
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
export function toCoverageText(
  { ran, not_run: notRun, unknown }: {
    readonly ran: number;
    readonly not_run: number;
    readonly unknown: number;
  },
): string {
  return `changed lines: ${ran} ran, ${notRun} did not, ${unknown} unknown`;
}

/** What small wrong versions of the change showed, in a line. */
export function toMutantsText(
  { total, survivors }: { readonly total: number; readonly survivors: readonly string[] },
): string {
  return `${survivors.length} of ${
    toCountText(total, "small wrong version")
  } of the change pass the tests`;
}
