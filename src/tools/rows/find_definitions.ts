/** The tool `find_definitions`. */
import * as z from "zod";
import type { Definition, DefinitionsFound } from "../../explore/explorer.ts";
import { addRunBy } from "../run_fields.ts";
import type { ToolRow } from "../tool.ts";
import { toPlaceLine, toSymbolText } from "../tool.ts";
import { NO_OTHERS } from "../../services/other_repositories.ts";
import {
  buildOutcome,
  buildPageInput,
  isForAll,
  languageField,
  lineField,
  listPageFields,
  toOtherFields,
  withOtherNotices,
} from "../explore_fields.ts";

function buildSchema() {
  return z.strictObject({
    symbol: lineField(300).describe("Such as save, User.save, ns::f"),
    ...listPageFields(),
    language: languageField(),
    "exact_match": z.boolean().default(false)
      .describe(
        "Only the very name",
      ),
  });
}

type Input = z.output<ReturnType<typeof buildSchema>>;

/** Places where a symbol is defined. */
export const findDefinitionsTool: ToolRow<Input> = {
  name: "find_definitions",
  title: "Find definitions",
  description:
    "Finds where a symbol is defined: the exact name, else its other cases, else names that hold it (match says " +
    "which). All of one name are listed (same_named). Go on with find_references or get_symbols.",
  needs: "definitions",
  hints: { readOnly: true, destructive: false, idempotent: true },
  buildSchema,
  command: {
    name: "def",
    summary: "Find where a symbol is defined",
    usage: "SYMBOL",
    parameters: ["symbol"],
    example: "code-intel def AuthService.login",
  },
  print: {
    list: "definitions",
    toLine: (entry, paint) => toPlaceLine(entry, paint, toSymbolText(entry)),
  },
  shows: { symbols: 1, files: 3 },
  hub: { asks: "defining" },
  example: { symbol: "UserService.save" },
  async run(input, context) {
    const { explorer, openOthers } = context.services;
    const other = isForAll(input)
      ? await (await openOthers()).findDefinitions(input.symbol)
      : NO_OTHERS;
    const own = await explorer.findDefinitions({
      ...buildPageInput(input),
      symbol: input.symbol,
      exactMatch: input.exact_match,
      isElsewhere: () => Promise.resolve(other.others.length > 0),
      ...(input.language === undefined ? {} : { language: input.language }),
    }, { signal: context.signal });
    const isNear = own.kind === "found" && own.total > 0 && own.match === "sub_word";
    const near = `No definition of exactly "${input.symbol}"; these are the nearest names.`;
    const notices = [...isNear ? [near] : [], ...other.notices];
    const answer = own.kind === "found" ? withOtherNotices(own, { ...other, notices }) : own;
    const items = own.kind === "refused"
      ? []
      : await addRunBy(context.services, own.definitions, { toNamed: (item) => item });
    return buildOutcome<DefinitionsFound, Definition>(answer, context, {
      tool: "find_definitions",
      input,
      listKey: "definitions",
      items: () => items,
      fields: (found) => ({
        symbol: input.symbol,
        ...(found.total === 0 ? {} : { match: found.match }),
        sameNamed: found.sameNamed,
        ...toOtherFields(other),
      }),
      shrink: ({ signature: _signature, ...definition }) => definition,
      files: (definition) => definition.path,
      symbols: (definition) => definition.name,
      defines: (definition) => definition.name,
    });
  },
};
