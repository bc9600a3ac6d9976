/**
 * The words that every text for people shares: times, durations, counts with their nouns, and texts of others that are
 * shown as they are. Pure, except that a time is written in the zone of this machine.
 */

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d.*(?:Z|[+-]\d\d:\d\d)$/;

/**
 * A stored time (ISO 8601) to the minute in the zone of this machine. The zone's distance from UTC
 * is added, so that it says the same wherever it is read. Anything else stays unchanged.
 */
export function formatTime(at: string): string {
  const time = TIME.test(at) ? new Date(at) : null;
  if (time === null || Number.isNaN(time.getTime())) return at;
  const two = (value: number) => `${value}`.padStart(2, "0");
  const date = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  const east = -time.getTimezoneOffset();
  const hours = two(Math.floor(Math.abs(east) / 60));
  const zone = east === 0 ? "UTC" : `${east < 0 ? "-" : "+"}${hours}:${two(Math.abs(east) % 60)}`;
  return `${date} ${two(time.getHours())}:${two(time.getMinutes())} ${zone}`;
}

/** A duration such as `1 h 4 min`, `3 min 20 s` or `0.4 s`. */
export function formatDuration(seconds: number): string {
  if (seconds < 1) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  const rest = whole % 60;
  if (minutes < 60) return rest === 0 ? `${minutes} min` : `${minutes} min ${rest} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A count with its noun, such as `3 files`; a count that is written already stays as it is written. */
export function formatCount(count: number | string, one: string, many = `${one}s`): string {
  return `${count} ${`${count}` === "1" ? one : many}`;
}

/**
 * A text of others without characters that move a cursor or turn the direction of writing: such a character is shown by
 * its number, since it could make code look like other code. Line breaks, tabs and joiners (emoji) stay.
 */
export function escapeText(text: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll(
    // deno-lint-ignore no-control-regex -- these characters are looked for
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Cs}/gu,
    escapeCharacter,
  );
}

/** As {@link escapeText}, for a text that stands on one line: a line break within it is shown by its number too. */
export function escapeLine(text: string): string {
  return escapeText(text).replaceAll("\n", escapeCharacter);
}

function escapeCharacter(character: string): string {
  return `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}]`;
}

/**
 * A path as one word of a shell, which no program takes for an option.
 *
 * @example
 * ```ts
 * import { strictEqual as equal } from "node:assert/strict";
 * import { quoteShellWord } from "./plain_text.ts";
 * equal(quoteShellWord("src/a.ts"), "src/a.ts");
 * equal(quoteShellWord("a b"), "'a b'");
 * equal(quoteShellWord("-x"), "./-x");
 * ```
 */
export function quoteShellWord(path: string): string {
  const named = path.startsWith("-") ? `./${path}` : path;
  return /^[\w./@+-]+$/.test(named) ? named : `'${named.replaceAll("'", "'\\''")}'`;
}

/** A text as a pattern that matches it and nothing else; signs of patterns lose their meaning. */
export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
