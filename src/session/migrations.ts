/** Converts a checkpoint of an older format to the present one, format by format. Pure. */

import { isRecord } from "../base/text/json_record.ts";

/** The format that this version writes. */
export const CHECKPOINT_FORMAT = 2;

/** Converts the body of one format into that of the next; it need not set `format`. */
export type Migration = (
  body: Readonly<Record<string, unknown>>,
) => Readonly<Record<string, unknown>>;

/** The conversion from each format to the next; the first format is 1. */
export const MIGRATIONS: Readonly<Record<number, Migration>> = { 1: keepAccepted };

type Fields = Readonly<Record<string, unknown>>;

/**
 * Format 2 keeps the accepted submission in a field of its own; where a file of format 1 has only
 * the changes of the state, these are kept. A task of a merge conflict has the field `conflict`; in
 * format 1 only its id said so.
 */
function keepAccepted(body: Fields): Fields {
  const state = toFields(body["state"]);
  if (state === null) return body;
  const pending = toFields(state["pending"]);
  const deferred = toFields(state["deferred"]);
  return {
    ...body,
    state: {
      ...state,
      ...(Array.isArray(state["tasks"]) ? { tasks: state["tasks"].map(toTask(state)) } : {}),
      ...(pending === null ? {} : { pending: toAccepted(pending) }),
      ...(deferred === null ? {} : { deferred: toAccepted(deferred) }),
    },
  };
}

function toTask(state: Fields): (task: unknown) => unknown {
  const conflict = toFields(state["workspace"])?.["conflictTreePaths"] ?? [];
  return (task) => {
    const fields = toFields(task);
    const isOfConflict = String(fields?.["id"]).startsWith("resolve_conflicts_");
    return fields === null || !isOfConflict ? task : { ...fields, conflict };
  };
}

function toAccepted({ outcome, patch, ...rest }: Fields): Fields {
  const changes = toFields(patch) ?? {};
  const named = outcome === "done" ? EXIT_OUTCOMES[String(changes["status"])] : undefined;
  // Format 1 had no name of its own for a discard that leaves nothing to commit; it led to the same
  // step.
  const now = named ?? (outcome === "discarded" ? "emptied" : outcome);
  return { ...rest, accepted: { kind: "changes", outcome: now, patch: changes } };
}

/**
 * Format 1 had no outcome for leaving a session; the status among the changes tells which it was.
 */
const EXIT_OUTCOMES: Readonly<Record<string, string>> = { parked: "parked", ended: "abandoned" };

function toFields(value: unknown): Fields | null {
  return isRecord(value) ? value : null;
}

/** A body of the wanted format, or why it cannot be made. */
export type MigrationResult =
  | { readonly kind: "body"; readonly body: Readonly<Record<string, unknown>> }
  | { readonly kind: "newer"; readonly format: number }
  | { readonly kind: "unknown"; readonly reason: string };

/** The table and the wanted format for {@link migrate}; tests give their own. */
export interface MigrateOptions {
  readonly migrations?: Readonly<Record<number, Migration>>;
  readonly target?: number;
}

/** Applies every conversion from the format of `value` to the wanted one. */
export function migrate(value: unknown, options: MigrateOptions = {}): MigrationResult {
  const { migrations = MIGRATIONS, target = CHECKPOINT_FORMAT } = options;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { kind: "unknown", reason: "it is not a JSON object" };
  }
  let body = value as Readonly<Record<string, unknown>>;
  const format = body["format"];
  if (typeof format !== "number" || !Number.isSafeInteger(format) || format < 1) {
    return { kind: "unknown", reason: "`format` is not a positive whole number" };
  }
  if (format > target) return { kind: "newer", format };
  for (let from = format; from < target; from++) {
    const step = migrations[from];
    if (step === undefined) {
      return { kind: "unknown", reason: `no migration leads from format ${from} to ${from + 1}` };
    }
    body = { ...step(body), format: from + 1 };
  }
  return { kind: "body", body };
}
