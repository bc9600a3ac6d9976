/** Converts a checkpoint of an older format to the present one, format by format. Pure. */

/** The format that this version writes. */
export const CHECKPOINT_FORMAT = 1;

/** Converts the body of one format into that of the next; it need not set `format`. */
export type Migration = (
  body: Readonly<Record<string, unknown>>,
) => Readonly<Record<string, unknown>>;

/** The conversion from each format to the next; empty, because 1 is the first format. */
export const MIGRATIONS: Readonly<Record<number, Migration>> = {};

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
