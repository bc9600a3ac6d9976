/**
 * Reads the vendored WebAssembly files. The only place that knows where they lie, so that a compiled
 * program can have them elsewhere.
 */
import { promisify } from "node:util";

/** Where the vendored file of that name lies: `wasm/` beside `src/`. */
export function toWasmUrl(name: string): URL {
  return new URL(`../../wasm/${name}.wasm.br`, import.meta.url);
}

/**
 * The vendored module as its package ships it; on the disk it is compressed.
 *
 * @throws when the file is missing or damaged.
 */
export async function readWasm(name: string): Promise<Uint8Array> {
  const { brotliDecompress } = await import("node:zlib");
  const stored = await Deno.readFile(toWasmUrl(name));
  return await promisify(brotliDecompress)(stored);
}
