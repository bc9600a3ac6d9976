/** Brings a checkpoint of an older format to the present one, one format at a time. Pure. */

/** The format that this program writes. */
export const CHECKPOINT_FORMAT = 1;

/** Turns the body of one format into the body of the next; it need not set `format`. */
export type Migration = (
  body: Readonly<Record<string, unknown>>,
) => Readonly<Record<string, unknown>>;

/** The step from each format to the next; there is none yet, the first format is 1. */
export const MIGRATIONS: Readonly<Record<number, Migration>> = {};

/** A body of the wanted format, or why there is none. */
export type MigrationResult =
  | { readonly kind: "body"; readonly body: Readonly<Record<string, unknown>> }
  | { readonly kind: "newer"; readonly format: number }
  | { readonly kind: "unknown"; readonly reason: string };

/** What {@link migrate} works with; tests give tables of their own. */
export interface MigrateOptions {
  readonly migrations?: Readonly<Record<number, Migration>>;
  readonly target?: number;
}

/** Applies every step between the format of `value` and the wanted one. */
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
