/** Remembers what the model said of words, so that a run that was ended, or one with other words, need not ask again. */
import { join } from "node:path";
import { createEncoder } from "../../src/embedding/encoder.ts";
import { DIMENSIONS } from "../../src/embedding/token_table.ts";
import type { Encoder } from "../../src/embedding/encoder.ts";

const WORDS = "model_words.json";
const ROWS = "model_rows.bin";
const SAVED_EVERY = 200;

/** The model as far as words need it; without a folder nothing is kept. */
export interface WordEncoder extends Pick<Encoder, "encode"> {
  /** Keeps what is new and gives the memory of the model back. */
  close(): Promise<void>;
}

/** Opens the cache in a folder. The model is loaded when it is first asked for a word that is not there. */
export async function openRowCache(folder: string | undefined): Promise<WordEncoder> {
  const rows = await readRows(folder);
  let model: Encoder | null = null;
  let fresh = 0;
  const save = async () => {
    if (folder === undefined) return;
    const values = new Float32Array(rows.size * DIMENSIONS);
    [...rows.values()].forEach((row, at) => values.set(row, at * DIMENSIONS));
    await Deno.writeFile(join(folder, ROWS), new Uint8Array(values.buffer));
    await Deno.writeTextFile(join(folder, WORDS), JSON.stringify([...rows.keys()]));
  };
  return {
    encode: async (role, word) => {
      const known = rows.get(word);
      if (known !== undefined) return known;
      model ??= await createEncoder();
      const row = await model.encode(role, word);
      rows.set(word, row);
      if (++fresh % SAVED_EVERY === 0) await save();
      return row;
    },
    close: async () => {
      if (fresh > 0) await save();
      await model?.close();
    },
  };
}

async function readRows(folder: string | undefined): Promise<Map<string, Float32Array>> {
  if (folder === undefined) return new Map();
  const text = await Deno.readTextFile(join(folder, WORDS)).catch(() => "[]");
  const words: readonly string[] = JSON.parse(text);
  if (words.length === 0) return new Map();
  const values = new Float32Array((await Deno.readFile(join(folder, ROWS))).buffer);
  return new Map(
    words.map((word, at) => [word, values.slice(at * DIMENSIONS, (at + 1) * DIMENSIONS)]),
  );
}
