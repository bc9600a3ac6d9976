/**
 * Some vectors of each layer, by which the spread of all its cosines is told. They are read again when the
 * layer has grown by half: the spread of a few vectors is that of thousands.
 */
import type { Layer, VectorTable } from "./vector_table.ts";

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
