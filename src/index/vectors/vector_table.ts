/**
 * The rows of vectors: each text embedded once for each model, and the lines of a file that it stands
 * for. All for the files of one worktree.
 */
import type { Connection } from "../store/database.ts";
import { computeCosine, countDifferent, quantize, readSigns } from "./codec.ts";

interface Sample {
  /** Vectors of the layer when it was read. */
  readonly size: number;
  readonly vectors: readonly Int8Array[];
  /** When the layer was counted last. */
  readonly atMs: number;
}

/** Reads from the vectors of the worktree. */
export type ReadVectors = <T>(read: (table: VectorTable) => T) => Promise<T>;

const SAMPLE_SPANS = 256;
const COUNT_EVERY_MS = 2_000;

/** Remembers the samples of one worktree. */
export class LayerSamples {
  readonly #samples = new Map<Layer, Sample>();
  readonly #nowMs: () => number;

  /** @param nowMs the present time. */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** At most 256 vectors of a layer; a large layer is counted every other second only. */
  async read(layer: Layer, read: ReadVectors): Promise<readonly Int8Array[]> {
    const last = this.#samples.get(layer);
    const atMs = this.#nowMs();
    const isLarge = last?.vectors.length === SAMPLE_SPANS;
    if (last !== undefined && isLarge && atMs - last.atMs < COUNT_EVERY_MS) return last.vectors;
    return await read((table) => {
      const size = table.count(layer);
      const isAlike = last !== undefined && size <= last.size * 1.5 && size >= last.size / 2;
      const vectors = isAlike ? last.vectors : table.sample(layer, SAMPLE_SPANS);
      this.#samples.set(layer, { size: isAlike ? last.size : size, vectors, atMs });
      return vectors;
    });
  }
}

/** What the vectors of a layer were made from: digests of windows, or the whole text of chunks. */
export type Layer = "digest" | "text";

/** Numbers of the layers in the table; part of the format. */
const LAYERS: Readonly<Record<Layer, number>> = { digest: 0, text: 1 };

/** A file as the index has it. */
export interface FileKey {
  readonly path: string;
  readonly pathId: number;
  readonly blob: number;
}

/** Lines of a file with the number of their vector. Null: nothing in the file is worth one. */
export interface Span {
  readonly startLine: number;
  readonly endLine: number;
  readonly vector: number | null;
}

/** Lines of a file with how near they are to the question. */
export interface SpanScore {
  readonly startLine: number;
  readonly endLine: number;
  /** Cosine of the angle, −1 to 1. */
  readonly cosine: number;
}

/** Lines of a file anywhere in the worktree. */
export interface NearSpan extends SpanScore {
  readonly path: string;
}

/** A vector of a digest, for other machines. */
export interface HeldVector {
  /** Hash of the text. */
  readonly hash: Uint8Array;
  /** A byte for each number. */
  readonly bytes: Uint8Array;
  /** The numbers of the contents that have the text. */
  readonly blobs: readonly number[];
  /** Whether this machine made it. */
  readonly isOwn: boolean;
}

/** Above this many vectors their signs choose the ones that are compared in full. */
const MANY_VECTORS = 20_000;
const SIGN_CANDIDATES_A_HIT = 20;

const OF_WORKTREE = `FROM files AS file
  JOIN spans AS span ON span.blob = file.blob AND span.path = file.path AND span.layer = :layer
  JOIN vectors AS vector ON vector.id = span.vector AND vector.model = :model
  JOIN paths AS path ON path.id = file.path
  WHERE file.worktree = :worktree AND file.blob IS NOT NULL`;

/** Reads and writes vectors of one model for one worktree. */
export class VectorTable {
  readonly #db: Connection;
  readonly #worktree: number;
  readonly #model: number;
  readonly #many: number;

  /**
   * @param db any connection; the methods that change rows need the writing one.
   * @param model number of the model, from {@link openModel}; 0 has no vectors.
   * @param many above this many vectors their signs choose the ones that are compared in full; default 20,000.
   */
  constructor(
    db: Connection,
    { worktree, model, many = MANY_VECTORS }: { worktree: number; model: number; many?: number },
  ) {
    this.#db = db;
    this.#worktree = worktree;
    this.#model = model;
    this.#many = many;
  }

