/**
 * Makes the vectors of one file: reads it, takes the texts of a layer from it, embeds those that were never
 * embedded before. What it gives is stored by the caller, several files at a time.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { isSameBytes } from "../../base/bytes.ts";
import { decodeText } from "../../base/files/source_text.ts";
import type { Embedder } from "../../embedding/embedder.ts";
import { DIMENSIONS } from "../../embedding/token_table.ts";
import type { SharedContents } from "../shared_contents.ts";
import { toBytes, toCosine } from "./codec.ts";
import type { Connection } from "../store/database.ts";
import { hashContent, readFileAtRest } from "../scan/file_reader.ts";
import type { IndexFile } from "../store/index_file.ts";
import { createView } from "../read/read_view.ts";
import { toSqliteSource } from "../read/sqlite_source.ts";
import type { EmbeddingText } from "../../analysis/record/digest.ts";
import { DIGEST_TOKENS, toDigests } from "../../analysis/record/digest.ts";
import type { FileKey, Layer, VectorTable } from "./vector_table.ts";

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
export interface Room {
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
  readonly room: Room;
  /** An answer waits for it. */
  readonly isUrgent: boolean;
  readonly signal: AbortSignal;
}

/**
 * Embeds a file. Null when it changed since it was indexed (the next synchronisation brings it back), and when
 * there is no room for all of it: half of a file would stand for the whole of it.
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
  const hashes = texts.map(({ text }) => toHash(text));
  const known = await deps.file.read((db) => {
    const table = options.table(db);
    return hashes.map((hash) => table.findVector(hash) !== null);
  });
  const { isUrgent, signal } = options;
  const embed = (text: string) =>
    deps.embedder.embedPassage(text, { isUrgent, signal, maxTokens: MAX_TOKENS[layer] });
  const embedded = await Promise.all(
    texts.map(async (text, at): Promise<EmbeddedText> => {
      const hash = hashes[at] ?? toHash(text.text);
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
  if (isWhole && toCosine(bytes, toBytes(own)) >= SAME_COSINE) return { vector: own };
  await shared.refuse(pack, "a vector is that of another text");
  return { vector: own };
}

function takeRoom(room: Room, count: number): boolean {
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
  const read = readFileAtRest(join(deps.root, key.path), {
    within: deps.root,
    nowMs: deps.nowMs,
  });
  if (read.kind !== "read") return null;
  const found = await deps.file.read((db) => {
    const row = db.get("SELECT hash FROM blobs WHERE id = ?", key.blob);
    const view = createView(toSqliteSource(db, worktree));
    return {
      hash: row?.["hash"] as Uint8Array | undefined,
      names: layer === "digest" ? view.listSymbols(key.path) : [],
      chunks: layer === "text" ? view.listChunks(key.path) : [],
    };
  });
  if (found.hash === undefined || !isSameBytes(hashContent(read.bytes), found.hash)) return null;
  const text = decodeText(read.bytes);
  if (text === undefined) return [];
  if (layer === "digest") return toDigests({ path: key.path, text, names: found.names });
  const lines = text.split("\n");
  return found.chunks.map(({ startLine, endLine, name }) => ({
    startLine,
    endLine,
    text: `${key.path} ${name}\n${lines.slice(startLine - 1, endLine).join("\n")}`
      .slice(0, TEXT_CHARS),
  }));
}

function toHash(text: string): Uint8Array {
  return new Uint8Array(createHash("sha256").update(text).digest().subarray(0, HASH_BYTES));
}
