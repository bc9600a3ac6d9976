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
  /** What methods call their own object, where the language leaves the name to them. */
  readonly selves?: readonly SelfName[];
}

/** A name and the range of indices in which it is the object itself. */
export interface SelfName {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** As most languages call it; who asks what a place leads to need know no other name. */
const SELF = "this";

/** The occurrences of a text, in the order of their places. */
export function buildOccurrences(
  text: string,
  marks: readonly RawMark[],
  options: OccurrenceOptions,
): Occurrence[] {
  const separators = [...options.separators ?? DEFAULT_SEPARATORS]
    .sort((a, b) => b.length - a.length);
  const ends = new Set(separators.map((separator) => separator.at(-1)));
  const isSelf = createSelfTest(options.selves ?? []);
  return marks.map(({ start, row, column, name, kind }) => {
    const written = receiverOf(text, start, { separators, ends });
    const receiver = written !== "" && isSelf(written, start) ? SELF : written;
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

/** Whether a name is the method's own object at a place; places are asked in their order. */
function createSelfTest(selves: readonly SelfName[]): (name: string, start: number) => boolean {
  const sorted = [...selves].sort((a, b) => a.start - b.start);
  let at = 0;
  return (name, start) => {
    while ((sorted[at]?.end ?? Infinity) <= start) at++;
    const own = sorted[at];
    return own !== undefined && own.start <= start && own.name === name;
  };
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