  /** Files without vectors of a layer, in the order of their paths; at most `limit`. */
  listMissing(layer: Layer, limit: number, after = ""): FileKey[] {
    return this.#db.all(
      `SELECT path.path, file.path AS path_id, file.blob FROM files AS file
        JOIN paths AS path ON path.id = file.path
        WHERE file.worktree = ? AND file.blob IS NOT NULL AND path.path > ? AND NOT EXISTS (
          SELECT 1 FROM spans WHERE blob = file.blob AND path = file.path AND layer = ? AND model = ?
        ) ORDER BY path.path LIMIT ?`,
      this.#worktree,
      after,
      LAYERS[layer],
      this.#model,
      limit,
    ).map((row) => ({
      path: String(row["path"]),
      pathId: Number(row["path_id"]),
      blob: Number(row["blob"]),
    }));
  }

  /** A file of the worktree; null when the index does not have it. */
  findFile(path: string): FileKey | null {
    const row = this.#db.get(
      `SELECT file.path AS path_id, file.blob FROM files AS file
        WHERE file.worktree = ? AND file.path = (SELECT id FROM paths WHERE path = ?)`,
      this.#worktree,
      path,
    );
    if (row === undefined || row["blob"] === null) return null;
    return { path, pathId: Number(row["path_id"]), blob: Number(row["blob"]) };
  }

  /** Whether a file has its vectors of a layer. */
  has({ pathId, blob }: FileKey, layer: Layer): boolean {
    return this.#db.get(
      "SELECT 1 FROM spans WHERE blob = ? AND path = ? AND layer = ? AND model = ? LIMIT 1",
      blob,
      pathId,
      LAYERS[layer],
      this.#model,
    ) !== undefined;
  }

  /** Number of the vector of a text, null when it was never embedded. */
  findVector(textHash: Uint8Array): number | null {
    const sql = "SELECT id FROM vectors WHERE model = ? AND text_hash = ?";
    return this.#db.number(sql, this.#model, textHash) || null;
  }

  /**
   * Stores the vector of a text unless it is there, and answers its number.
   *
   * @param pack that it came in, where another machine made it.
   */
  putVector(textHash: Uint8Array, vector: Float32Array, pack?: string): number {
    return this.findVector(textHash) ?? this.#db.run(
      "INSERT INTO vectors (model, text_hash, bytes, signs, pack) VALUES (?, ?, ?, ?, ?)",
      this.#model,
      textHash,
      viewBytes(quantize(vector)),
      readSigns(vector),
      pack ?? null,
    );
  }

  /** Removes the vectors that came in a pack; the files that have one lack all of theirs afterwards. */
  removePack(pack: string): void {
    const own = "SELECT id FROM vectors WHERE pack = ?";
    this.#db.run(
      `DELETE FROM spans WHERE (blob, path, layer, model) IN (
        SELECT blob, path, layer, model FROM spans WHERE vector IN (${own}))`,
      pack,
    );
    this.#db.run("DELETE FROM vectors WHERE pack = ?", pack);
  }

  /** The vectors of the worktree's digests, each once, in the order of its paths. */
  listVectors(): readonly HeldVector[] {
    const rows = this.#all(
      `SELECT vector.text_hash, vector.bytes, vector.pack, min(path.path) AS first,
          group_concat(DISTINCT file.blob) AS blobs ${OF_WORKTREE}
        GROUP BY vector.id ORDER BY first, span.start`,
      "digest",
    );
    return rows.map((row) => ({
      hash: row["text_hash"] as Uint8Array,
      bytes: row["bytes"] as Uint8Array,
      blobs: String(row["blobs"]).split(",").map(Number),
      isOwn: row["pack"] === null,
    }));
  }

  /** Says which lines of a file have which vectors. The content must still be in the index. */
  putSpans({ pathId, blob }: FileKey, layer: Layer, spans: readonly Span[]): void {
    if (this.#db.get("SELECT 1 FROM blobs WHERE id = ?", blob) === undefined) return;
    // A file without anything to embed has one row without a vector: it is done.
    const rows = spans.length > 0 ? spans : [{ startLine: 0, endLine: 0, vector: null }];
    for (const { startLine, endLine, vector } of rows) {
      this.#db.run(
        `INSERT OR REPLACE INTO spans (blob, path, layer, model, start, end, vector)
          VALUES (?, ?, ?, ?, ?, ?, ?)`,
        blob,
        pathId,
        LAYERS[layer],
        this.#model,
        startLine,
        endLine,
        vector,
      );
    }
  }

  /** How near the lines of a file are to a question, nearest first; empty when it has no vectors. */
  compareFile({ pathId, blob }: FileKey, layer: Layer, question: Int8Array): SpanScore[] {
    const rows = this.#db.all(
      `SELECT span.start, span.end, vector.bytes FROM spans AS span
        JOIN vectors AS vector ON vector.id = span.vector
        WHERE span.blob = ? AND span.path = ? AND span.layer = ? AND span.model = ?`,
      blob,
      pathId,
      LAYERS[layer],
      this.#model,
    );
    return rows.map((row): SpanScore => ({
      startLine: Number(row["start"]),
      endLine: Number(row["end"]),
      cosine: computeCosine(fromBlob(row["bytes"]), question),
    })).sort(byNearness);
  }

  /** Vectors spread over the worktree, at most `count`, always the same ones. */
  sample(layer: Layer, count: number): Int8Array[] {
    const total = this.count(layer);
    const step = Math.max(1, Math.floor(total / count));
    return this.#all(
      `SELECT bytes FROM (SELECT vector.bytes, row_number() OVER (ORDER BY vector.id) AS at ${OF_WORKTREE})
        WHERE at % ${step} = 0 LIMIT ${count}`,
      layer,
    ).map((row) => fromBlob(row["bytes"]));
  }

  /** The spans of the worktree that are nearest to a question. */
  findNearest(layer: Layer, question: Float32Array, limit: number): NearSpan[] {
    const bytes = quantize(question);
    const rows = this.count(layer) > this.#many
      ? this.#chooseBySigns(layer, readSigns(question), limit * SIGN_CANDIDATES_A_HIT)
      : this.#all(`SELECT path.path, span.start, span.end, vector.bytes ${OF_WORKTREE}`, layer);
    return rows.map((row): NearSpan => ({
      path: String(row["path"]),
      startLine: Number(row["start"]),
      endLine: Number(row["end"]),
      cosine: computeCosine(fromBlob(row["bytes"]), bytes),
    })).sort((a, b) =>
      byNearness(a, b) || (a.path < b.path ? -1 : a.path > b.path ? 1 : a.startLine - b.startLine)
    ).slice(0, limit);
  }

  /** Vectors of the worktree in a layer. */
  count(layer: Layer): number {
    return Number(this.#all(`SELECT count(*) AS count ${OF_WORKTREE}`, layer)[0]?.["count"] ?? 0);
  }

  /** Files of the worktree that have their vectors of a layer, and all files. */
  countFiles(layer: Layer): { readonly done: number; readonly total: number } {
    const row = this.#db.get(
      `SELECT count(*) AS total, coalesce(sum(EXISTS (
          SELECT 1 FROM spans WHERE blob = file.blob AND path = file.path AND layer = ? AND model = ?
        )), 0) AS done FROM files AS file WHERE file.worktree = ? AND file.blob IS NOT NULL`,
      LAYERS[layer],
      this.#model,
      this.#worktree,
    );
    return { done: Number(row?.["done"] ?? 0), total: Number(row?.["total"] ?? 0) };
  }

  #chooseBySigns(layer: Layer, signs: Uint8Array, limit: number) {
    if (this.#db.hasVectors) {
      return this.#all(
        `SELECT path.path, span.start, span.end, vector.bytes ${OF_WORKTREE}
          ORDER BY vec_distance_hamming(vec_bit(vector.signs), vec_bit(:signs)), vector.id
          LIMIT ${limit}`,
        layer,
        { signs },
      );
    }
    const near = this.#all(`SELECT vector.id, vector.signs ${OF_WORKTREE}`, layer)
      .map((row) => ({
        id: Number(row["id"]),
        distance: countDifferent(row["signs"] as Uint8Array, signs),
      }))
      .sort((a, b) => a.distance - b.distance || a.id - b.id).slice(0, limit);
    return this.#all(
      `SELECT path.path, span.start, span.end, vector.bytes ${OF_WORKTREE}
        AND vector.id IN (SELECT value FROM json_each(:ids))`,
      layer,
      { ids: JSON.stringify(near.map(({ id }) => id)) },
    );
  }

  #all(sql: string, layer: Layer, more: Readonly<Record<string, string | Uint8Array>> = {}) {
    return this.#db.allNamed(sql, {
      layer: LAYERS[layer],
      model: this.#model,
      worktree: this.#worktree,
      ...more,
    });
  }
}

