/**
 * The embedding model itself: text to a vector of unit length, in this thread. One text at a time: in
 * eight bits a vector depends on its neighbours in a batch, and a batch is no faster.
 */
import { readProgramFile } from "../base/program_files.ts";
import { openModelFile, readModelFile } from "./model_files.ts";
import { DIMENSIONS, TokenTable } from "./token_table.ts";
import { Tokenizer } from "./tokenizer.ts";

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
 * Puts the global `Worker` back after an action of the runtime: its glue replaces it by one of Node's, both when it is
 * imported and when a session is made, and no thread that the program starts afterwards would find its `self`.
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
