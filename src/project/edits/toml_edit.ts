/**
 * Keeps our table in TOML that belongs to somebody else, as a block between markers at the end of
 * the file. The parser only checks: before the edit, that the file can be read; after it, that
 * everything else is unchanged. Pure.
 */
import { parse, TomlError } from "smol-toml";
import { toCanonicalJson } from "../../base/text/json_record.ts";
import type { Markers } from "./block_edit.ts";

/** The lines around the table. */
export const TOML_MARKERS: Markers = {
  begin: "# >>> code-intel (written by `code-intel init`)",
  end: "# <<< code-intel",
};

/** The parsed file, or the place where it cannot be read. */
export type TomlText =
  | { readonly kind: "toml"; readonly value: Readonly<Record<string, unknown>> }
  | { readonly kind: "fault"; readonly message: string };

/** Reads TOML, with or without a byte order mark. */
export function parseTomlText(text: string): TomlText {
  try {
    return {
      kind: "toml",
      value: parse(text.replace("\uFEFF", ""), { integersAsBigInt: "asNeeded" }),
    };
  } catch (failure) {
    if (!(failure instanceof TomlError)) throw failure;
    const reason = failure.message.split("\n")[0]?.replace("Invalid TOML document: ", "") ?? "";
    return {
      kind: "fault",
      message: `${reason} at line ${failure.line}, column ${failure.column}`,
    };
  }
}

/** Whether a table such as `mcp_servers.code-intel` is in a parsed file. */
export function hasTable(
  value: Readonly<Record<string, unknown>>,
  path: readonly string[],
): boolean {
  let at: unknown = value;
  for (const name of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, name)) return false;
    at = (at as Readonly<Record<string, unknown>>)[name];
  }
  return true;
}

/**
 * Why an edited text must not be written: it cannot be read, or something of the person's has
 * changed.
 */
export function checkTomlEdit(
  before: string,
  after: string,
  path: readonly string[],
): string | null {
  const [old, now] = [parseTomlText(before), parseTomlText(after)];
  if (old.kind === "fault") return old.message;
  if (now.kind === "fault") return `its tables leave no room for [${path.join(".")}]`;
  const isSame = toForeign(old.value, path) === toForeign(now.value, path);
  return isSame ? null : `its tables leave no room for [${path.join(".")}]`;
}

/**
 * Everything except our table, as text for comparison; tables that contain nothing else are left
 * out too.
 */
function toForeign(value: Readonly<Record<string, unknown>>, path: readonly string[]): string {
  return toCanonicalJson(JSON.parse(JSON.stringify(without(value, path), toPlain)));
}

function without(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined || typeof value !== "object" || value === null) return value;
  const { [name]: member, ...others } = value as Readonly<Record<string, unknown>>;
  if (rest.length === 0) return others;
  const inner = without(member, rest);
  const isEmpty = typeof inner !== "object" || inner === null || Object.keys(inner).length === 0;
  return isEmpty ? others : { ...others, [name]: inner };
}

/** Numbers that JSON cannot write are compared by their names. */
function toPlain(_key: string, value: unknown): unknown {
  return typeof value === "bigint" || Object.is(value, NaN) || value === Infinity ||
      value === -Infinity
    ? String(value)
    : value;
}
