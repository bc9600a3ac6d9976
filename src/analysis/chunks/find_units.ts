/** All special chunkers, as a table: a new one is a row. */
import type { ChunkUnit } from "./chunker.ts";
import { chunkBlade } from "./blade.ts";
import { chunkComposer } from "./composer.ts";
import { chunkFilament, chunkMigration, chunkRelations } from "./laravel.ts";
import type { SpecialChunker, SpecialText } from "./special_chunker.ts";
import { chunkTailwind } from "./tailwind.ts";

const SPECIAL_CHUNKERS: readonly SpecialChunker[] = [
  chunkComposer,
  chunkTailwind,
  chunkMigration,
  chunkFilament,
  chunkRelations,
  chunkBlade,
];

/** The special units of a text; nearly always none. */
export function findSpecialUnits(text: SpecialText): ChunkUnit[] {
  return SPECIAL_CHUNKERS.flatMap((chunk) => chunk(text));
}
