/** The tool `get_symbols`. */
import * as z from "zod";
import type { Definition, SymbolsFound } from "../../explore/mod.ts";
import type { ToolRow } from "../tool.ts";
import {
  LANGUAGE,
  lineField,
  PAGE_FIELDS,
  toOutcome,
  toPageInput,
  toShortDefinition,
} from "../explore_fields.ts";

const SCHEMA = z.strictObject({
  ...PAGE_FIELDS,
  path: lineField(4096).describe(
    "File, or folder: its files' top level",
  ),
  kind: lineField(60).optional().describe("Such as class, function"),
  language: LANGUAGE,
});

type Input = z.output<typeof SCHEMA>;

/** Symbols of a file, or the top-level ones of a folder. */
export const getSymbolsTool: ToolRow<Input> = {
  name: "get_symbols",
  title: "Get symbols",
  description:
    "Lists what a file or folder defines, with kind, lines, scope and signature: see what is where before reading.",
  needs: "structure",
  hints: { readOnly: true, destructive: false, idempotent: true },
  schema: SCHEMA,
  example: { path: "src/users/service.ts", kind: "method" },
  async run(input, context) {
    const answer = await context.services.explorer.getSymbols({
      ...toPageInput(input),
      path: input.path,
      ...(input.kind === undefined ? {} : { kind: input.kind }),
      ...(input.language === undefined ? {} : { language: input.language }),
    }, { signal: context.signal });
    return toOutcome<SymbolsFound, Definition>(answer, context, {
      tool: "get_symbols",
      input,
      listKey: "symbols",
      items: (found) => found.symbols.map(toShortDefinition),
      fields: (found) => ({ path: found.path }),
      shrink: ({ signature: _signature, ...definition }) => definition,
      shared: ["path", "language"],
      files: (definition) => definition.path,
      symbols: (definition) => definition.name,
      defines: (definition) => definition.name,
    });
  },
};
