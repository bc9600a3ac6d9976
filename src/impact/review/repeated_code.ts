/** Tells whether a piece of code stands elsewhere too, with other names perhaps. Pure. */

/** A range of lines, from 1, both ends included. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** So many tokens in a row are compared at a time. */
const RUN = 8;
/** A piece with fewer runs is too short to be called repeated (guessed, as the next two). */
const LEAST_RUNS = 30;
/** Share of the runs that must stand elsewhere. */
const LEAST_SHARE = 0.7;
/** Share of the names that must be the same: code of one form about other things is no copy. */
const LEAST_NAMES = 0.6;
const TOKEN = /[\p{L}_$][\p{L}\p{N}_$]*|\d[\w.]*|"[^"\n]*"|'[^'\n]*'|`[^`\n]*`|[^\s\p{L}\p{N}_]/gu;
const NAME = /^[\p{L}_$]/u;

interface Token {
  readonly text: string;
  readonly line: number;
}

/** Where in other lines the piece stands again; null where it does not. */
export function findRepeated(
  piece: readonly string[],
  other: { readonly lines: readonly string[]; readonly span: Span },
): Span | null {
  const own = toTokens(piece, 1);
  const runs = toRuns(own);
  if (runs.length < LEAST_RUNS) return null;
  const { start } = other.span;
  const there = toTokens(other.lines.slice(start - 1, other.span.end), start);
  const places = new Map<string, readonly Token[]>();
  for (const run of toRuns(there)) places.set(run.shape, run.tokens);
  const shared = runs.flatMap(({ shape }) => places.get(shape) ?? []);
  const found = runs.filter(({ shape }) => places.has(shape)).length;
  const names = new Set(own.map(({ text }) => text).filter((text) => NAME.test(text)));
  const theirs = new Set(there.map(({ text }) => text));
  const same = [...names].filter((name) => theirs.has(name)).length;
  if (found < runs.length * LEAST_SHARE || same < names.size * LEAST_NAMES) return null;
  const lines = shared.map(({ line }) => line);
  return { start: Math.min(...lines), end: Math.max(...lines) };
}

/** The tokens of lines without those of comments. */
function toTokens(lines: readonly string[], first: number): readonly Token[] {
  return lines.flatMap((text, at) =>
    /^\s*(?:\/\/|\/?\*|#(?!\[|include|define|if|e)|--)/.test(text)
      ? []
      : (text.match(TOKEN) ?? []).map((token) => ({ text: token, line: first + at }))
  );
}

/** Each row of tokens that follow one another, as what is the same under other names. */
function toRuns(
  tokens: readonly Token[],
): readonly { readonly shape: string; readonly tokens: readonly Token[] }[] {
  const shapes = tokens.map(({ text }) =>
    /^["'`\d]/.test(text) ? "0" : NAME.test(text) ? "a" : text
  );
  return tokens.slice(RUN - 1).map((_, at) => ({
    shape: shapes.slice(at, at + RUN).join(" "),
    tokens: tokens.slice(at, at + RUN),
  }));
}
