/**
 * Prints replies as text for people and pipes: stable lines for lists of places, an outline for all
 * else.
 */
import type { OkReply, RefusedReply } from "../base/reply.ts";
import type { Terminal } from "./terminal.ts";
import { toNextCommand, toTerminalWords } from "./words.ts";

type Fields = Readonly<Record<string, unknown>>;
type Paint = Pick<Terminal, "paint">;

/** Which list of a reply is its answer, and how an entry becomes a line. */
interface ListRow {
  readonly list: string;
  readonly toLine: (entry: Fields, paint: Paint) => string;
}

const LISTS: Readonly<Record<string, ListRow>> = {
  search_text: { list: "matches", toLine: (entry, paint) => toPlace(entry, paint, entry["text"]) },
  search_files: { list: "files", toLine: (entry, { paint }) => paint(String(entry), "path") },
  find_definitions: {
    list: "definitions",
    toLine: (entry, paint) => toPlace(entry, paint, toSymbol(entry)),
  },
  find_references: {
    list: "references",
    toLine: (entry, paint) => toPlace(entry, paint, `[${entry["kind"]}] ${entry["text"]}`),
  },
  get_symbols: {
    list: "symbols",
    toLine: (entry, paint) => toPlace(entry, paint, toSymbol(entry)),
  },
  query: {
    list: "results",
    toLine: (entry, paint) =>
      toPlace(
        entry["line"] === 0 ? { path: entry["path"] } : entry,
        paint,
        `[${entry["role"]}] ${entry["text"]}`,
      ),
  },
  get_function_at_line: { list: "content", toLine: (entry) => String(entry) },
  semantic_search: { list: "hits", toLine: toHit },
  fetch_chunk_detail: { list: "chunks", toLine: toChunk },
  snapshots: { list: "snapshots", toLine: toSnapshot },
  copies: { list: "copies", toLine: (entry, { paint }) => paint(String(entry["path"]), "path") },
  kept_branches: {
    list: "branches",
    toLine: (entry, { paint }) =>
      `${paint(String(entry["branch"]), "path")}  ${entry["at"]}  ${
        String(entry["tip"]).slice(0, 12)
      }  ${entry["subject"]}`,
  },
};

function toHit(entry: Fields, paint: Paint): string {
  const { score, name, id, explain } = entry;
  const line = { path: entry["path"], line: entry["start_line"] };
  const why = explain === undefined ? "" : `\n    ${JSON.stringify(explain)}`;
  return `${toPlace(line, paint, `${score} ${name ?? ""}`.trimEnd())}  ${
    paint.paint(String(id), "faint")
  }${why}`;
}

function toChunk(entry: Fields, paint: Paint): string {
  const lines = `${entry["start_line"]}-${entry["end_line"]}`;
  return `${toPlace({ path: entry["path"], line: lines }, paint, entry["name"] ?? "")}\n${
    entry["content"]
  }`;
}

function toSnapshot(entry: Fields, { paint }: Paint): string {
  const { number, at, label, changed_files: count, recorded_by_hash_only: large } = entry;
  const files = `${count} changed file${count === 1 ? "" : "s"}`;
  const more = Array.isArray(large) ? `, by hash only: ${large.join(", ")}` : "";
  return `${paint(String(number).padStart(4), "path")}  ${at}  ${label}  (${files}${more})`;
}

/** The text of a successful reply. */
export function renderReply(tool: string, reply: OkReply, paint: Paint): string {
  const row = LISTS[tool];
  const list = row === undefined ? undefined : reply[row.list];
  if (row !== undefined && Array.isArray(list)) return renderList(row, list, reply, paint);
  return `${[...toHeading(reply, paint), ...toOutline(toRest(reply), 0, paint)].join("\n")}\n`;
}

