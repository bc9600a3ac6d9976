/**
 * Makes the hits of an answer out of ranked files: their chunks, the lines that are shown of them (those with the most words
 * of the question), and the reasons.
 */
import { findWords } from "../../base/text/stem.ts";
import type { ChunkHit, IndexView, SymbolHit } from "../../index/read/view.ts";
import type { QueryForm } from "../../ranking/query_kind.ts";
import type { Explanation } from "../../ranking/rank.ts";
import { pickChunks } from "../../ranking/pick_chunks.ts";
import type { ReadChunkText } from "./chunk_detail.ts";
import type { LearnedPlace, PastCommitPlace, RankedEntry } from "./map_hits.ts";
import type { ChunkPlace, SemanticHit, SemanticInput } from "./meaning_types.ts";
import type { BestLine, BestLineOptions } from "./telling_line.ts";
import { nameByFirst, selectBestLine } from "./telling_line.ts";

/** Lines of a chunk that follow each other. */
export interface Excerpt {
  /** Position of the first line in the chunk, from 0. */
  readonly at: number;
  /** Its lines; `…` stands for what is left out behind them. */
  readonly text: string;
}

/** Half of what the excerpt says should be in its first lines: who shortens an answer keeps these. */
const FIRST_LINES = 3;
// A definition's first lines say what the rest is about; other lines must say a word more to be shown instead.
const HEAD_BONUS = 1;

/**
 * The lines that have most of the words of a question, as many as the bound allows; the first ones where no others have
 * more. A line that is longer than the bound is cut.
 *
 * @param heads positions of lines in which a definition begins.
 */
export function pickExcerpt(
  lines: readonly string[],
  { words, heads, maxChars }: {
    readonly words: readonly string[];
    readonly heads: ReadonlySet<number>;
    readonly maxChars: number;
  },
): Excerpt {
  const whole = lines.join("\n");
  if (whole.length <= maxChars) return { at: 0, text: whole };
  const met = lines.map((line) => new Set(findWords(words, line)));
  const held = words.map((word) => met.filter((own) => own.has(word)).length);
  // A word of every other line says little of each.
  const worth = new Map(words.map((word, at) => [word, 1 / Math.sqrt(Math.max(1, held[at] ?? 1))]));
  const tell = (from: number, to: number) => {
    const said = new Set(met.slice(from, to).flatMap((own) => [...own]));
    return [...said].reduce((sum, word) => sum + (worth.get(word) ?? 0), 0);
  };
  let best = { at: 0, score: -1 };
  for (const [at, line] of lines.entries()) {
    if (line.trim() === "") continue;
    const end = findEnd(lines, at, maxChars);
    const score = tell(at, end) + tell(at, Math.min(end, at + FIRST_LINES)) +
      (at === 0 || heads.has(at) ? HEAD_BONUS : 0);
    if (score > best.score) best = { at, score };
  }
  const end = findEnd(lines, best.at, maxChars);
  const text = lines.slice(best.at, end).join("\n").slice(0, maxChars);
  const isCut = end < lines.length || text.length < lines.slice(best.at, end).join("\n").length;
  return { at: best.at, text: isCut ? `${text}\n…` : text };
}

/** Position behind the last line that the bound allows; at least one is taken. */
function findEnd(lines: readonly string[], from: number, maxChars: number): number {
  let chars = 0;
  for (let at = from; at < lines.length; at++) {
    chars += (lines[at]?.length ?? 0) + (at === from ? 0 : 1);
    if (chars > maxChars) return Math.max(from + 1, at);
  }
  return lines.length;
}

const SHOWN_CHARS = 500;
const SCORE_DIGITS = 4;

/** What was learned, as a hit of the code that it is about. */
export async function buildLearnedHit(
  { learned, symbol, chunk }: LearnedPlace,
  read: ReadChunkText,
): Promise<SemanticHit> {
  const lines = await read(chunk, symbol.path);
  return {
    path: symbol.path,
    ...formatChunkPlace(chunk),
    name: symbol.qualifiedName,
    kind: symbol.kind,
    score: round(learned.score),
    learnedFrom: learned.id,
    ...(lines === null ? {} : { content: cut(lines) }),
  };
}

/** A file that past work on the question changed, as a hit. */
export async function buildPastHit(
  { path, chunk, score, from }: PastCommitPlace,
  read: ReadChunkText,
): Promise<SemanticHit> {
  const lines = chunk === undefined ? null : await read(chunk, path);
  return {
    path,
    ...formatChunkPlace(chunk),
    kind: chunk?.kind ?? "file",
    score: round(score),
    learnedFrom: from,
    ...(lines === null ? {} : { content: cut(lines) }),
  };
}

/** A file of a page with what is shown of it. */
export interface Chosen extends RankedEntry {
  readonly chunks: readonly ChunkHit[];
  /** Definitions of the file. */
  readonly symbols: readonly SymbolHit[];
}

