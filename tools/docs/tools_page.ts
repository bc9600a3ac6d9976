/** `docs/tools.md` from the table of tools. */
import type { JsonSchema } from "../../src/tools/input_schema.ts";
import { buildInputSchema } from "../../src/tools/input_schema.ts";
import type { ToolRow } from "../../src/tools/tool.ts";
import { TOOLS } from "../../src/tools/tools.ts";
import { PHASES, STAGES } from "../../src/phase/table/phases.ts";
import { toJsonBlock, toPage, toTable, toWord } from "./markdown.ts";

/** The page. */
export function renderTools(): string {
  const overview = TOOLS.map((row) => [toWord(row.name), row.title, toPermission(row)]);
  return toPage("Tools", "src/tools/tools.ts", [
    "Every tool of the server, in the order in which clients are shown them. A tool that does not work\n" +
    "yet is not listed.",
    toTable(["tool", "what for", "allowed in"], overview),
    ...TOOLS.flatMap(toSection),
  ]);
}

function toSection(row: ToolRow): readonly string[] {
  const schema = buildInputSchema(row);
  const names = Object.keys(schema.properties ?? {});
  const parameters = names.map((name) => toParameter(name, schema));
  return [
    `## ${row.name}`,
    row.description,
    names.length === 0
      ? "No parameters."
      : toTable(["parameter", "type", "default", "meaning"], parameters),
    "A right call:",
    toJsonBlock(row.example),
  ];
}

function toParameter(name: string, schema: JsonSchema): readonly string[] {
  const field = schema.properties?.[name] ?? {};
  const isRequired = schema.required?.includes(name) === true;
  const byDefault = field.default === undefined ? "" : toWord(JSON.stringify(field.default));
  return [toWord(name), toType(field), isRequired ? "required" : byDefault, toMeaning(field)];
}

/** What a field is for, with the fields inside it where it is an object. */
function toMeaning(field: JsonSchema): string {
  const inner = Object.entries(field.properties ?? {})
    .map(([name, { description }]) => `\`${name}\`: ${description ?? ""}`);
  return [field.description ?? "", ...inner].filter((part) => part !== "").join("; ");
}

function toType(field: JsonSchema): string {
  if (field.enum !== undefined) return field.enum.map((value) => JSON.stringify(value)).join(", ");
  if (field.anyOf !== undefined) return field.anyOf.map(toType).join(" or ");
  if (field.type === "array") return `list of ${toType(field.items ?? {})}`;
  return field.type ?? "any";
}

function toPermission({ needs }: ToolRow): string {
  if (needs === null) return "always, or as the reply says";
  const stages = STAGES.filter((stage) => PHASES[stage].grants.includes(needs));
  const steps = stages.filter((stage) => stage !== "SESSION_COMPLETE")
    .map((stage) => PHASES[stage].step);
  const noun = steps.length === 1 ? "step" : "steps";
  return `${noun} ${toRanges(steps)}, and outside a session`;
}

/** Numbers as ranges: 5, 7, 11–14. */
function toRanges(numbers: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([start, end]) => start === end ? `${start}` : `${start}–${end}`).join(", ");
}
