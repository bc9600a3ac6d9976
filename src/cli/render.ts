/**
 * Prints replies as text for people and pipes: stable lines for lists of places, an outline for all
 * else.
 */
import type { OkReply, RefusedReply } from "../base/reply.ts";
import type { NamedCall, TextReader } from "../base/text/words.ts";
import { Phrase } from "../base/text/words.ts";
import { formatCount, formatTime } from "../base/text/plain_text.ts";
import { fold, foldAfter, splitFailure } from "./fold.ts";
import { formatPastWork } from "./history_text.ts";
import { findCommandLine } from "./user_reader.ts";
import type { Terminal } from "./terminal.ts";
import type { Fields, Paint, PrintedList } from "../tools/tool.ts";
import { findTool } from "../tools/tools.ts";

/** What a reply is rendered with. */
export interface RenderContext extends Pick<Terminal, "paint" | "columns"> {
  /** The words for calls and arguments. */
  readonly reader: TextReader;
}

/** Lists of commands that call no tool. */
const LISTS: Readonly<Record<string, PrintedList>> = {
  snapshots: { list: "snapshots", toLine: formatSnapshot },
  copies: { list: "copies", toLine: (entry, paint) => paint(String(entry["path"]), "path") },
  kept_branches: {
    list: "branches",
    toLine: (entry, paint) =>
      `${paint(String(entry["branch"]), "path")}  ${formatTime(String(entry["at"]))}  ${
        String(entry["tip"]).slice(0, 12)
      }  ${entry["subject"]}`,
  },
};

function formatSnapshot(entry: Fields, paint: Paint): string {
  const { number, at, label, changed_files: count, recorded_by_hash_only: large } = entry;
  const files = formatCount(Number(count), "changed file");
  const more = Array.isArray(large) ? `, by hash only: ${large.join(", ")}` : "";
  return `${paint(String(number).padStart(4), "path")}  ${
    formatTime(String(at))
  }  ${label}  (${files}${more})`;
}

/** The lines of a successful reply. */
export function renderReply(tool: string, reply: OkReply, page: RenderContext): readonly string[] {
  const row = LISTS[tool] ?? findTool(tool)?.print;
  const list = row === undefined ? undefined : reply[row.list];
  if (row !== undefined && Array.isArray(list)) return renderList(row, list, reply, page);
  return [...formatHeading(reply, page), ...formatOutline(keepRest(reply), 0, page)];
}

/** The lines of a refusal or a failure: every problem with its next step. */
export function renderRefusal(reply: RefusedReply, page: RenderContext): readonly string[] {
  const { columns } = page;
  const toBelow = (value: unknown, first: string, code = "") =>
    splitFailure(code, formatValue(value, page)).flatMap((line, at) =>
      foldAfter(at === 0 ? first : "  ", line, { columns, indent: "  " })
    );
  const [head = "", ...more] = toBelow(reply.message, `${reply.error}: `, reply.error);
  const lines = [
    `${page.paint(reply.error, "problem")}${head.slice(reply.error.length)}`,
    ...more,
  ];
  const { problems = [] } = reply;
  for (const problem of problems) {
    // The first line says the message of a single problem already.
    const isSaid = problems.length === 1 && problem.message === reply.message;
    if (!isSaid) lines.push(...toBelow(problem.message, "- ", problem.code));
    if (problem.hint !== undefined) lines.push(...toBelow(problem.hint, "  "));
  }
  const commands = formatCommands(reply["allowed"]);
  if (commands.length > 0) lines.push(...toBelow(`Available now: ${commands.join(", ")}`, ""));
  lines.push(...formatParked(reply["parked_sessions"]));
  for (const [key, space] of [["hint", []], ["instruction", [""]]] as const) {
    const text = reply[key];
    if (typeof text === "string" || text instanceof Phrase) {
      lines.push(...space, ...foldParagraphs(formatValue(text, page), page));
    }
  }
  return lines;
}

/** A text of this program in several paragraphs, folded. */
function foldParagraphs(text: string, { columns }: RenderContext): readonly string[] {
  return text.split("\n").flatMap((line) => fold(line, columns));
}

/** The sessions that wait, each with what tells it from the others. */
function formatParked(sessions: unknown): readonly string[] {
  if (!Array.isArray(sessions)) return [];
  return sessions.map(({ session_id: id, step, parked_days: days, query }: Fields) => {
    const when = days === 0 ? "today" : `${formatCount(Number(days), "day")} ago`;
    return `  ${id}  step ${step}, parked ${when}: ${query}`;
  });
}

/** Any value as words: a text with calls in it is worded for the user. */
function formatValue(value: unknown, { reader }: RenderContext): string {
  return value instanceof Phrase ? value.toWords(reader) : String(value);
}

/** The commands of a list of tools. */
function formatCommands(tools: unknown): readonly string[] {
  return Array.isArray(tools)
    ? tools.flatMap((name) => findCommandLine(String(name)) ?? []).map((line) => `\`${line}\``)
    : [];
}

