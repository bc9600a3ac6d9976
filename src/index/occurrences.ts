/** Makes occurrences of marks: which are definitions, and what stands before the dot. Pure. */
import type { Occurrence } from "./analysis.ts";
import type { RawMark } from "./tag_reader.ts";

const DEFAULT_SEPARATORS = [".", "?."] as const;
const NAME_END = /[\p{L}\p{N}_$@]/u;
const PLAIN_NAME = /^[\p{L}_$@][\p{L}\p{N}_$@]*$/u;

/** How marks become occurrences. */
export interface OccurrenceOptions {
  /** Places of symbols' names. */
  readonly nameStarts: ReadonlySet<number>;
  /** Places where a local variable is declared. */
  readonly localStarts: ReadonlySet<number>;
  /** What joins receiver and name. */
  readonly separators?: readonly string[] | undefined;
}

/** The occurrences of a text, in the order of their places. */
export function buildOccurrences(
  text: string,
  marks: readonly RawMark[],
  options: OccurrenceOptions,
): Occurrence[] {
  const separators = [...options.separators ?? DEFAULT_SEPARATORS]
    .sort((a, b) => b.length - a.length);
  const ends = new Set(separators.map((separator) => separator.at(-1)));
  return marks.map(({ start, row, column, name, kind }) => {
    const receiver = receiverOf(text, start, { separators, ends });
    return {
      name,
      line: row + 1,
      column: column + 1,
      kind: options.nameStarts.has(start)
        ? "definition"
        : options.localStarts.has(start)
        ? "write"
        : kind,
      ...(receiver === "" ? {} : { receiver }),
    };
  });
}

/** The plain name before the separator that stands before `start`; empty where there is none. */
function receiverOf(
  text: string,
  start: number,
  { separators, ends }: {
    readonly separators: readonly string[];
    readonly ends: ReadonlySet<string | undefined>;
  },
): string {
  const at = skipBlanks(text, start);
  if (at === 0 || !ends.has(text.charAt(at - 1))) return "";
  const separator = separators.find((one) => text.endsWith(one, at));
  if (separator === undefined) return "";
  const end = skipBlanks(text, at - separator.length);
  let begin = end;
  while (begin > 0 && NAME_END.test(text.charAt(begin - 1))) begin--;
  const name = text.slice(begin, end);
  if (!PLAIN_NAME.test(name)) return "";
  return name.length > 1 && name.startsWith("$") ? name.slice(1) : name;
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at > 0) {
    const code = text.charCodeAt(at - 1);
    if (code !== 32 && code !== 9 && code !== 10 && code !== 13) break;
    at--;
  }
  return at;
}
