/** The tool `find_references`. */
import * as z from "zod";
import { LIMITS } from "../../base/settings/limits.ts";
import type { Reference, ReferencesFound } from "../../explore/explorer.ts";
import { toWire } from "../budget.ts";
import {
  buildOutcome,
  buildPageInput,
  isForAll,
  languageField,
  lineField,
  listPageFields,
  toOtherFields,
  toUsualBytes,
  withOtherNotices,
} from "../explore_fields.ts";
import type { Fields, ToolRow } from "../tool.ts";
import { toPlaceLine } from "../tool.ts";
import type { OtherReferences } from "../../services/other_repositories.ts";
import { NO_OTHERS } from "../../services/other_repositories.ts";

function buildSchema() {
  return z.strictObject({
    symbol: lineField(300).describe("A name; of A.b, b is looked for"),
    ...listPageFields(),
    language: languageField(),
    "include_text": z.boolean().default(false)
      .describe("Also comments, strings, prose"),
  });
}

type Input = z.output<ReturnType<typeof buildSchema>>;

/** Kinds of references that make no use of what they name. */
const UNUSING: readonly Reference["kind"][] = ["definition", "import", "text"];

/** Places that name a symbol. */
export const findReferencesTool: ToolRow<Input> = {
  name: "find_references",
  title: "Find references",
  description:
    "Finds the places that name a symbol, each with its kind: call, import, type, write, read, definition, text, seen (in a test run; not named). " +
    "Confidence resolved: it leads to defined_at (with overloads: the first of so many); name: not proved. Use it before changing a symbol.",
  needs: "references",
  hints: { readOnly: true, destructive: false, idempotent: true },
  buildSchema,
  command: {
    name: "refs",
    summary: "Find where a symbol is used",
    usage: "SYMBOL",
    parameters: ["symbol"],
    example: "code-intel refs login",
  },
  print: {
    list: "references",
    toLine: (entry, paint) =>
      toPlaceLine(entry, paint, `[${formatReferenceKind(entry)}] ${entry["text"]}`),
  },
  hub: { asks: "mentioning" },
  example: { symbol: "parseConfig", path: "src" },
  async run(input, context) {
    const maxBytes = toUsualBytes(context, input, LIMITS.answerBytes.value);
    const { services, signal } = context;
    let asking: Promise<OtherReferences> | undefined;
    // Asked within the question, when the index of the project is up to date.
    const askOthers = () =>
      asking ??= services.openOthers().then((others) =>
        others.findReferences(input.symbol, { signal })
      );
    const isAsked = isForAll(input);
    const own = await services.explorer.findReferences({
      ...buildPageInput(input),
      symbol: input.symbol,
      includeText: input.include_text,
      ...(isAsked ? { readLeading: async () => (await askOthers()).leading } : {}),
      ...(input.language === undefined ? {} : { language: input.language }),
    }, { signal });
    const other = isAsked && own.kind === "found" ? await askOthers() : NO_OTHERS;
    const answer = own.kind === "found" ? withOtherNotices(own, other) : own;
    return buildOutcome<ReferencesFound, Reference>(answer, { ...context, maxBytes }, {
      tool: "find_references",
      input,
      listKey: "references",
      items: (found) => found.references,
      fields: ({ byKind, files, sameNamed }) => ({
        symbol: input.symbol,
        byKind,
        files,
        ...(sameNamed === undefined ? {} : { sameNamed }),
        ...toOtherFields(other),
      }),
      shared: ["confidence", "defined_at"],
      // A script reads places from the command line; an agent pays for each file that is named again.
      ...(context.via === "cli" ? { write: formatPlace } : {
        write: formatFileLines,
        join: {
          by: ["path", "confidence", "defined_at", "overloads"],
          list: "lines",
          isFolded: true,
        },
      }),
      files: (reference) => reference.path,
      symbols: () => input.symbol,
      defines: ({ kind }) => kind === "definition" ? input.symbol : undefined,
      refers: ({ kind }) => kind === "definition" || kind === "text" ? undefined : input.symbol,
      proven: ({ kind, confidence }) =>
        confidence === "resolved" && !UNUSING.includes(kind) ? input.symbol : undefined,
    });
  },
};

/** A place by its line: its text shows the column, and needs no indent. */
function formatPlace({ column: _column, text, ...place }: Reference): unknown {
  return toWire({ ...place, text: text.trim() });
}

/** A line of its file, with its kind: `12 call: run()`. */
function formatFileLines(reference: Reference): unknown {
  const { column: _column, line, kind, text, within, ...place } = reference;
  const where = within === undefined ? kind : `${kind} in ${within}`;
  return toWire({ ...place, lines: [`${line} ${where}: ${text.trim()}`] });
}

/** How a place uses the name; what only bears the name says so, and what a run proved; the rest is resolved. */
function formatReferenceKind({ kind, confidence, within }: Fields): string {
  if (kind === "seen") return within === undefined ? "seen" : `seen in ${within}`;
  if (kind === "definition" || confidence === "resolved" || confidence === undefined) {
    return String(kind);
  }
  return `${kind}, ${confidence === "name" ? "by name" : confidence}`;
}
