/** The tool `get_symbols`. */
import * as z from "zod";
import { comparePaths } from "../../backends/text_query.ts";
import type { OkReply } from "../../base/reply.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import type { Definition, SymbolsFound } from "../../explore/explorer.ts";
import {
  buildOutcome,
  buildPageInput,
  languageField,
  lineField,
  listPageFields,
  shortenDefinition,
  toUsualBytes,
} from "../explore_fields.ts";
import { addRunBy } from "../run_fields.ts";
import type { ToolRow } from "../tool.ts";
import { toPlaceLine, toSymbolText } from "../tool.ts";

function buildSchema() {
  return z.strictObject({
    ...listPageFields(),
    path: lineField(4096).describe(
      "File, or folder: its files' top level",
    ),
    kind: lineField(60).optional().describe("Such as class, function"),
    language: languageField(),
  });
}

type Input = z.output<ReturnType<typeof buildSchema>>;

/** Symbols of a file, or the top-level ones of a folder. */
export const getSymbolsTool: ToolRow<Input> = {
  name: "get_symbols",
  title: "Get symbols",
  description:
    "Lists what a file or folder defines, with kind, lines, scope and signature: see what is where before reading.",
  needs: "structure",
  hints: { readOnly: true, destructive: false, idempotent: true },
  buildSchema,
  command: {
    name: "symbols",
    summary: "List the symbols of a file or folder",
    usage: "PATH",
    parameters: ["path"],
    example: "code-intel symbols src/auth.ts",
  },
  print: {
    list: "symbols",
    toLine: (entry, paint) => toPlaceLine(entry, paint, toSymbolText(entry)),
  },
  shows: { symbols: 2, files: 2 },
  hub: { asks: "one" },
  example: { path: "src/users/service.ts", kind: "method" },
  async run(input, context) {
    const answer = await context.services.explorer.getSymbols({
      ...buildPageInput(input),
      path: input.path,
      ...(input.kind === undefined ? {} : { kind: input.kind }),
      ...(input.language === undefined ? {} : { language: input.language }),
    }, { signal: context.signal });
    const items = answer.kind === "refused" ? [] : await addRunBy(
      context.services,
      answer.symbols,
      { toNamed: (item) => item, isBrief: true },
    );
    const maxBytes = toUsualBytes(context, input, LIMITS.outlineBytes.value);
    const outcome = buildOutcome<SymbolsFound, Definition>(answer, { ...context, maxBytes }, {
      tool: "get_symbols",
      input,
      listKey: "symbols",
      items: () => items.map(shortenDefinition),
      fields: (found) => ({ path: found.path }),
      shrink: ({ signature: _signature, ...definition }) => definition,
      shared: ["path", "language"],
      files: (definition) => definition.path,
      symbols: (definition) => definition.name,
      defines: (definition) => definition.name,
    });
    return outcome.reply.ok ? { ...outcome, reply: inOrder(outcome.reply) } : outcome;
  },
};

/** The shown symbols as they stand in the files. */
function inOrder(reply: OkReply): OkReply {
  const symbols = reply["symbols"] as readonly Pick<Definition, "path" | "line">[];
  const sorted = symbols.toSorted((a, b) =>
    comparePaths(a.path ?? "", b.path ?? "") || a.line - b.line
  );
  return { ...reply, symbols: sorted };
}
