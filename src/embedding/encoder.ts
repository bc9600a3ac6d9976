/**
 * The embedding model itself: text to a vector of unit length, in this thread. One text at a time: in
 * eight bits a vector depends on its neighbours in a batch, and a batch is no faster.
 */
import { invariant } from "../base/errors.ts";
import { readProgramFile } from "../base/program_files.ts";
import { openModelFile, readModelFile } from "./model_files.ts";
import { DIMENSIONS, TokenTable } from "./token_table.ts";

const MAGIC = 0x584c5431;
const HEAD_BYTES = 16;
const START_ID = 0;
const END_ID = 2;
const UNKNOWN_ID = 3;
/** Most tokens that the model reads, its start and end included. */
export const MODEL_TOKENS = 512;

// The normaliser that the model was trained with: these controls vanish, these spaces become one kind.
// deno-lint-ignore no-control-regex -- control characters are what is deleted
const DELETED = /[\x01-\x08\x0b\x0e-\x1f\x7f\x8f\x9f]/g;
const SPACES = /[\t\n\f\r\u1680\u200b-\u200f\u2028\u2029\u2581\ufeff\ufffd]/g;
// The wave dash that NFKC would turn into a tilde, which the vocabulary tells apart.
const KEPT_TILDE = "\uff5e";
const WORD_MARK = "\u2581";

/** Makes token ids of texts. */
export class Tokenizer {
  readonly #labels: Uint8Array;
  /** First child of each node; the children end where those of the next node begin. */
  readonly #children: Uint32Array;
  readonly #pieces: Int32Array;
  readonly #scores: Float32Array;
  readonly #unknownScore: number;
  /** Child of the root by byte: nearly every step begins there. */
  readonly #roots = new Int32Array(256).fill(-1);
  readonly #encoder = new TextEncoder();

  /** @param file the bytes of `tokenizer.bin`; kept, not copied. */
  constructor(file: Uint8Array) {
    const bytes = file.byteOffset % 4 === 0 ? file : file.slice();
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    invariant(
      bytes.byteLength > HEAD_BYTES && view.getUint32(0) === MAGIC,
      "the vocabulary of the embedding model is damaged",
    );
    const nodeCount = view.getUint32(4, true);
    const pieceCount = view.getUint32(8, true);
    this.#unknownScore = view.getFloat32(12, true);
    const labelsAt = bytes.byteOffset + HEAD_BYTES;
    const countsAt = labelsAt + nodeCount;
    const piecesAt = Math.ceil((countsAt + nodeCount) / 4) * 4;
    this.#labels = new Uint8Array(bytes.buffer, labelsAt, nodeCount);
    this.#pieces = new Int32Array(bytes.buffer, piecesAt, nodeCount);
    this.#scores = new Float32Array(bytes.buffer, piecesAt + 4 * nodeCount, pieceCount);
    this.#children = indexFirstChildren(new Uint8Array(bytes.buffer, countsAt, nodeCount));
    const end = this.#children[1] ?? 0;
    for (let node = this.#children[0] ?? 0; node < end; node++) {
      this.#roots[this.#labels[node] ?? 0] = node;
    }
  }

  /**
   * The ids of a text between the marks of its start and end.
   *
   * @param maxTokens most ids, the two marks included; what is over is cut off.
   */
  encode(text: string, maxTokens = MODEL_TOKENS): number[] {
    const ids = [START_ID];
    for (const word of normalise(text).split(/\s+/)) {
      if (word !== "") this.#addWord(ids, word);
      if (ids.length >= maxTokens) break;
    }
    ids.length = Math.min(ids.length, maxTokens - 1);
    ids.push(END_ID);
    return ids;
  }

  /** Adds the likeliest pieces of one word: the best path over all pieces that fit, from left to right. */
  #addWord(ids: number[], word: string): void {
    const bytes = this.#encoder.encode(WORD_MARK + word);
    const { from, piece } = this.#findPath(bytes);
    const path: number[] = [];
    for (let at = bytes.length; at > 0; at = from[at] ?? 0) {
      const id = piece[at] ?? UNKNOWN_ID;
      // Neighbouring unknown characters are one unknown piece.
      if (id !== UNKNOWN_ID || path.at(-1) !== UNKNOWN_ID) path.push(id);
    }
    for (let i = path.length - 1; i >= 0; i--) ids.push(path[i] ?? UNKNOWN_ID);
  }

  #findPath(
    bytes: Uint8Array,
  ): { readonly from: Int32Array; readonly piece: Int32Array } {
    const best = new Float64Array(bytes.length + 1).fill(-Infinity);
    const from = new Int32Array(bytes.length + 1);
    const piece = new Int32Array(bytes.length + 1);
    best[0] = 0;
    const offer = (start: number, end: number, id: number, score: number) => {
      if (score <= (best[end] ?? Infinity)) return;
      best[end] = score;
      from[end] = start;
      piece[end] = id;
    };
    for (let start = 0; start < bytes.length; start++) {
      const scoreHere = best[start] ?? -Infinity;
      if (scoreHere === -Infinity) continue;
      for (let at = start, node = 0; at < bytes.length;) {
        node = this.#step(node, bytes[at++] ?? 0);
        if (node < 0) break;
        const id = this.#pieces[node] ?? -1;
        if (id >= 0) offer(start, at, id, scoreHere + (this.#scores[id] ?? 0));
      }
      const end = start + countCharBytes(bytes[start] ?? 0);
      offer(start, end, UNKNOWN_ID, scoreHere + this.#unknownScore);
    }
    return { from, piece };
  }

  /** The child of a node by a byte, −1 where it has none; children are sorted by their byte. */
  #step(node: number, byte: number): number {
    if (node === 0) return this.#roots[byte] ?? -1;
    let low = this.#children[node] ?? 0;
    const end = this.#children[node + 1] ?? 0;
    let high = end;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#labels[middle] ?? 0) < byte) low = middle + 1;
      else high = middle;
    }
    return low < end && this.#labels[low] === byte ? low : -1;
  }
}

