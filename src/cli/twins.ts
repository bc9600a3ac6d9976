/**
 * Commands that do the same as a tool: their options are made from the tool's parameters, so that
 * the two never differ.
 */
import { invariant } from "../base/errors.ts";
import type { JsonSchema } from "../tools/mod.ts";
import { loadTools } from "../tools/mod.ts";
import { answerWithTool } from "./answer.ts";
import type { Command, Invocation, OptionRow } from "./command.ts";

/** One such command: its tool, and which parameters are given without an option name. */
export interface TwinRow {
  readonly tool: string;
  readonly usage: string;
  readonly positionals: readonly [min: number, max: number];
  /** The parameter that takes the positional arguments. */
  readonly parameter: string;
  /** The parameter for the last of two positional arguments, where it has one of its own. */
  readonly second?: string;
  readonly example: string;
}

/** Every such command by its name. */
export const TWINS: Readonly<Record<string, TwinRow>> = {
  "session start": {
    tool: "start_session",
    usage: "QUERY",
    positionals: [1, 1],
    parameter: "query",
    example: `code-intel session start --intent IMPLEMENT "add a login form"`,
  },
  "session status": {
    tool: "get_session_status",
    usage: "[SESSION]",
    positionals: [0, 1],
    parameter: "session_id",
    example: "code-intel session status",
  },
  review: {
    tool: "review_changes",
    usage: "[PATH]",
    positionals: [0, 1],
    parameter: "path",
    example: "code-intel review src",
  },
  "check-write": {
    tool: "check_write_target",
    usage: "PATH...",
    positionals: [1, 200],
    parameter: "file_paths",
    example: "code-intel check-write src/auth.ts",
  },
  text: {
    tool: "search_text",
    usage: "PATTERN...",
    positionals: [1, 5],
    parameter: "pattern",
    example: `code-intel text "login\\(" --path src`,
  },
  files: {
    tool: "search_files",
    usage: "PATTERN",
    positionals: [1, 1],
    parameter: "pattern",
    example: `code-intel files "**/*_test.ts"`,
  },
  def: {
    tool: "find_definitions",
    usage: "SYMBOL",
    positionals: [1, 1],
    parameter: "symbol",
    example: "code-intel def AuthService.login",
  },
  refs: {
    tool: "find_references",
    usage: "SYMBOL",
    positionals: [1, 1],
    parameter: "symbol",
    example: "code-intel refs login",
  },
  symbols: {
    tool: "get_symbols",
    usage: "PATH",
    positionals: [1, 1],
    parameter: "path",
    example: "code-intel symbols src/auth.ts",
  },
  structure: {
    tool: "analyze_structure",
    usage: "PATH",
    positionals: [1, 1],
    parameter: "file_path",
    example: "code-intel structure src/auth.ts",
  },
  function: {
    tool: "get_function_at_line",
    usage: "FILE LINE",
    positionals: [2, 2],
    parameter: "file_path",
    second: "line_number",
    example: "code-intel function src/auth.ts 42",
  },
  query: {
    tool: "query",
    usage: "QUESTION",
    positionals: [1, 1],
    parameter: "question",
    example: `code-intel query "where is the login checked?"`,
  },
  search: {
    tool: "semantic_search",
    usage: "QUESTION",
    positionals: [1, 1],
    parameter: "query",
    example: `code-intel search "where are expired sessions refreshed"`,
  },
  impact: {
    tool: "analyze_impact",
    usage: "[FILE...]",
    positionals: [0, 200],
    parameter: "target_files",
    example: "code-intel impact --diff",
  },
  chunk: {
    tool: "fetch_chunk_detail",
    usage: "ID...",
    positionals: [1, 20],
    parameter: "chunk_id",
    example: "code-intel chunk 0f1e2d3c4b5a6978:12-40",
  },
};

/** Parameters without an option, because `--project` names the folder. */
const HIDDEN: readonly string[] = ["repo_path"];

