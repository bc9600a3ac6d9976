/**
 * Commands that do the same as a tool: their options are made from the tool's parameters, so that
 * the two never differ.
 */
import { invariant } from "../base/errors.ts";
import type { JsonSchema } from "../tools/input_schema.ts";
import { buildInputSchema } from "../tools/input_schema.ts";
import { getTool } from "../tools/tools.ts";
import { answerWithTool } from "./answer.ts";
import type { OptionBinding } from "./bindings.ts";
import { listBindings, listParameterBindings } from "./bindings.ts";
import type { Command, Invocation, OptionRow } from "./command.ts";

/** Makes the command of a tool from its row. */
export function createToolCommand(tool: string): Command {
  const row = getTool(tool);
  const { usage = "", parameters: [first, second] = [""], example = "" } = row.command;
  const bindings = listBindings(row);
  const parameter = buildInputSchema(row).properties?.[first];
  return {
    usage,
    positionals: row.command.positionals ?? countPositionals(usage),
    example,
    options: bindings.map(({ option }) => option),
    run: (invocation) =>
      answerWithTool(tool, {
        ...buildArguments(bindings, invocation),
        ...(second === undefined
          ? buildPositional(first, parameter, invocation.positionals)
          : buildPair([first, second], splitLocation(invocation.positionals))),
      }, invocation),
  };
}

/** How many positional arguments a usage line takes. */
function countPositionals(usage: string): readonly [min: number, max: number] {
  const parts = usage.split(" ");
  const min = parts.filter((part) => !part.startsWith("[")).length;
  return [min, usage.includes("...") ? MOST_POSITIONALS : parts.length];
}

const MOST_POSITIONALS = 200;

/** The option that stands for one parameter of a tool, for a command that is not made from its row. */
export function findToolOption(tool: string, parameter: string): OptionRow {
  const bindings = listParameterBindings(buildInputSchema(getTool(tool)));
  const binding = bindings.find(({ path }) => path.at(-1) === parameter);
  invariant(binding !== undefined, `no option for ${parameter} of ${tool}`);
  return binding.option;
}

function buildArguments(
  bindings: readonly OptionBinding[],
  { options }: Invocation,
): Readonly<Record<string, unknown>> {
  const all: Record<string, unknown> = {};
  for (const { option, path, flagValue } of bindings) {
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

function buildPositional(
  name: string,
  field: JsonSchema | undefined,
  given: readonly string[],
): Readonly<Record<string, unknown>> {
  if (given.length === 0) return {};
  return { [name]: field?.type === "array" || given.length > 1 ? given : given[0] };
}

/** A place as all output prints it (`src/a.ts:42`, a column behind it included) as its file and its line. */
function splitLocation(given: readonly string[]): readonly string[] {
  const [, path, line] = given.length === 1
    ? /^(.+?):(\d+)(?::\d+)?$/.exec(given[0] ?? "") ?? []
    : [];
  return path === undefined || line === undefined ? given : [path, line];
}

/** Two arguments for two parameters; the second is a number where it looks like one. */
function buildPair(
  [first, second]: readonly [string, string],
  [one, other = ""]: readonly string[],
): Readonly<Record<string, unknown>> {
  return { [first]: one, [second]: /^\d+$/.test(other) ? Number(other) : other };
}
