/** `composer.json`: what is required, what is required for development, and how classes are found. Pure. */
import type { ChunkUnit } from "./chunker.ts";
import type { SpecialText } from "./special_chunker.ts";

const KEYS: ReadonlySet<string> = new Set(["require", "require-dev", "autoload", "autoload-dev"]);

/** One unit for each of these keys, kind `composer`. */
export function chunkComposer({ path, symbols }: SpecialText): ChunkUnit[] {
  if (!/(?:^|\/)composer\.json$/.test(path)) return [];
  return symbols
    .filter(({ kind, name, parent }) => kind === "key" && parent === null && KEYS.has(name))
    .map(({ name, startLine, endLine }) => ({ startLine, endLine, kind: "composer", name }));
}
