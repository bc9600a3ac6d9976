/** Prints answers about the past as text with small bar charts. It depends on its arguments alone. */
import type { OkReply } from "../base/reply.ts";
import { formatCount } from "../base/text/plain_text.ts";
import type { Terminal } from "./terminal.ts";

type Fields = Readonly<Record<string, unknown>>;
type Paint = Pick<Terminal, "paint">;

const BAR_CHARS = 24;

/** The text of an answer about a file, lines, a symbol, or the files that change most. */
export function renderHistory(reply: OkReply, paint: Paint): readonly string[] {
  const fields: Fields = reply;
  const spots = listRows(fields["hot_spots"]);
  const lines = Array.isArray(fields["hot_spots"])
    ? [...renderSpots(spots, paint), ...formatShown(fields, spots.length)]
    : renderFile(fields, paint);
  const notices = Array.isArray(fields["notices"]) ? fields["notices"] : [];
  return [...lines, ...notices.map((notice) => paint.paint(`(${notice})`, "faint"))];
}

/** Past commits like a question, below what was found for it; nothing where the reply has none. */
export function formatPastWork(reply: OkReply, { paint }: Paint): readonly string[] {
  const works = listRows((reply as Fields)["past_work"]);
  if (works.length === 0) return [];
  const lines = works.flatMap(({ commit, at, message, files, more_files: more, then }) => {
    const named = Array.isArray(files) ? files.join(", ") : "";
    const rest = more === undefined
      ? ""
      : named === ""
      ? formatCount(Number(more), "file")
      : ` and ${more} more`;
    const changed = named + rest === "" ? "" : `  ${paint(`(${named}${rest})`, "faint")}`;
    return [
      `${paint(String(commit), "heading")}  ${at}  ${message}${changed}`,
      ...(then === undefined ? [] : [`    ${paint(String(then), "problem")}`]),
    ];
  });
  return [paint("(past work like this)", "faint"), ...lines];
}

function renderSpots(spots: readonly Fields[], { paint }: Paint): readonly string[] {
  if (spots.length === 0) return [paint("(nothing found)", "faint")];
  const bars = formatBars(spots.map(({ commits }) => Number(commits)));
  return spots.map(({ path, fixes, last }, at) => {
    const more = fixes === undefined
      ? `last ${last}`
      : `${formatCount(Number(fixes), "fix", "fixes")}, last ${last}`;
    return `${bars[at]}  ${paint(String(path), "path")}  ${paint(`(${more})`, "faint")}`;
  });
}

function formatShown({ total }: Fields, shown: number): readonly string[] {
  return Number(total) > shown ? [`(${shown} of ${formatCount(Number(total), "file")} shown)`] : [];
}

function renderFile(fields: Fields, paint: Paint): readonly string[] {
  const { path, symbol, lines, commits, of_commits: of, last, uncommitted_lines: open } = fields;
  const { line_commits: times } = fields;
  const place = lines === undefined ? String(path) : `${path}:${lines}`;
  const named = symbol === undefined ? place : `${symbol}  ${place}`;
  const years = listRows(fields["years"]);
  const bars = formatBars(years.map(({ commits }) => Number(commits)));
  const authors = listRows(fields["authors"]).map(({ name, commits }) => `${name} ${commits}`);
  const { authors_of_last: counted } = fields;
  const among = counted === undefined ? "" : `  (of the last ${counted} commits)`;
  const together = listRows(fields["together"]);
  return [
    `${paint.paint(named, "path")}  ${commits} of ${
      formatCount(Number(of), "commit")
    } changed the file` +
    (times === undefined ? "" : `, ${times} of them these lines`),
    ...(open === undefined ? [] : [`Not committed yet: ${open} of the lines`]),
    ...(isFields(last) ? renderChange(last, paint) : []),
    ...listRows(fields["before"]).flatMap((one) => renderChange(one, paint)),
    ...(authors.length === 0 ? [] : [`by    ${authors.join(", ")}${among}`]),
    ...together.map(({ path, commits }, at) =>
      `${at === 0 ? "with " : "     "} ${path}  ${commits}`
    ),
    ...years.map(({ year }, at) => `${year}  ${bars[at]}`),
  ];
}

function renderChange(change: Fields, { paint }: Paint): readonly string[] {
  const { commit, at, author, message, lines, then } = change;
  const share = lines === undefined ? "" : `  ${formatCount(Number(lines), "line")}`;
  const head = `${paint(String(commit), "heading")}  ${at}  ${author}${share}`;
  const text = String(message).split("\n").map((line) => line.trimEnd()).filter((line) =>
    line !== ""
  );
  return [
    head,
    ...text.map((line) => `    ${line}`),
    ...(then === undefined ? [] : [`    ${paint(String(then), "problem")}`]),
  ];
}

/** A bar and its number each, the longest as wide as the chart. */
function formatBars(counts: readonly number[]): readonly string[] {
  const most = Math.max(1, ...counts);
  const digits = `${most}`.length;
  return counts.map((count) => {
    const bar = "█".repeat(Math.max(1, Math.round(BAR_CHARS * count / most)));
    return `${bar.padEnd(BAR_CHARS)} ${`${count}`.padStart(digits)}`;
  });
}

function listRows(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : [];
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}