function indexFirstChildren(counts: Uint8Array): Uint32Array {
  const first = new Uint32Array(counts.length + 1);
  let at = 1;
  for (let node = 0; node < counts.length; node++) {
    first[node] = at;
    at += counts[node] ?? 0;
  }
  first[counts.length] = at;
  return first;
}

function normalise(text: string): string {
  const plain = text.replace(DELETED, "").replace(SPACES, " ");
  if (!plain.includes(KEPT_TILDE)) return plain.normalize("NFKC");
  return plain.split(KEPT_TILDE).map((part) => part.normalize("NFKC")).join(KEPT_TILDE);
}

/** Bytes of the character that a byte of UTF-8 begins. */
function countCharBytes(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xe0) return 2;
  return first < 0xf0 ? 3 : 4;
}

/** What a text is to the model: a question, or what may answer it. */
export type TextRole = "query" | "passage";

/** Makes vectors of texts. */
export interface Encoder {
  /**
   * The vector of a text: {@link DIMENSIONS} numbers, length 1.
   *
   * @param maxTokens most tokens that are read, the prefix of the role included.
   */
  encode(role: TextRole, text: string, maxTokens?: number): Promise<Float32Array>;
  /** Gives the memory of the network back. */
  close(): Promise<void>;
}

/**
 * Loads the model.
 *
 * @param folder another folder than the program's own.
 * @throws {CodeIntelError} `model_missing`.
 */
export async function createEncoder(folder?: URL): Promise<Encoder> {
  const [tokenizer, table, network, runtime] = await Promise.all([
    readModelFile("tokenizer", folder),
    openModelFile("table", folder),
    readModelFile("network", folder),
    loadRuntime(),
  ]);
  const words = new Tokenizer(tokenizer);
  const rows = new TokenTable(table);
  const session = await keepWorker(() =>
    runtime.InferenceSession.create(network, {
      executionProviders: ["wasm"],
      intraOpNumThreads: 1,
    })
  );
  // Both are copied and compiled by now: 36 MB that would lie here until memory gets scarce.
  release(network);
  release(runtime.env.wasm.wasmBinary);
  delete runtime.env.wasm.wasmBinary;
  return {
    encode: async (role, text, maxTokens) => {
      const ids = words.encode(`${role}: ${text.trim()}`, maxTokens);
      const { Tensor } = runtime;
      const { embedding } = await session.run({
        inputs_embeds: new Tensor("float32", rows.lookUp(ids), [1, ids.length, DIMENSIONS]),
        attention_mask: new Tensor("int64", new BigInt64Array(ids.length).fill(1n), [
          1,
          ids.length,
        ]),
      });
      if (!(embedding?.data instanceof Float32Array)) throw new Error("the model gave no vector");
      return embedding.data.slice(0, DIMENSIONS);
    },
    close: async () => {
      table[Symbol.dispose]();
      await session.release();
    },
  };
}

/** Gives memory back at once. */
function release(bytes: ArrayBufferLike | Uint8Array | undefined): void {
  const buffer = bytes instanceof Uint8Array ? bytes.buffer : bytes;
  if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}

type Runtime = typeof import("onnxruntime-web");

/** The name of the runtime's code inside the executable; the compile task puts it there. */
export const RUNTIME_WASM = "native/ort-wasm-simd-threaded.wasm.bin";

/** The runtime with its WebAssembly given as bytes, so that it looks for no file and no network. */
async function loadRuntime(): Promise<Runtime> {
  const [runtime, wasmBinary] = await Promise.all([
    keepWorker(() => import("onnxruntime-web")),
    readRuntimeWasm(),
  ]);
  const { env } = runtime;
  env.logLevel = "error";
  env.wasm.numThreads = 1;
  env.wasm.wasmBinary = wasmBinary;
  return runtime;
}

/** The web's own, whose threads have the globals of the web. */
const { Worker } = globalThis;

/**
 * Puts the global `Worker` back after an action of the runtime. Its glue replaces `Worker` by one
 * of Node's, when it is imported and when a session is made. No thread that the program starts
 * afterwards would find its `self`.
 */
async function keepWorker<Result>(action: () => Promise<Result>): Promise<Result> {
  try {
    return await action();
  } finally {
    globalThis.Worker = Worker;
  }
}

/** From source it lies in its package; the runtime of a compiled program would take `.wasm` for a module. */
async function readRuntimeWasm(): Promise<Uint8Array> {
  if (Deno.build.standalone) return await readProgramFile(RUNTIME_WASM);
  const url = import.meta.resolve("onnxruntime-web/ort-wasm-simd-threaded.wasm");
  return await Deno.readFile(new URL(url));
}
