/** Makes occurrences of marks: which are definitions, which are local, and what stands before the dot. Pure. */
import type { Occurrence } from "./analysis.ts";
import type { RawMark } from "./trees/raw_tags.ts";

const DEFAULT_SEPARATORS = [".", "?."] as const;
const NAME_END = /[\p{L}\p{N}_$@]/u;
const PLAIN_NAME = /^[\p{L}_$@#][\p{L}\p{N}_$@]*$/u;

/** How marks become occurrences. */
export interface OccurrenceOptions {
  /** Places of symbols' names. */
  readonly nameStarts: ReadonlySet<number>;
  /** Places where a local variable is declared. */
  readonly localStarts: ReadonlySet<number>;
  /** Places that name something local. */
  readonly locals?: ReadonlySet<number>;
  /** Whether what is called has its name apart from variables. */
  readonly callsApart?: boolean | undefined;
  /** What patterns know to stand before a name, by its place. */
  readonly receivers?: ReadonlyMap<number, string>;
  /** What joins receiver and name. */
  readonly separators?: readonly string[] | undefined;
  /** Whether `$` is a letter of a name, as in scripts; else a sign before it, as in PHP. */
  readonly hasDollarNames?: boolean;
  /** What methods call their own object, where the language leaves the name to them. */
  readonly selves?: readonly SelfName[];
  /** Is called with each member of what has no plain name, with the index where the separator begins. */
  readonly onChained?: (occurrence: Occurrence, mark: RawMark, end: number) => void;
}

/** A name and the range of indices in which it is the object itself. */
export interface SelfName {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** As most languages call it; who asks what a place leads to need know no other name. */
const SELF = "this";

/** Words that name the object itself or its base, wherever they stand. */
const OWN_WORDS: ReadonlySet<string> = new Set(
  "this self super cls Self static".split(" "),
);

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
  const known = options.receivers ?? new Map<number, string>();
  const locals = options.locals ?? new Set<number>();
  const starts = new Set(marks.map(({ start }) => start));
  const hasSigils = options.hasDollarNames !== true;
  const read = { separators, ends, locals, isSelf, starts, hasSigils };
  return marks.map((mark) => {
    const { start, row, column, name } = mark;
    const told = known.get(start);
    const { name: written, isOfLocal } = told === undefined
      ? readReceiver(text, start, read)
      : { name: told, isOfLocal: false };
    const kind = options.nameStarts.has(start)
      ? "definition"
      : options.localStarts.has(start)
      ? "write"
      : mark.kind;
    const receiver = written === "" && kind === "definition" ? undefined : written;
    const isName = receiver === undefined && locals.has(start) &&
      !(kind === "call" && options.callsApart === true);
    const isLocal = kind !== "definition" && kind !== "import" &&
      (isName || isOfLocal && receiver !== undefined);
    const occurrence: Occurrence = {
      name,
      line: row + 1,
      column: column + 1,
      kind,
      ...(receiver === undefined ? {} : { receiver }),
      ...(isLocal ? { isLocal } : {}),
    };
    if (told === undefined && receiver === "" && options.onChained !== undefined) {
      options.onChained(occurrence, mark, endOfReceiver(text, start, separators));
    }
    return occurrence;
  });
}

/** Whether a name is the method's own object at a place; places are asked in their order. */
export function createSelfTest(
  selves: readonly SelfName[],
): (name: string, start: number) => boolean {
  const sorted = [...selves].sort((a, b) => a.start - b.start);
  let at = 0;
  return (name, start) => {
    while ((sorted[at]?.end ?? Infinity) <= start) at++;
    const own = sorted[at];
    return own !== undefined && own.start <= start && own.name === name;
  };
}

interface ReceiverOptions {
  readonly separators: readonly string[];
  readonly ends: ReadonlySet<string | undefined>;
  readonly locals: ReadonlySet<number>;
  readonly isSelf: (name: string, start: number) => boolean;
  /** Where names begin. */
  readonly starts: ReadonlySet<number>;
  /** Whether `$` is a sign before a name. */
  readonly hasSigils: boolean;
}

/** What stands before a place: no name, nothing that is one, or names, of which the first may be local. */
interface Receiver {
  readonly name: string | undefined;
  readonly isOfLocal: boolean;
}

const NONE: Receiver = { name: undefined, isOfLocal: false };
const NAMELESS: Receiver = { name: "", isOfLocal: false };
const MAX_PARTS = 8;

/** The plain names before the separator that stands before `start`, joined by dots. */
function readReceiver(text: string, start: number, options: ReceiverOptions): Receiver {
  const { separators, ends, hasSigils } = options;
  const parts: string[] = [];
  for (let from = start; parts.length <= MAX_PARTS;) {
    const at = skipBlanks(text, from);
    const separator = at === 0 || !ends.has(text.charAt(at - 1)) || endsComment(text, at, from)
      ? undefined
      : separators.find((one) => text.endsWith(one, at));
    if (separator === undefined || isRange(text, at, separator)) {
      if (parts.length === 0) return NONE;
      const place = hasSigils && text.charAt(from) === "$" ? from + 1 : from;
      return describeReceiver(parts, { place, start, options });
    }
    const end = skipBlanks(text, at - separator.length);
    // A comment may end the line before: its last word is no receiver.
    if (parts.length === 0 && crossesComment(text, end, at)) return NAMELESS;
    const plain = beginOfName(text, end);
    // A private member of a script has its sign in its name.
    const isPrivate = text.endsWith(".#", plain);
    // The sign of a decorator is no part of its name; that of a variable of Ruby is.
    const isDecorator = text.charAt(plain) === "@" && options.starts.has(plain + 1);
    const begin = isPrivate ? plain - 1 : isDecorator ? plain + 1 : plain;
    const name = text.slice(begin, end);
    if (!PLAIN_NAME.test(name)) {
      // `::name` is the one outside of everything.
      const isRoot = separator === "::" && !/[)\]}>"'`]/.test(text.charAt(end - 1));
      return parts.length === 0 && isRoot ? NONE : NAMELESS;
    }
    parts.unshift(hasSigils && name.length > 1 && name.startsWith("$") ? name.slice(1) : name);
    // What stands before `::` is a type or a space, whatever that is held by.
    if (separator === "::") return { name: parts.join("."), isOfLocal: false };
    from = begin;
  }
  return NAMELESS;
}

