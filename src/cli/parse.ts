/**
 * Turns the words of a command line into options and positional arguments, or into all problems at
 * once.
 */
import { parseArgs } from "node:util";
import { formatSuggestion } from "../base/text/nearest.ts";
import type { Command, OptionRow, OptionValues } from "./command.ts";
import { COMMON_OPTIONS } from "./command.ts";

/** A parsed command line, or what is wrong with it. */
export type ParsedLine =
  | {
    readonly kind: "line";
    readonly options: OptionValues;
    readonly positionals: readonly string[];
  }
  | { readonly kind: "refused"; readonly problems: readonly string[] };

type Value = string | number | boolean | readonly string[];

/** Parses the words after the name of a command. */
export function parseLine(words: readonly string[], command: Command): ParsedLine {
  const rows = [...command.options, ...COMMON_OPTIONS];
  const { tokens } = parseArgs({
    args: [...withFallbacks(words, rows)],
    options: Object.fromEntries(rows.map((row) => [row.name, buildConfig(row)])),
    strict: false,
    tokens: true,
  });
  const options: Record<string, Value> = {};
  const positionals: string[] = [];
  const problems: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") positionals.push(token.value);
    if (token.kind !== "option") continue;
    const row = rows.find(({ name }) => name === token.name);
    const read = row === undefined
      ? makeUnknownProblem(token.rawName, rows)
      : readValue(row, token.value, options[row.name]);
    if (typeof read === "object" && "problem" in read) problems.push(read.problem);
    else options[token.name] = read;
  }
  problems.push(...checkCount(positionals, command));
  return problems.length > 0
    ? { kind: "refused", problems }
    : { kind: "line", options, positionals };
}

/** Gives an option that may be used without a value its fallback, where no value follows. */
function withFallbacks(
  words: readonly string[],
  rows: readonly OptionRow[],
): readonly string[] {
  const end = words.includes("--") ? words.indexOf("--") : words.length;
  return words.map((word, at) => {
    const fallback = rows.find(({ name }) => word === `--${name}`)?.fallback;
    const next = at + 1 < end ? words[at + 1] : undefined;
    const isAlone = at < end && (next === undefined || next.startsWith("-"));
    return fallback !== undefined && isAlone ? `${word}=${fallback}` : word;
  });
}

function buildConfig(row: OptionRow): { type: "boolean" | "string"; short?: string } {
  const type = row.kind === "flag" ? "boolean" : "string";
  return row.short === undefined ? { type } : { type, short: row.short };
}

function makeUnknownProblem(
  rawName: string,
  rows: readonly OptionRow[],
): { readonly problem: string } {
  const known = rows.map(({ name }) => `--${name}`);
  const dashes = ` (a value that begins with "-" goes after "--")`;
  return { problem: `Unknown option "${rawName}".${formatSuggestion(rawName, known) || dashes}` };
}

function readValue(
  row: OptionRow,
  value: string | undefined,
  before: Value | undefined,
): Value | { readonly problem: string } {
  const shown = `--${row.name}`;
  if (row.kind === "flag") return value === undefined ? true : wrong(`${shown} takes no value`);
  if (value === undefined) return wrong(`${shown} needs a value: ${shown}=${row.value ?? "VALUE"}`);
  if (row.values !== undefined && !row.values.includes(value)) {
    const nearest = formatSuggestion(value, row.values);
    return wrong(`${shown} takes ${row.values.join(", ")}, not "${value}".${nearest}`);
  }
  if (row.kind === "list") return [...(Array.isArray(before) ? before : []), value];
  if (row.kind === "text") return value;
  return /^\d+$/.test(value)
    ? Number(value)
    : wrong(`${shown} takes a whole number from 0 on, not "${value}"`);
}

function wrong(problem: string): { readonly problem: string } {
  return { problem };
}

function checkCount(positionals: readonly string[], command: Command): readonly string[] {
  const [min, max] = command.positionals;
  if (positionals.length < min) return [`Too few arguments: give ${command.usage}`];
  if (positionals.length <= max) return [];
  return [`Too many arguments: "${positionals[max]}" is not expected`];
}