function renderList(
  row: PrintedList,
  list: readonly unknown[],
  reply: OkReply,
  page: RenderContext,
): readonly string[] {
  // A path that all entries share stands once in the reply.
  const { path } = reply as Fields;
  const lines = list.flatMap((entry) =>
    row.toLine((typeof entry === "object" ? { path, ...entry } : entry) as Fields, page.paint)
  );
  const others = formatOtherResults(reply, page);
  lines.push(...others);
  const notes: string[] = [];
  if (lines.length === 0) notes.push("nothing found");
  const { truncated, notices } = reply as Fields;
  if (Array.isArray(notices)) notes.push(...notices.map((notice) => formatValue(notice, page)));
  if (typeof truncated === "object" && truncated !== null) {
    const { shown, total, next } = truncated as Fields;
    notes.push(`${shown} of ${total} shown`);
    if (isNamedCall(next)) notes.push(`the rest: ${page.reader.toCall(next)}`);
  }
  const faint = notes.flatMap((note) =>
    fold(`(${note})`, page.columns).map((line) => page.paint(line, "faint"))
  );
  // Who sees names that are not the one asked for must read that first.
  const shown = reply["match"] === "sub_word" ? [...faint, ...lines] : [...lines, ...faint];
  return [...shown, ...formatPastWork(reply, page)];
}

/** The places of other repositories, as they lie from the project. */
function formatOtherResults(reply: Fields, { paint }: RenderContext): readonly string[] {
  const others = reply["other_repositories"];
  if (!Array.isArray(others)) return [];
  return others.flatMap(({ repository, root, total, places = [] }: Fields) => {
    const shown = places as readonly string[];
    const rest = Number(total) - shown.length;
    return [
      ...shown.map((place) => `${paint(`${root}/`, "path")}${place}`),
      ...(rest === 0 ? [] : [paint(`(${rest} more in ${repository})`, "faint")]),
    ];
  });
}

function formatHeading(reply: Fields, page: RenderContext): readonly string[] {
  const { phase, step, of, instruction } = reply;
  const heading = phase === undefined
    ? []
    : [page.paint(step === undefined ? String(phase) : `Step ${step}/${of}: ${phase}`, "heading")];
  return typeof instruction === "string" || instruction instanceof Phrase
    ? [...heading, ...foldParagraphs(formatValue(instruction, page), page), ""]
    : heading;
}

/** The fields that the heading has not shown; the next call comes last. */
function keepRest(reply: Fields): Fields {
  const { ok: _ok, phase: _phase, step: _step, of: _of, instruction: _text, ...rest } = reply;
  const { call, ...others } = rest;
  return call === undefined ? rest : { ...others, call };
}

/** Fields that list tools by their names: a person reads the commands. */
const TOOL_LISTS: readonly string[] = [
  "allowed",
  "required_tools",
  "waived_tools",
];

/** A call as a field of a reply names it. */
function isNamedCall(value: unknown): value is NamedCall {
  if (typeof value !== "object" || value === null) return false;
  const { tool, arguments: args } = value as Fields;
  return typeof tool === "string" && typeof args === "object" && args !== null;
}

/** Fields whose values name something: a line break in one is no line break of the answer. */
const NAMING = /(?:^|_)(?:path|file|name|symbol|scope|branch|import|export)e?s?$/;

function formatOutline(
  value: unknown,
  depth: number,
  page: RenderContext,
  isNaming = false,
): readonly string[] {
  const indent = "  ".repeat(depth);
  if (Array.isArray(value)) {
    return value.flatMap((item) => {
      const mark = `${indent}- `;
      if (isPlain(item)) {
        return formatLabelled(item, { first: mark, firstWidth: mark.length, isNaming }, page);
      }
      const [first = "", ...rest] = formatOutline(item, depth + 1, page);
      return [`${mark}${first.trimStart()}`, ...rest];
    });
  }
  return Object.entries(value as Fields).flatMap(([field, item]) => {
    const [key, shown] = translateField(field, item);
    const name = `${indent}${page.paint(`${key}:`, "faint")}`;
    const firstWidth = indent.length + key.length + 2;
    const isOne = NAMING.test(key);
    if (isPlain(shown)) {
      return formatLabelled(shown, { first: `${name} `, firstWidth, isNaming: isOne }, page);
    }
    const inner = formatOutline(shown, depth + 1, page, isOne);
    return inner.length === 0 ? [`${name} -`] : [name, ...inner];
  });
}

/** A field that names tools, with commands in their place. */
function translateField(key: string, value: unknown): readonly [key: string, value: unknown] {
  if (key === "call" && typeof value === "string") return ["next", findCommandLine(value) ?? value];
  return TOOL_LISTS.includes(key) && Array.isArray(value)
    ? [key, formatCommands(value)]
    : [key, value];
}

function isPlain(value: unknown): boolean {
  return typeof value !== "object" || value === null || value instanceof Phrase ||
    isNamedCall(value);
}

/** A value behind its name. Further lines are indented, so that a diff stands below its file. */
function formatLabelled(
  value: unknown,
  { first, firstWidth, isNaming }: {
    readonly first: string;
    readonly firstWidth: number;
    readonly isNaming: boolean;
  },
  page: RenderContext,
): readonly string[] {
  const indent = " ".repeat(first.length - first.trimStart().length + 4);
  const text = value === null
    ? "-"
    : isNamedCall(value)
    ? page.reader.toCall(value)
    : typeof value === "string"
    ? formatTime(value)
    : formatValue(value, page);
  const shown = text.trimEnd();
  // Text of several lines is code or a diff, which a person reads as it is.
  const [top = "", ...below] = isNaming ? [shown] : shown.split("\n");
  const columns = below.length > 0 ? null : page.columns;
  return [
    ...foldAfter(first, top, { columns, indent, firstWidth }),
    ...below.map((line) => indent + line),
  ];
}