/** An option, and the place of its value in the tool's arguments. */
interface Binding {
  readonly option: OptionRow;
  readonly path: readonly string[];
  /** The value that a flag sets: false where the parameter is on by default. */
  readonly flagValue?: boolean;
}

/** Makes the command `name` from its row and from the tool's parameters. */
export async function loadTwin(name: string): Promise<Command> {
  const twin = TWINS[name];
  invariant(twin !== undefined, `no twin row for ${name}`);
  const tool = (await loadTools()).find(({ row }) => row.name === twin.tool);
  invariant(tool !== undefined, `no tool ${twin.tool}`);
  const { second } = twin;
  const own = [twin.parameter, ...second === undefined ? [] : [second]];
  const bindings = toBindings(tool.schema, [...own, ...HIDDEN]);
  const parameter = tool.schema.properties?.[twin.parameter];
  return {
    usage: twin.usage,
    positionals: twin.positionals,
    example: twin.example,
    options: bindings.map(({ option }) => option),
    run: (invocation) =>
      answerWithTool(twin.tool, {
        ...toArguments(bindings, invocation),
        ...(second === undefined
          ? toPositional(twin.parameter, parameter, invocation.positionals)
          : toPair([twin.parameter, second], invocation.positionals)),
      }, invocation),
  };
}

function toBindings(
  schema: JsonSchema,
  hidden: readonly string[],
  path: readonly string[] = [],
): readonly Binding[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]): readonly Binding[] => {
    if (hidden.includes(name)) return [];
    const members = Object.entries(field.properties ?? {});
    const [single] = members;
    // An object with a single text is given by its own name: `--previous-failed TEXT`.
    if (members.length === 1 && single !== undefined) {
      const [inner, { description: _, ...rest }] = single;
      const { description = "" } = field;
      const option = toOption(name, { ...rest, description });
      return option === null ? [] : [{ option, path: [...path, name, inner] }];
    }
    if (members.length > 0) return toBindings(field, hidden, [...path, name]);
    const option = toOption(name, field);
    if (option === null) return [];
    const isOn = field.default === true;
    return [{ option, path: [...path, name], ...(isOn ? { flagValue: false } : {}) }];
  });
}

const KINDS: Readonly<Record<string, OptionRow["kind"]>> = {
  boolean: "flag",
  integer: "number",
  number: "number",
  string: "text",
  array: "list",
};

function toOption(name: string, field: JsonSchema): OptionRow | null {
  const kind = KINDS[field.type ?? ""];
  if (kind === undefined) return null;
  const isOn = kind === "flag" && field.default === true;
  const plain = name.replaceAll("_", "-");
  const summary = field.description ?? "";
  return {
    name: isOn ? `no-${plain}` : plain,
    kind,
    summary: isOn ? `Not: ${summary}` : summary,
    ...(kind === "flag" ? {} : { value: kind === "number" ? "N" : "TEXT" }),
    ...(field.enum === undefined ? {} : { values: field.enum }),
  };
}

function toArguments(
  bindings: readonly Binding[],
  { options }: Invocation,
): Readonly<Record<string, unknown>> {
  const all: Record<string, unknown> = {};
  for (const { option, path, flagValue = true } of bindings) {
    const given = options[option.name];
    if (given === undefined) continue;
    const value = option.kind === "flag" ? flagValue : given;
    const [first = "", second] = path;
    all[first] = second === undefined
      ? value
      : { ...(all[first] as Readonly<Record<string, unknown>> | undefined), [second]: value };
  }
  return all;
}

function toPositional(
  name: string,
  field: JsonSchema | undefined,
  given: readonly string[],
): Readonly<Record<string, unknown>> {
  if (given.length === 0) return {};
  return { [name]: field?.type === "array" || given.length > 1 ? given : given[0] };
}

/** Two arguments for two parameters; the second is a number where it looks like one. */
function toPair(
  [first, second]: readonly [string, string],
  [one, other = ""]: readonly string[],
): Readonly<Record<string, unknown>> {
  return { [first]: one, [second]: /^\d+$/.test(other) ? Number(other) : other };
}
