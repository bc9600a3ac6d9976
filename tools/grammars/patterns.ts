/**
 * Compiles the patterns of each grammar and writes `patterns/`, so that no thread of the program has to: `deno task patterns`.
 * With `--check` it only names the files that are not what it would write.
 */
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import { loadLanguageQuery } from "../../src/analysis/queries/load.ts";
import { isSameBytes } from "../../src/base/bytes.ts";
import { buildPatternPath, sealPatterns } from "../../src/syntax/pattern_files.ts";
import { compilePatterns } from "../../src/syntax/tree_sitter.ts";
import { readManifest } from "./manifest.ts";
import { REPOSITORY } from "../task.ts";

/** Names of the grammars that have patterns. */
export async function listGrammars(): Promise<readonly string[]> {
  return (await readManifest()).map(({ name }) => name).filter((name) => name !== RUNTIME);
}

const RUNTIME = "web-tree-sitter";

/** The file of a grammar as it has to be, before it is compressed. */
export async function makePatterns(grammar: string): Promise<Uint8Array> {
  const { tags: source } = await loadLanguageQuery(grammar);
  return sealPatterns({ grammar, source, packed: await compilePatterns(grammar, source) });
}

/** The file of a grammar as it lies there; null where it is missing or damaged. */
export async function readPatternFile(grammar: string): Promise<Uint8Array | null> {
  try {
    return brotliDecompressSync(await Deno.readFile(join(REPOSITORY, buildPatternPath(grammar))));
  } catch {
    return null;
  }
}

/** Runs the task; the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const isCheck = args.includes("--check");
  let code = 0;
  await Deno.mkdir(join(REPOSITORY, "patterns"), { recursive: true });
  for (const grammar of await listGrammars()) {
    const [made, present] = [await makePatterns(grammar), await readPatternFile(grammar)];
    if (present !== null && isSameBytes(made, present)) continue;
    const file = buildPatternPath(grammar);
    if (isCheck) code = 1;
    else await Deno.writeFile(join(REPOSITORY, file), brotliCompressSync(made));
    const said = isCheck ? `${file} is not up to date: deno task patterns` : `${file} written`;
    Deno.stdout.writeSync(new TextEncoder().encode(`${said}\n`));
  }
  return code;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