/** The files of a page with the chunks that answer. */
export function selectChunks(
  view: IndexView,
  query: QueryForm,
  page: readonly RankedEntry[],
): Chosen[] {
  const searched = page.flatMap(({ ranked }) => ranked ?? []);
  const picked = pickChunks(view, query, searched);
  const defined = view.listSymbolsOf(page.map(({ path }) => path));
  return page.map((lifted, at) => {
    const own = lifted.ranked === undefined ? -1 : searched.indexOf(lifted.ranked);
    const symbols = defined[at] ?? [];
    return {
      ...lifted,
      chunks: (picked[own] ?? []).map((chunk) =>
        chunk.symbols.length < 2 ? chunk : nameByFirst(chunk, symbols)
      ),
      symbols,
    };
  });
}

/** A chosen file as it is answered with. */
export async function buildHit(
  { path, score, boost, ranked, place, chunks, symbols }: Chosen,
  { input, read, words }: {
    readonly input: SemanticInput;
    readonly read: ReadChunkText;
    readonly words: readonly string[];
  },
): Promise<SemanticHit> {
  const explain = input.explain
    ? {
      explain: {
        ...(boost === 0 ? {} : { learned: round(boost) }),
        ...(ranked === undefined ? {} : explainScore(ranked.explanation)),
      },
    }
    : {};
  const others = chunks.filter(({ id }) => id !== place?.chunk.id);
  const own = place === undefined ? chunks : [place.chunk, ...others];
  const telling = input.telling === undefined
    ? {}
    : { telling: await findTelling(input.telling, { path, chunks: own, symbols }, read) };
  if (place !== undefined) {
    const more = others.map(formatChunkPlace);
    const hit = { ...await buildLearnedHit(place, read), score: round(score), ...telling };
    return { ...hit, ...(more.length === 0 ? {} : { more }), ...explain };
  }
  const [chunk, ...rest] = chunks;
  const lines = chunk === undefined ? null : await read(chunk, path);
  return {
    path,
    ...formatChunkPlace(chunk),
    kind: chunk?.kind ?? "file",
    score: round(score),
    ...telling,
    ...(lines === null || chunk === undefined ? {} : pickContent(lines, { chunk, symbols, words })),
    ...(rest.length === 0 ? {} : { more: rest.map(formatChunkPlace) }),
    ...explain,
  };
}

/** The lines of a chunk that say most, as many as the bound allows, and where they begin. */
function pickContent(
  lines: readonly string[],
  { chunk, symbols, words }: {
    readonly chunk: ChunkHit;
    readonly symbols: readonly SymbolHit[];
    readonly words: readonly string[];
  },
): Pick<SemanticHit, "content" | "contentLine"> {
  const heads = new Set(symbols.map(({ startLine }) => startLine - chunk.startLine));
  const { at, text } = pickExcerpt(lines, { words, heads, maxChars: SHOWN_CHARS });
  return { content: text, ...(at === 0 ? {} : { contentLine: chunk.startLine + at }) };
}

async function findTelling(
  asked: Pick<BestLineOptions, "names" | "words">,
  { path, chunks, symbols }: Pick<Chosen, "path" | "chunks" | "symbols">,
  read: ReadChunkText,
): Promise<BestLine | null> {
  const texts = await Promise.all(chunks.map(async (chunk) => ({
    path,
    startLine: chunk.startLine,
    lines: await read(chunk, path) ?? [],
  })));
  return selectBestLine(texts, { ...asked, symbols });
}

/** A chunk as answers name it. An indexed file without any, an empty one, has no id. */
export function formatChunkPlace(chunk: ChunkHit | undefined): ChunkPlace {
  if (chunk === undefined) return { id: "", startLine: 1, endLine: 1 };
  const { id, startLine, endLine, name } = chunk;
  return { id, startLine, endLine, ...(name === "" ? {} : { name }) };
}

/** The first lines, up to the bound; a first line that is longer is cut. */
function cut(lines: readonly string[]): string {
  const text = lines.join("\n");
  if (text.length <= SHOWN_CHARS) return text;
  const end = text.lastIndexOf("\n", SHOWN_CHARS);
  return `${text.slice(0, end > 0 ? end : SHOWN_CHARS)}\n…`;
}

function explainScore({ adds, penalties }: Explanation): NonNullable<SemanticHit["explain"]> {
  const parts = Object.entries(adds).sort((a, b) => b[1] - a[1]);
  const rounded = Object.fromEntries(parts.map(([name, part]) => [name, round(part)]));
  return Object.keys(penalties).length === 0 ? rounded : { ...rounded, penalties };
}

function round(value: number): number {
  return Number(value.toFixed(SCORE_DIGITS));
}
