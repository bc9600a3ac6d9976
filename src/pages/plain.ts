/** Words that pages and other forms of an answer share: times, durations, counts, and texts of others that are shown as they are. Pure. */

/** A time for people, to the minute, in UTC so that a report says the same wherever it is read. */
export function toTimeText(at: string): string {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(at) ? `${at.slice(0, 10)} ${at.slice(11, 16)} UTC` : at;
}

/** A duration such as `1 h 4 min`, `3 min 20 s` or `0.4 s`. */
export function toDurationText(seconds: number): string {
  if (seconds < 1) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  const rest = whole % 60;
  if (minutes < 60) return rest === 0 ? `${minutes} min` : `${minutes} min ${rest} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A count with its noun, such as `3 files`. */
export function toCountText(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/**
 * A text of others without characters that move a cursor or turn the direction of writing: such a character is shown by
 * its number, since it could make code look like other code. Line breaks, tabs and joiners (emoji) stay.
 */
export function toShownText(text: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll(
    // deno-lint-ignore no-control-regex -- these characters are looked for
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Cs}/gu,
    (character) =>
      `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}]`,
  );
}
