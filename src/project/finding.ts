/** What `doctor` finds, in the form in which it is shown. */
import { CodeIntelError } from "../base/errors.ts";
import type { Words } from "../base/text/words.ts";

/** How bad a finding is: `warn` works, but less well; `broken` has to be fixed. */
export type DoctorStatus = "ok" | "warn" | "broken";

/** One finding. */
export interface DoctorRow {
  /** Stable name of the check. */
  readonly id: string;
  readonly title: string;
  readonly status: DoctorStatus;
  readonly detail: string;
  /** How to fix it; null where nothing is to be done. */
  readonly fix: Words | null;
  /** Code of the failure of a check that could not run; left out for others. */
  readonly error?: string;
}

/** A finding without the name of its check. */
export type DoctorFinding = Omit<DoctorRow, "id" | "title">;

/** A finding that needs nothing. */
export function ok(detail: string): DoctorFinding {
  return { status: "ok", detail, fix: null };
}

/** A finding of something that works, but less well. */
export function warn(detail: Words, fix: Words | null): DoctorFinding {
  return { status: "warn", detail: String(detail), fix };
}

/** A finding of something that must be fixed. */
export function broken(detail: Words, fix: Words | undefined): DoctorFinding {
  return { status: "broken", detail: String(detail), fix: fix ?? null };
}

/** The finding for a check that failed to run. */
export function makeFailureFinding(failure: unknown): DoctorFinding {
  if (failure instanceof CodeIntelError) {
    return { ...broken(failure.message, failure.hint || undefined), error: failure.code };
  }
  return broken(failure instanceof Error ? failure.message : String(failure), undefined);
}
