/**
 * Makes the vectors of one file: reads it, takes the texts of a layer from it, embeds those that were never
 * embedded before. What it gives is stored by the caller, several files at a time.
 */
import { splitIdentifier } from "../../analysis/tokens.ts";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { isSameBytes } from "../../base/bytes.ts";
import { decodeText } from "../../base/files/source_text.ts";
import type { Embedder } from "../../embedding/embedder.ts";
import { DIMENSIONS } from "../../embedding/token_table.ts";
import type { SharedContents } from "../read/view.ts";
import { computeCosine, quantize } from "./codec.ts";
import type { Connection } from "../store/database.ts";
import { hashContent, readStableFile } from "../scan/file_reader.ts";
import type { IndexFile } from "../store/index_file.ts";
import { createView } from "../read/read_view.ts";
import { createSqliteSource } from "../read/sqlite_source.ts";
import type { FileKey, Layer, VectorTable } from "./vector_table.ts";

/** Lines of a window. */
export const WINDOW_LINES = 150;
/** Most tokens of a digest that the model reads. */
export const DIGEST_TOKENS = 64;

const MAX_CHARS = 300;
const PATH_PARTS = 2;
const MAX_NAMES = 14;
const COMMENT_WORDS = 18;
const MAX_IDENTIFIERS = 12;
const MIN_IDENTIFIER_CHARS = 4;
const MAX_WEIGHED_PARTS = 4;

/** A definition of the file. */
export interface DigestName {
  readonly name: string;
  /** 1-based. */
  readonly line: number;
}

/** A file to be digested. */
export interface DigestInput {
  /** Relative to the project, with `/`. */
  readonly path: string;
  readonly text: string;
  readonly names: readonly DigestName[];
}

/** A text for the model with the lines that it stands for, 1-based. */
export interface EmbeddingText {
  readonly startLine: number;
  readonly endLine: number;
  readonly text: string;
}

/** The digests of a file, one for each window that is not blank. */
export function buildDigests({ path, text, names }: DigestInput): EmbeddingText[] {
  const lines = text.split("\n");
  const digests: EmbeddingText[] = [];
  for (let start = 0; start < lines.length; start += WINDOW_LINES) {
    const window = lines.slice(start, start + WINDOW_LINES);
    if (window.every((line) => line.trim() === "")) continue;
    const [startLine, endLine] = [start + 1, start + window.length];
    const own = names.filter(({ line }) => line >= startLine && line <= endLine);
    digests.push({ startLine, endLine, text: toDigest(path, window, own) });
  }
  return digests;
}

function toDigest(path: string, lines: readonly string[], names: readonly DigestName[]): string {
  const defined = new Set(
    names.map(({ name }) => toPhrase(name)).filter((phrase) => phrase !== ""),
  );
  const shown = [...defined].slice(0, MAX_NAMES);
  const parts = [
    toPathWords(path),
    shown.join(", "),
    toCommentWords(lines).join(" "),
    toIdentifiers(lines, defined).join(", "),
  ];
  return parts.filter((part) => part !== "").join(". ").slice(0, MAX_CHARS);
}

function toPhrase(name: string): string {
  return splitIdentifier(name).join(" ");
}

function toPathWords(path: string): string {
  const segments = path.replace(/\.[^./]*$/, "").split("/");
  return segments.slice(-PATH_PARTS - 1).map(toPhrase).filter((phrase) => phrase !== "").join(" ");
}

