/** Holds a configuration file against its keys: what is wrong is named by its place, the rest is kept. */
import type * as z from "zod";
import { formatSuggestion } from "../text/nearest.ts";
import type { Problem } from "../problem.ts";
import { makeProblem } from "../problem.ts";

/** Gives "line 3, column 5" of a member of the file. */
export type Locate = (path: readonly PropertyKey[]) => string;

/** Values that can be worked with, whatever the file holds. */
export interface Checked<T> {
  readonly values: T;
  /**
   * What is wrong in the file: `config_invalid` where the default holds for a key, `config_unknown_key`
   * where a key changes nothing.
   */
  readonly warnings: readonly Problem[];
}

/** What a file is held against. */
export interface CheckOptions<T> {
  /** Its name in messages. */
  readonly file: string;
  /** Makes the check of each key. */
  readonly shape: { readonly [K in keyof T]: () => z.ZodType };
  readonly defaults: T;
  /** Keys of earlier programs or of editors that change nothing. */
  readonly passedOver: readonly string[];
  /** Members that belong to earlier programs as a whole: their own unknown keys are not reported. */
  readonly foreign?: readonly string[];
  readonly locate: Locate;
  /** What can be kept of a member that is wrong; undefined: the default holds. */
  readonly rescue?: (key: string, member: unknown) => unknown;
}

/** Unknown keys that are reported of one file (guessed). */
const MOST_UNKNOWN = 100;

/** Checks key by key, so that one mistake does not take the other keys with it. */
export function checkKeys<T extends object>(value: unknown, options: CheckOptions<T>): Checked<T> {
  const { file, shape, defaults, passedOver, locate } = options;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    const fault = makeFault("The file is not a mapping of keys", {
      file,
      where: locate([]),
      at: "",
    });
    return { values: defaults, warnings: [fault] };
  }
  const values: Record<string, unknown> = Object.fromEntries(Object.entries(defaults));
  const warnings: Problem[] = [];
  let unknown = 0;
  for (const [key, member] of Object.entries(value)) {
    if (passedOver.includes(key)) continue;
    const schema = Object.hasOwn(shape, key) ? shape[key as keyof T]() : undefined;
    if (schema === undefined) {
      // Each takes a search of its place: a file of nothing else would take minutes.
      if (++unknown > MOST_UNKNOWN) continue;
      warnings.push(makeUnknown([key], { known: Object.keys(shape), file, where: locate([key]) }));
      continue;
    }
    const parsed = schema.safeParse(member);
    if (parsed.success) values[key] = parsed.data;
    else {
      const rescued = options.rescue?.(key, member);
      if (rescued !== undefined) values[key] = rescued;
    }
    warnings.push(...findInside(key, { member, schema, issues: parsed.error?.issues }, options));
  }
  return { values: values as T, warnings };
}

/** Faults of a member, and keys in it that nothing reads. */
function findInside<T>(
  key: string,
  { member, schema, issues = [] }: {
    readonly member: unknown;
    readonly schema: z.ZodType;
    readonly issues?: readonly z.core.$ZodIssue[] | undefined;
  },
  { file, locate, foreign = [] }: CheckOptions<T>,
): readonly Problem[] {
  const faults = issues.map((issue) => {
    const path = [key, ...issue.path];
    const at = path.map(String).join(".");
    const hint = issue.code === "unrecognized_keys" && issue.path.length === 0
      ? issue.keys.map((name) => formatHint(name, listKeys(schema))).join(" ")
      : undefined;
    return makeFault(`${at}: ${issue.message}`, {
      file,
      where: locate(path),
      at,
      ...(hint === undefined ? {} : { hint }),
    });
  });
  const known = listKeys(schema);
  if (faults.length > 0 || known.length === 0 || foreign.includes(key)) return faults;
  return Object.keys(member as object).filter((name) => !known.includes(name))
    .map((name) => makeUnknown([key, name], { known, file, where: locate([key, name]) }));
}

/** Keys of a schema that is a mapping with fixed keys; none of any other. */
function listKeys(schema: z.ZodType): readonly string[] {
  return "shape" in schema ? Object.keys(schema.shape as object) : [];
}

function makeUnknown(
  path: readonly string[],
  { known, file, where }: {
    readonly known: readonly string[];
    readonly file: string;
    readonly where: string;
  },
): Problem {
  const name = path.at(-1) ?? "";
  return makeProblem("config_unknown_key", `Unknown key "${path.join(".")}" (${file}, ${where})`, {
    path: file,
    at: path.join("."),
    hint: formatHint(name, known),
  });
}

function formatHint(name: string, known: readonly string[]): string {
  return `Nothing reads "${name}".${formatSuggestion(name, known)} Known keys: ${
    known.join(", ")
  }.`;
}

/** A fault that makes the built-in value hold, with its place in the file. */
export function makeFault(
  message: string,
  rest: {
    readonly file: string;
    readonly where: string;
    readonly at: string;
    readonly hint?: string;
  },
): Problem {
  const { file, where, at } = rest;
  return makeProblem("config_invalid", `${message} (${file}, ${where})`, {
    path: file,
    hint: rest.hint ?? "Correct the file; until then the built-in value holds.",
    ...(at === "" ? {} : { at }),
  });
}