function describeReceiver(
  parts: readonly string[],
  { place, start, options }: {
    readonly place: number;
    readonly start: number;
    readonly options: ReceiverOptions;
  },
): Receiver {
  const [first = "", ...rest] = parts;
  const head = options.isSelf(first, start) ? SELF : first;
  const isOfLocal = !OWN_WORDS.has(head) && options.locals.has(place);
  return { name: [head, ...rest].join("."), isOfLocal };
}

/** Where what stands before the separator ends. */
function endOfReceiver(text: string, start: number, separators: readonly string[]): number {
  const at = skipBlanks(text, start);
  return at - (separators.find((one) => text.endsWith(one, at))?.length ?? 0);
}

/** `...name` and `1..name`: dots that take no member. */
function isRange(text: string, at: number, separator: string): boolean {
  return text.endsWith("...", at) || separator === "." && text.endsWith("..", at);
}

/** Whether the sign before `at` ends a comment of its line, and what follows stands on a later line. */
function endsComment(text: string, at: number, from: number): boolean {
  if (!text.slice(at, from).includes("\n")) return false;
  return /(?:^|\s)(?:\/\/|#|--)/.test(text.slice(text.lastIndexOf("\n", at - 1) + 1, at));
}

function crossesComment(text: string, from: number, to: number): boolean {
  const feed = text.lastIndexOf("\n", to - 1);
  if (feed < from) return false;
  const line = text.slice(text.lastIndexOf("\n", from - 1) + 1, from);
  return /\/\/|#|\*\/|--/.test(line);
}

function beginOfName(text: string, end: number): number {
  let begin = end;
  while (begin > 0 && NAME_END.test(text.charAt(begin - 1))) begin--;
  return begin;
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