const COMMENT =
  /^\s*(?:\/\/[/!]?|#(?!\s*(?:include|define|if|endif|else|pragma|\[))|\*+(?!\/)|\/\*+|--+|;+|"""|'''|<!--|%+)\s?(.*)$/;
const NOT_PROSE =
  /copyright|licen[cs]e|spdx|eslint|@(?:param|return|throws|type|author|since|see)\b/i;

/** The first words of prose in the comments of a window. */
function toCommentWords(lines: readonly string[]): string[] {
  const words: string[] = [];
  for (const line of lines) {
    const prose = COMMENT.exec(line)?.[1];
    if (prose === undefined || NOT_PROSE.test(prose)) continue;
    words.push(...(prose.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'_]*/gu) ?? []));
    if (words.length >= COMMENT_WORDS) break;
  }
  return words.slice(0, COMMENT_WORDS);
}

/** Words of the languages themselves, which say nothing of one file. */
const COMMON = new Set(
  ("this that from return else const function class public private protected static void import export " +
    "null true false self type string number boolean interface extends implements override async await " +
    "throw throws while switch case break continue default struct impl enum where namespace using include " +
    "define defmodule local then elif None True False undefined require package final abstract object")
    .split(" "),
);

/** The identifiers that stand out: often used, and made of several words. */
function toIdentifiers(lines: readonly string[], defined: ReadonlySet<string>): string[] {
  const counts = new Map<string, number>();
  const code = lines.filter((line) => !COMMENT.test(line)).join("\n");
  for (const word of code.match(/[\p{L}_$][\p{L}\p{N}\p{M}_$]*/gu) ?? []) {
    if (word.length < MIN_IDENTIFIER_CHARS || COMMON.has(word)) continue;
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const weights = new Map<string, number>();
  for (const [word, count] of counts) {
    const parts = splitIdentifier(word);
    const phrase = parts.join(" ");
    if (phrase === "" || defined.has(phrase)) continue;
    const weight = (1 + Math.log(count)) *
      Math.min(MAX_WEIGHED_PARTS, parts.length + (word.length > 8 ? 0.5 : 0));
    weights.set(phrase, Math.max(weight, weights.get(phrase) ?? 0));
  }
  return [...weights].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, MAX_IDENTIFIERS).map(([phrase]) => phrase);
}

/** What embedding works with. */
export interface EmbedDeps {
  /** Absolute path of the project. */
  readonly root: string;
  readonly file: IndexFile;
  readonly embedder: Embedder;
  /** Vectors that other machines made; null or absent without any. */
  readonly shared?: SharedContents | null;
  readonly nowMs: () => number;
}

/** A text with its vector, ready to be stored. */
interface EmbeddedText extends EmbeddingText {
  readonly hash: Uint8Array;
  /** Null: the database has its vector already. */
  readonly vector: Float32Array | null;
  /** The pack of another machine that the vector came in. */
  readonly pack?: string;
}

/** The vectors of a file. */
export interface EmbeddedFile {
  readonly key: FileKey;
  readonly layer: Layer;
  readonly texts: readonly EmbeddedText[];
}

/** How many vectors may still be made; shared by the files that are embedded at the same time. */
export interface VectorBudget {
  left: number;
  /** Whether a file was passed over because it needs more. */
  isFull: boolean;
}

/** Tokens that the model reads of a text of a layer. */
const MAX_TOKENS: Readonly<Record<Layer, number>> = { digest: DIGEST_TOKENS, text: 256 };
/** Characters that 256 tokens of code never exceed by much; more would only be tokenised to be cut. */
const TEXT_CHARS = 1_200;
const HASH_BYTES = 16;

/** How a file is embedded. */
export interface EmbedFileOptions {
  readonly worktree: number;
  readonly table: (db: Connection) => VectorTable;
  readonly room: VectorBudget;
  /** An answer waits for it. */
  readonly isUrgent: boolean;
  readonly signal: AbortSignal;
}

/**
 * Embeds a file. Null when it changed since it was indexed; the next synchronisation brings it
 * back. Also null when there is no room for all of it: half of a file would stand for the whole of
 * it.
 *
 * @throws {CodeIntelError} `embedding_failed`, `cancelled`.
 */
export async function embedFile(
  deps: EmbedDeps,
  target: { readonly key: FileKey; readonly layer: Layer },
  options: EmbedFileOptions,
): Promise<EmbeddedFile | null> {
  const { key, layer } = target;
  const texts = await readTexts(deps, target, options.worktree);
  if (texts === null || !takeRoom(options.room, texts.length)) return null;
  const hashes = texts.map(({ text }) => hashText(text));
  const known = await deps.file.read((db) => {
    const table = options.table(db);
    return hashes.map((hash) => table.findVector(hash) !== null);
  });
  const { isUrgent, signal } = options;
  const embed = (text: string) =>
    deps.embedder.embedPassage(text, { isUrgent, signal, maxTokens: MAX_TOKENS[layer] });
  const embedded = await Promise.all(
    texts.map(async (text, at): Promise<EmbeddedText> => {
      const hash = hashes[at] ?? hashText(text.text);
      if (known[at] === true) return { ...text, hash, vector: null };
      const taken = await takeShared(deps, hash, () => embed(text.text));
      return { ...text, hash, ...taken ?? { vector: await embed(text.text) } };
    }),
  );
  return { key, layer, texts: embedded };
}

/** Two machines give nearly the same vector for a text; two texts are much further apart. */
const SAME_COSINE = 0.98;

/** The vector that another machine made of a text; null where there is none, or it is not what this one finds. */
async function takeShared(
  { shared, embedder }: EmbedDeps,
  hash: Uint8Array,
  embed: () => Promise<Float32Array>,
): Promise<Pick<EmbeddedText, "vector" | "pack"> | null> {
  const found = await shared?.find({ hash, variant: embedder.modelId }) ?? null;
  if (found === null || shared === null || shared === undefined) return null;
  const { record, pack, isProof } = found;
  const bytes = new Int8Array(record.buffer, record.byteOffset, record.byteLength);
  const isWhole = bytes.length === DIMENSIONS && bytes.some((value) => value !== 0);
  if (isWhole && !isProof) return { vector: Float32Array.from(bytes), pack };
  const own = await embed();
  if (isWhole && computeCosine(bytes, quantize(own)) >= SAME_COSINE) return { vector: own };
  await shared.refuse(pack, "a vector is that of another text");
  return { vector: own };
}

function takeRoom(room: VectorBudget, count: number): boolean {
  if (count > room.left) {
    room.isFull = true;
    return false;
  }
  room.left -= count;
  if (room.left === 0) room.isFull = true;
  return true;
}

/** Stores embedded files in the transaction that is open. */
export function storeEmbedded(table: VectorTable, files: readonly EmbeddedFile[]): void {
  for (const { key, layer, texts } of files) {
    const spans = texts.map(({ startLine, endLine, hash, vector, pack }) => ({
      startLine,
      endLine,
      vector: vector === null ? table.findVector(hash) : table.putVector(hash, vector, pack),
    }));
    // A vector that was removed meanwhile leaves the file as missing, and it is embedded again.
    if (spans.every((span) => span.vector !== null)) table.putSpans(key, layer, spans);
  }
}

async function readTexts(
  deps: EmbedDeps,
  { key, layer }: { readonly key: FileKey; readonly layer: Layer },
  worktree: number,
): Promise<EmbeddingText[] | null> {
  const read = readStableFile(join(deps.root, key.path), {
    within: deps.root,
    nowMs: deps.nowMs,
  });
  if (read.kind !== "read") return null;
  const found = await deps.file.read((db) => {
    const row = db.get("SELECT hash FROM blobs WHERE id = ?", key.blob);
    const view = createView(createSqliteSource(db, worktree));
    return {
      hash: row?.["hash"] as Uint8Array | undefined,
      names: layer === "digest" ? view.listSymbols(key.path) : [],
      chunks: layer === "text" ? view.listChunks(key.path) : [],
    };
  });
  if (found.hash === undefined || !isSameBytes(hashContent(read.bytes), found.hash)) return null;
  const text = decodeText(read.bytes);
  if (text === undefined) return [];
  if (layer === "digest") return buildDigests({ path: key.path, text, names: found.names });
  const lines = text.split("\n");
  return found.chunks.map(({ startLine, endLine, name }) => ({
    startLine,
    endLine,
    text: `${key.path} ${name}\n${lines.slice(startLine - 1, endLine).join("\n")}`
      .slice(0, TEXT_CHARS),
  }));
}

function hashText(text: string): Uint8Array {
  return new Uint8Array(createHash("sha256").update(text).digest().subarray(0, HASH_BYTES));
}
