/** The list of vendored files, and the comparison of the files on the disk with it. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync } from "node:zlib";
import type { Source } from "./sources.ts";
import { SOURCES } from "./sources.ts";

/** Folder of the vendored files. */
export const WASM_FOLDER = fileURLToPath(new URL("../../wasm", import.meta.url));

/** One vendored file. */
export interface Entry extends Source {
  /** Name in `wasm/`; the content is compressed with Brotli. */
  readonly file: string;
  /** SHA-256 of the file as the package ships it. */
  readonly sha256: string;
  readonly sizeBytes: number;
  /** SHA-256 of the compressed file in `wasm/`. */
  readonly storedSha256: string;
  readonly storedBytes: number;
}

/** SHA-256 in hexadecimal digits. */
export function toSha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** The manifest as it lies in the folder. */
export async function readManifest(folder: string = WASM_FOLDER): Promise<readonly Entry[]> {
  return JSON.parse(await Deno.readTextFile(join(folder, "manifest.json"))).files;
}

/** Everything that differs between the table of sources, the manifest and the files; works offline. */
export async function findDifferences(folder: string = WASM_FOLDER): Promise<readonly string[]> {
  const entries = await readManifest(folder);
  const found: string[] = [];
  for (const source of SOURCES) {
    const entry = entries.find(({ name }) => name === source.name);
    if (entry === undefined) found.push(`${source.name} is not in the manifest`);
    else if (!isFrom(entry, source)) found.push(`${source.name} comes from another source`);
  }
  const known = new Set(["manifest.json", "LICENSES.md", ...entries.map(({ file }) => file)]);
  for await (const { name } of Deno.readDir(folder)) {
    if (!known.has(name)) found.push(`${name} is not in the manifest`);
  }
  for (const entry of entries) {
    const stored = await Deno.readFile(join(folder, entry.file)).catch(() => null);
    if (stored === null) found.push(`${entry.file} is missing`);
    else if (toSha256(stored) !== entry.storedSha256) found.push(`${entry.file} was changed`);
    else if (toSha256(brotliDecompressSync(stored)) !== entry.sha256) {
      found.push(`${entry.file} does not hold what its package ships`);
    }
  }
  return found;
}

/** Whether a file is what its row of the table says. */
export function isFrom(entry: Entry, source: Source): boolean {
  const keys = ["package", "version", "inside", "licence", "licenceFrom"] as const;
  return keys.every((key) => entry[key] === source[key]);
}
