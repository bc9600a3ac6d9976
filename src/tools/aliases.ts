/**
 * Names of parameters that mean the same. A caller who knows the name that another tool, or another server, has for it is
 * understood; listings and refusals say the tool's own. Pure.
 */
import type { JsonSchema } from "./input_schema.ts";
import { toTypes } from "./input_schema.ts";

const SAME: readonly (readonly string[])[] = [
  ["path", "paths", "file", "files", "file_path", "file_paths", "target_file", "target_files"],
  ["line", "line_number"],
  ["symbol", "name", "symbol_name"],
  ["globs", "glob", "include"],
  ["pattern", "patterns", "query", "question", "regex", "glob", "text"],
  ["max_results", "n_results", "limit"],
  ["fixed", "literal", "fixed_strings"],
  ["whole_word", "word", "word_regexp"],
  ["context_lines", "context"],
];

/** Switches that mean the contrary of one of the tool's. */
const CONTRARY: Readonly<Record<string, string>> = {
  regex: "fixed",
  "is_regex": "fixed",
  "use_regex": "fixed",
  "ignore_case": "case_sensitive",
  "case_insensitive": "case_sensitive",
};

/** The arguments under the names of the tool, and a single value as a list where the tool takes a list. */
export function toOwnNames(
  given: Readonly<Record<string, unknown>>,
  schema: JsonSchema,
): Record<string, unknown> {
  const known = schema.properties ?? {};
  const own: Record<string, unknown> = { ...given };
  for (const [name, value] of Object.entries(given)) {
    if (Object.hasOwn(known, name)) continue;
    const type = Array.isArray(value) ? "array" : typeof value;
    const contrary = CONTRARY[name] ?? "";
    if (type === "boolean" && Object.hasOwn(known, contrary)) {
      delete own[name];
      if (!Object.hasOwn(own, contrary)) own[contrary] = !value;
      continue;
    }
    const meant = SAME.filter((names) => names.includes(name)).map((names) => {
      const free = names.filter((one) => Object.hasOwn(known, one) && !Object.hasOwn(own, one));
      return free.find((one) => toTypes(known[one] ?? {}).includes(type)) ??
        (free.length === 1 ? free[0] : undefined);
    }).find((one) => one !== undefined);
    if (meant === undefined) continue;
    delete own[name];
    own[meant] = toForm(value, toTypes(known[meant] ?? {}));
  }
  return own;
}

function toForm(value: unknown, types: readonly string[]): unknown {
  if (typeof value === "string" && types.length === 1 && types[0] === "array") {
    return value.startsWith("[") ? value : [value];
  }
  const isOne = Array.isArray(value) && value.length === 1 && !types.includes("array");
  return isOne ? value[0] : value;
}