/** The text of a refusal or a failure: every problem with its next step. */
export function renderRefusal(reply: RefusedReply, { paint }: Paint): string {
  const lines = [`${paint(reply.error, "problem")}: ${toTerminalWords(reply.message)}`];
  const { problems = [] } = reply;
  for (const problem of problems) {
    // The first line says the message of a single problem already.
    const isSaid = problems.length === 1 && problem.message === reply.message;
    if (!isSaid) lines.push(`- ${toTerminalWords(problem.message)}`);
    if (problem.hint !== undefined) lines.push(`  ${toTerminalWords(problem.hint)}`);
  }
  for (const [key, space] of [["hint", []], ["instruction", [""]]] as const) {
    const text = reply[key];
    if (typeof text === "string") lines.push(...space, toTerminalWords(text));
  }
  return `${lines.join("\n")}\n`;
}

function renderList(
  row: ListRow,
  list: readonly unknown[],
  reply: OkReply,
  paint: Paint,
): string {
  // A path that all entries share stands once in the reply.
  const { path } = reply as Fields;
  const lines = list.map((entry) =>
    row.toLine((typeof entry === "object" ? { path, ...entry } : entry) as Fields, paint)
  );
  const notes: string[] = [];
  if (list.length === 0) notes.push("nothing found");
  const { truncated, notices } = reply as Fields;
  if (Array.isArray(notices)) notes.push(...notices.map(String).map(toTerminalWords));
  if (typeof truncated === "object" && truncated !== null) {
    const { shown, total } = truncated as Fields;
    notes.push(`${shown} of ${total} shown`);
  }
  return [...lines, ...notes.map((note) => paint.paint(`(${note})`, "faint"))]
    .map((line) => `${line}\n`).join("");
}

function toPlace(entry: Fields, { paint }: Paint, text: unknown): string {
  const line = entry["line"] === undefined ? "" : `:${entry["line"]}`;
  return `${paint(`${entry["path"] ?? entry["file"]}${line}`, "path")}: ${text}`;
}

function toSymbol(entry: Fields): string {
  const scope = entry["scope"] === undefined ? "" : ` in ${entry["scope"]}`;
  return `${entry["kind"]} ${entry["name"]}${entry["signature"] ?? ""}${scope}`;
}

function toHeading(reply: Fields, { paint }: Paint): readonly string[] {
  const { phase, step, of, instruction } = reply;
  const heading = phase === undefined ? [] : [paint(`Step ${step}/${of}: ${phase}`, "heading")];
  return typeof instruction === "string" ? [...heading, toTerminalWords(instruction), ""] : heading;
}

/** The fields that the heading has not shown. */
function toRest(reply: Fields): Fields {
  const { ok: _ok, phase: _phase, step: _step, of: _of, instruction: _text, ...rest } = reply;
  const { call, ...others } = rest;
  return typeof call === "string" ? { ...others, next: toNextCommand(call) } : rest;
}

function toOutline(value: unknown, depth: number, paint: Paint): readonly string[] {
  const indent = "  ".repeat(depth);
  if (Array.isArray(value)) {
    return value.flatMap((item) => {
      if (typeof item !== "object" || item === null) return [`${indent}- ${toText(item, indent)}`];
      const [first = "", ...rest] = toOutline(item, depth + 1, paint);
      return [`${indent}- ${first.trimStart()}`, ...rest];
    });
  }
  return Object.entries(value as Fields).flatMap(([key, item]) => {
    const name = paint.paint(`${key}:`, "faint");
    if (typeof item !== "object" || item === null) {
      return [`${indent}${name} ${toText(item, indent)}`];
    }
    const inner = toOutline(item, depth + 1, paint);
    return inner.length === 0 ? [`${indent}${name} -`] : [`${indent}${name}`, ...inner];
  });
}

/** Lines after the first are indented, so that a diff stands below its file. */
function toText(value: unknown, indent: string): string {
  return value === null ? "-" : String(value).trimEnd().replaceAll("\n", `\n${indent}    `);
}
