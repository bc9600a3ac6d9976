/** What stands out in a map, for its text and for the lists of its page. Pure. */
import { toCountText, toTimeText } from "../../base/text/plain_text.ts";
import type { CodeMap, MapFile } from "./code_map.ts";

/** A file with how many others lead to it. */
export interface UsedFile {
  readonly path: string;
  readonly users: number;
}

/** The files that changed most in the last year, most first; none where nothing is known of it. */
export function listChanged({ files }: CodeMap, most: number): readonly MapFile[] {
  return files.filter(({ changes }) => (changes ?? 0) > 0)
    .toSorted((a, b) => (b.changes ?? 0) - (a.changes ?? 0) || (a.path < b.path ? -1 : 1))
    .slice(0, most);
}

/** The files that most others lead to, most first. */
export function listUsed({ links }: CodeMap, most: number): readonly UsedFile[] {
  return [...Map.groupBy(links, ({ to }) => to)]
    .map(([path, own]) => ({ path, users: own.length }))
    .toSorted((a, b) => b.users - a.users || (a.path < b.path ? -1 : 1))
    .slice(0, most);
}

/** A number with its thousands apart; without the tables of the locales, which take longer to load than a map to draw. */
export function toNumberText(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** What the map holds, in a line. */
export function toSizeText({ files, links, cycles }: CodeMap): string {
  const lines = files.reduce((sum, file) => sum + file.lines, 0);
  const count = (value: number, word: string) => toCountText(toNumberText(value), word);
  return [
    count(files.length, "file"),
    count(lines, "line"),
    count(links.length, "link"),
    `${count(cycles.length, "circle")} of imports`,
  ].join(", ");
}

/** What the changes count, in a sentence; null where nothing is known of them. */
export function toPastText({ past }: CodeMap): string | null {
  if (past === null) return null;
  return `Changes count the ${toCountText(toNumberText(past.commits), "commit")} since ${
    toTimeText(past.since).slice(0, 10)
  }.`;
}
