/** Reads the vendored WebAssembly files. */
import { promisify } from "node:util";
import { readProgramFile } from "../base/program_files.ts";

/**
 * The vendored module as its package ships it; on the disk it is compressed.
 *
 * @throws when the file is missing or damaged.
 */
export async function readWasm(name: string): Promise<Uint8Array> {
  const [{ brotliDecompress }, stored] = await Promise.all([
    import("node:zlib"),
    readProgramFile(`wasm/${name}.wasm.br`),
  ]);
  return await promisify(brotliDecompress)(stored);
}