/** Number of a model, which is made at its first use. Needs the writing connection. */
export function openModel(db: Connection, name: string): number {
  return findModel(db, name) || db.run("INSERT INTO models (name) VALUES (?)", name);
}

/** Number of a model; 0 when it never embedded anything here. */
export function findModel(db: Connection, name: string): number {
  return db.number("SELECT id FROM models WHERE name = ?", name);
}

/** Removes vectors of other models, and those that no file has any more; at most `limit` of each. */
export function removeUnusedVectors(db: Connection, model: number, limit: number): void {
  db.run(
    `DELETE FROM spans WHERE (blob, path, layer, model, start) IN (
      SELECT blob, path, layer, model, start FROM spans WHERE model <> ?
        OR NOT EXISTS (SELECT 1 FROM blobs WHERE id = spans.blob) LIMIT ?)`,
    model,
    limit,
  );
  db.run(
    `DELETE FROM vectors WHERE id IN (
      SELECT id FROM vectors WHERE NOT EXISTS (SELECT 1 FROM spans WHERE vector = vectors.id) LIMIT ?)`,
    limit,
  );
}

function byNearness(a: SpanScore, b: SpanScore): number {
  return b.cosine - a.cosine;
}

function viewBytes(bytes: Int8Array): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function fromBlob(value: unknown): Int8Array {
  const bytes = value as Uint8Array;
  return new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
