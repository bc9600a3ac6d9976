/** The options of a tool's command, made from the parameters of its tool: what each stands for in the arguments. */
import type { JsonSchema } from "../tools/input_schema.ts";
import { buildInputSchema } from "../tools/input_schema.ts";
import type { ToolRow } from "../tools/tool.ts";
import type { OptionRow } from "./command.ts";

/** Parameters without an option, because `--project` names the folder. */
const HIDDEN: readonly string[] = ["repo_path"];

/** An option, and the place of its value in the tool's arguments. */
export interface OptionBinding {
  readonly option: OptionRow;
  readonly path: readonly string[];
  /** The value that a flag sets: false where the parameter is on by default. */
  readonly flagValue: boolean;
  /** The value where the option is not given. */
  readonly fallback?: unknown;
}

/** The options of a tool's command, each with its place in the tool's arguments. */
export function listBindings(row: ToolRow): readonly OptionBinding[] {
  const positional = (row.command.parameters ?? []).flatMap((name) => name ?? []);
  return listParameterBindings(buildInputSchema(row), [...positional, ...HIDDEN]);
}

/** An option for each parameter of a tool that is not hidden. */
export function listParameterBindings(
  schema: JsonSchema,
  hidden: readonly string[] = HIDDEN,
  path: readonly string[] = [],
): readonly OptionBinding[] {
  return Object.entries(schema.properties ?? {}).flatMap(
    ([name, field]): readonly OptionBinding[] => {
      if (hidden.includes(name)) return [];
      const members = Object.entries(field.properties ?? {});
      const [single] = members;
      // An object with a single text is given by its own name: `--previous-failed TEXT`.
      if (members.length === 1 && single !== undefined) {
        const [inner, { description: _, ...rest }] = single;
        const { description = "" } = field;
        const option = buildOption(name, { ...rest, description });
        return option === null ? [] : [{ option, path: [...path, name, inner], flagValue: true }];
      }
      if (members.length > 0) return listParameterBindings(field, hidden, [...path, name]);
      const option = buildOption(name, field);
      if (option === null) return [];
      const flagValue = field.default !== true;
      return [{ option, path: [...path, name], flagValue, fallback: field.default }];
    },
  );
}

const KINDS: Readonly<Record<string, OptionRow["kind"]>> = {
  boolean: "flag",
  integer: "number",
  number: "number",
  string: "text",
  array: "list",
};

function buildOption(name: string, field: JsonSchema): OptionRow | null {
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
