/**
 * The repositories of a benchmark: where their files lie, and a code index of each, built as the program
 * builds it. Nothing is written into the repositories.
 */
import { join } from "node:path";
import { walkFiles } from "../../src/backends/walk.ts";
import { DEFAULT_CONFIG } from "../../src/base/settings/config.ts";
import type { Embedder } from "../../src/embedding/embedder.ts";
import { createCodeIndex } from "../../src/index/code_index.ts";
import type { CodeIndex, SyncReport } from "../../src/index/index_api.ts";

/** One repository with its index. */
export interface Corpus {
  readonly name: string;
  /** Absolute path of its files. */
  readonly root: string;
  readonly index: CodeIndex;
  /** What building or refreshing the index cost. */
  readonly report: SyncReport;
  readonly databaseBytes: number;
}

/** Opens the index of the repository `name` below `reposDir`, its database in `cacheDir`. */
export async function openCorpus(
  name: string,
  place: {
    readonly reposDir: string;
    readonly cacheDir: string;
    readonly embedder?: Embedder | undefined;
  },
): Promise<Corpus> {
  const root = await Deno.realPath(join(place.reposDir, name));
  const folder = join(place.cacheDir, name);
  await Deno.mkdir(folder, { recursive: true });
  const { embedder } = place;
  const index = createCodeIndex({
    ...(embedder === undefined ? {} : { embedder }),
    projectRoot: root,
    folder,
    listFiles: () => walkFiles(root, { includeIgnored: true }),
    loadSettings: () =>
      Promise.resolve({
        sourceDirs: [],
        excludePatterns: DEFAULT_CONFIG.exclude_patterns,
        chunkMaxTokens: DEFAULT_CONFIG.chunk_max_tokens,
        maxChunks: DEFAULT_CONFIG.max_chunks,
        meaningOf: "all",
        syncTtlHours: 24,
      }),
  });
  const report = await index.sync();
  const { sizeBytes } = await index.status();
  return { name, root, index, report, databaseBytes: sizeBytes };
}
