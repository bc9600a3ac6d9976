/** Reads the compiled patterns that the program brings along: a file for each grammar, in `patterns/`. */
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { concatBytes, isSameBytes } from "../base/bytes.ts";
import { loadOnce } from "../base/lazy.ts";
import { readProgramFile } from "../base/program_files.ts";

/** Bytes of the seal at the beginning of a file. */
const SEAL_BYTES = 32;

/** Compiled patterns with what they are of. */
export interface CompiledPatterns {
  /** The name of a grammar of `wasm/`. */
  readonly grammar: string;
  /** The patterns as they are written. */
  readonly source: string;
  /** What {@link takeQuery} took. */
  readonly packed: Uint8Array;
}

const hashes = loadOnce(readWasmHashes);

/** The file of a grammar, from the top of the repository. */
export function buildPatternPath(grammar: string): string {
  return `patterns/${grammar}.br`;
}

/**
 * A file before it is compressed. It is sealed with its bytes, and with all that the compiled
 * patterns depend on. That is the runtime that compiled them, their grammar, and the patterns as
 * they are written.
 */
export async function sealPatterns(compiled: CompiledPatterns): Promise<Uint8Array> {
  return concatBytes([await computeSeal(compiled), compiled.packed]);
}

/**
 * The compiled patterns of a grammar; null where the program has none of just these, or cannot read them now: then they have
 * to be compiled.
 */
export async function readPatterns(grammar: string, source: string): Promise<Uint8Array | null> {
  try {
    return await openPatterns(await readProgramFile(buildPatternPath(grammar)), {
      grammar,
      source,
    });
  } catch {
    return null;
  }
}

/** What a file holds; null where it is damaged or sealed for other patterns, another grammar or another runtime. */
export async function openPatterns(
  stored: Uint8Array,
  { grammar, source }: Pick<CompiledPatterns, "grammar" | "source">,
): Promise<Uint8Array | null> {
  const { brotliDecompress } = await import("node:zlib");
  const all: Uint8Array | null = await promisify(brotliDecompress)(stored).catch(() => null);
  if (all === null) return null;
  const packed = all.subarray(SEAL_BYTES);
  const seal = await computeSeal({ grammar, source, packed });
  return isSameBytes(all.subarray(0, SEAL_BYTES), seal) ? packed : null;
}

async function computeSeal({ grammar, source, packed }: CompiledPatterns): Promise<Uint8Array> {
  const known = await hashes();
  const [runtime, own] = ["web-tree-sitter", grammar].map((name) => known.get(name));
  return createHash("sha256").update(`${runtime} ${own} ${source}\0`).update(packed).digest();
}

/** SHA-256 of each vendored file as its package ships it. */
async function readWasmHashes(): Promise<ReadonlyMap<string, string>> {
  const bytes = await readProgramFile("wasm/manifest.json");
  const { files } = JSON.parse(new TextDecoder().decode(bytes)) as {
    readonly files: readonly { readonly name: string; readonly sha256: string }[];
  };
  return new Map(files.map(({ name, sha256 }) => [name, sha256]));
}
