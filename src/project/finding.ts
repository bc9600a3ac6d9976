/** What `doctor` finds, in the form in which it is shown. */
import { CodeIntelError } from "../base/errors.ts";

/** How bad a finding is: `warn` works, but less well; `broken` has to be mended. */
export type DoctorStatus = "ok" | "warn" | "broken";

/** One finding. */
export interface DoctorRow {
  /** Stable name of the check. */
  readonly id: string;
  readonly title: string;
  readonly status: DoctorStatus;
  readonly detail: string;
  /** How to mend it; null where nothing is to be done. */
  readonly fix: string | null;
}

/** A finding before its check is known. */
export type Finding = Omit<DoctorRow, "id" | "title">;

/** Nothing is to be done. */
export function ok(detail: string): Finding {
  return { status: "ok", detail, fix: null };
}

/** It works, but less well. */
export function warn(detail: string, fix: string | null): Finding {
  return { status: "warn", detail, fix };
}

/** It has to be mended. */
export function broken(detail: string, fix: string | undefined): Finding {
  return { status: "broken", detail, fix: fix ?? null };
}

/** A check that failed by itself. */
export function toFailure(failure: unknown): Finding {
  if (failure instanceof CodeIntelError) return broken(failure.message, failure.hint || undefined);
  return broken(failure instanceof Error ? failure.message : String(failure), undefined);
}
