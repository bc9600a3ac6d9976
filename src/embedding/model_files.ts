/**
 * Where the files of the embedding model lie, and which they are. The only place that knows, so that a
 * compiled program can have them elsewhere.
 */
import { CodeIntelError } from "../base/errors.ts";

/** Names the vectors: whatever changes them changes this, and vectors of another name are made anew. */
export const MODEL_ID = "multilingual-e5-small-int8-1";

/** The files by their part; `tools/model/` makes them, `models/README.md` tells their origin. */
export const MODEL_FILES = {
  tokenizer: {
    name: "tokenizer.bin",
    sha256: "c68601cf592b2e9fa4505cb663bad647faadb0b015d2badfed50ae4d485014b5",
  },
  table: {
    name: "embed.q4.bin",
    sha256: "3bdb42d56fa5ba2b3d0630d4187eacdbe8ac6a4c83c762b209ded1377dbc50e2",
  },
  network: {
    name: "e5-small.int8-split.onnx",
    sha256: "3567001b47450c042971b4c8b88610d3a04977f1e4a22a43ecdefa960b281453",
  },
} as const;

/** A part of the model. */
export type ModelPart = keyof typeof MODEL_FILES;

/** The folder of the model: `models/` beside `src/`. */
export function toModelFolder(): URL {
  return new URL("../../models/", import.meta.url);
}

/**
 * The bytes of a part.
 *
 * @throws {CodeIntelError} `model_missing` when it cannot be read.
 */
export async function readModelFile(part: ModelPart, folder: URL): Promise<Uint8Array> {
  const { name } = MODEL_FILES[part];
  try {
    return await Deno.readFile(new URL(name, folder));
  } catch (cause) {
    throw toMissing(name, cause);
  }
}

/** A part that stays on the disk; close it when the model goes. */
export interface ModelFile extends Disposable {
  readonly byteLength: number;
  /** Fills `into` with the bytes from `at` on. @throws {CodeIntelError} `model_missing`. */
  readInto(into: Uint8Array, at: number): void;
}

/**
 * Opens a part of which little is needed at a time.
 *
 * @throws {CodeIntelError} `model_missing` when it cannot be opened.
 */
export async function openModelFile(part: ModelPart, folder: URL): Promise<ModelFile> {
  const { name } = MODEL_FILES[part];
  try {
    const file = await Deno.open(new URL(name, folder));
    const { size } = await file.stat();
    return {
      byteLength: size,
      readInto: (into, at) => {
        if (!fill(file, into, at)) throw toMissing(name, new Error(`it ends before byte ${at}`));
      },
      [Symbol.dispose]: () => file.close(),
    };
  } catch (cause) {
    throw toMissing(name, cause);
  }
}

/** False where the file ends before `into` is full. */
function fill(file: Deno.FsFile, into: Uint8Array, at: number): boolean {
  file.seekSync(at, Deno.SeekMode.Start);
  for (let done = 0; done < into.length;) {
    const count = file.readSync(into.subarray(done));
    if (count === null) return false;
    done += count;
  }
  return true;
}

function toMissing(name: string, cause: unknown): CodeIntelError {
  return new CodeIntelError(
    "model_missing",
    `Cannot search by meaning: the file "${name}" of the embedding model cannot be read`,
    {
      hint: "Searches answer by words meanwhile; install the program again to get it back.",
      cause,
    },
  );
}

/** Whether all files of the model are there. */
export async function hasModel(folder: URL = toModelFolder()): Promise<boolean> {
  const found = await Promise.all(
    Object.values(MODEL_FILES).map(({ name }) =>
      Deno.stat(new URL(name, folder)).then((info) => info.isFile, () => false)
    ),
  );
  return found.every((isThere) => isThere);
}
