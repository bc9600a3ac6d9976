/** The tool `search_text`. */
import * as z from "zod";
import { comparePaths } from "../../backends/text_query.ts";
import { measureJson } from "../../base/text/json_record.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import type { OkReply } from "../../base/reply.ts";
import type { TextFound, TextMatch } from "../../explore/explorer.ts";
import { shortenMatch } from "../../explore/small_match.ts";
import {
  buildOutcome,
  buildPageInput,
  isForAll,
  lineField,
  listPageFields,
  toOtherFields,
  toUsualBytes,
  withOtherNotices,
} from "../explore_fields.ts";
import type { Fields, Paint, ToolRow } from "../tool.ts";
import { NO_OTHERS } from "../../services/other_repositories.ts";

function buildSchema() {
  return z.strictObject({
    pattern: z.union([
      lineField(1000),
      z.array(lineField(1000)).min(1).max(LIMITS.searchPatterns.value),
    ])
      .describe("Regular expression (Rust), or up to 5 that share the room"),
    ...listPageFields(),
    "file_type": lineField(60).optional().describe("Such as ts, py, rust"),
    globs: z.array(lineField(500)).max(20).optional()
      .describe("Such as src/**/*.ts; !glob leaves out"),
    "case_sensitive": z.boolean().default(true).describe("false: any case"),
    fixed: z.boolean().default(false).describe("Plain text"),
    "whole_word": z.boolean().default(false).describe("Whole words"),
    "context_lines": z.number().int().min(0).max(20).default(0)
      .describe("Lines around a match"),
  });
}

type Input = z.output<ReturnType<typeof buildSchema>>;

/** Lines that match patterns, with exact totals. */
export const searchTextTool: ToolRow<Input> = {
  name: "search_text",
  title: "Search text",
  description: "Finds lines by regular expression or plain text, with exact totals. " +
    "Definitions: find_definitions; uses: find_references; file names: search_files.",
  needs: "text",
  hints: { readOnly: true, destructive: false, idempotent: true },
  buildSchema,
  command: {
    name: "text",
    summary: "Search for text or a regular expression",
    usage: "PATTERN...",
    positionals: [1, 5],
    parameters: ["pattern"],
    example: `code-intel text "login\\(" --path src`,
  },
  print: { list: "matches", toLine: formatTextLines },
  shows: { files: 1 },
  hub: {
    asks: "holding",
    description: "Finds lines of the indexed commits by regular expression or plain text.",
  },
  isFirst: true,
  example: { pattern: "TODO|FIXME", path: "src", "context_lines": 2 },
  async run(input, context) {
    const patterns = typeof input.pattern === "string" ? [input.pattern] : input.pattern;
    const maxBytes = toUsualBytes(context, input, LIMITS.answerBytes.value);
    const { explorer, openOthers } = context.services;
    const { signal } = context;
    const query = {
      patterns,
      caseSensitive: input.case_sensitive,
      fixed: input.fixed,
      wholeWord: input.whole_word,
      contextLines: input.context_lines,
      ...(input.globs === undefined ? {} : { globs: input.globs }),
      ...(input.file_type === undefined ? {} : { fileType: input.file_type }),
      takesTurns: true,
    };
    const own = await explorer.searchText({ ...buildPageInput(input), ...query }, { signal });
    const isAsked = own.kind === "found" && isForAll(input);
    const other = isAsked ? await (await openOthers()).searchLines(query, { signal }) : NO_OTHERS;
    const answer = own.kind === "found" ? withOtherNotices(own, other) : own;
    const isFolded = context.via !== "cli" && input.context_lines === 0;
    const outcome = buildOutcome<TextFound, TextMatch>(answer, { ...context, maxBytes }, {
      tool: "search_text",
      input,
      listKey: "matches",
      items: (found) => found.matches,
      fields: ({ files, totals = [] }) => ({
        ...(patterns.length > 1
          ? { patterns: patterns.map((pattern, at) => ({ pattern, total: totals[at] ?? 0 })) }
          : {}),
        files,
        ...toOtherFields(other),
      }),
      shrink: fitRoom,
      write: isFolded ? formatShortLine : formatFileLines,
      join: { by: ["path"], list: "lines", isFolded },
      files: (match) => match.path,
    });
    return outcome.reply.ok ? { ...outcome, reply: inOrder(outcome.reply) } : outcome;
  },
};

/** Lines of one file as a search prints them: `12:text` matches, `11-text` stands beside a match. */
interface FileLines {
  readonly path: string;
  readonly lines: readonly string[];
}

/** The line itself shows where it matches, and with which pattern. */
function formatFileLines({ path, line, text, before = [], after = [] }: TextMatch): FileLines {
  return {
    path,
    lines: [
      ...before.map((beside, at) => `${line - before.length + at}-${beside}`),
      `${line}:${text}`,
      ...after.map((beside, at) => `${line + 1 + at}-${beside}`),
    ],
  };
}

/** The line without its indent, which says nothing where no line stands beside it. */
function formatShortLine(match: TextMatch): FileLines {
  return formatFileLines({ ...match, text: match.text.trimStart() });
}

/** Files by their paths and lines by their numbers; a line that stands beside several matches is there once. */
function inOrder(reply: OkReply): OkReply {
  const matches = (reply["matches"] as readonly FileLines[]).map(({ path, lines }) => {
    const byNumber = new Map<number, string>();
    for (const line of lines) {
      const number = Number.parseInt(line, 10);
      const isMatch = line[String(number).length] === ":";
      if (isMatch || !byNumber.has(number)) byNumber.set(number, line);
    }
    return { path, lines: [...byNumber].sort(([a], [b]) => a - b).map(([, line]) => line) };
  });
  return { ...reply, matches: matches.sort((a, b) => comparePaths(a.path, b.path)) };
}

/** The most bytes that a character common in code takes in JSON. */
const CHAR_BYTES = 3;
const MIN_CHARS = 20;

/** The match without its context, and with its line cut to the given room. */
function fitRoom(match: TextMatch, roomBytes: number): TextMatch {
  const small = shortenMatch(match, MIN_CHARS);
  const leftBytes = roomBytes - measureJson(formatFileLines({ ...small, text: "" })) - 8;
  const whole = shortenMatch(match, match.text.length);
  if (measureJson(formatFileLines(whole)) < roomBytes) return whole;
  return shortenMatch(match, Math.max(MIN_CHARS, Math.floor(leftBytes / CHAR_BYTES)));
}

/** The lines of one file, each with its place; lines beside a match have a hyphen after their number. */
function formatTextLines({ path, lines }: Fields, paint: Paint): readonly string[] {
  return (lines as readonly string[]).map((line) => {
    const [place = "", number, sign] = /^(\d+)([:-])/.exec(line) ?? [];
    return `${paint(`${path}${sign}${number}`, "path")}${sign} ${line.slice(place.length)}`;
  });
}
