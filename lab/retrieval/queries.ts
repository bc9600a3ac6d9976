/** The questions of a benchmark, read from a folder of `queries.jsonl` files, and the index of each repository that they ask. */
import { join } from "node:path";
import { walkFiles } from "../../src/backends/regular_files.ts";
import { DEFAULT_CONFIG } from "../../src/base/settings/config.ts";
import type { Embedder } from "../../src/embedding/embedder.ts";
import type { LineRange } from "../../src/git/trees/changed_lines.ts";
import type { CodeIndex, SyncReport } from "../../src/index/index_api.ts";
import { openIndex } from "../harness/open_index.ts";
import { readRows } from "../harness/run.ts";

/** One question with the files that answer it. */
export interface BenchmarkQuery {
  readonly id: string;
  readonly repo: string;
  readonly language: string;
  readonly category: string;
  readonly query: string;
  /** Paths that count, each once. */
  readonly targets: readonly string[];
  /** Lines that answer it; null where none are known. */
  readonly lines: RightLines | null;
}

/** Lines that answer a question, as ranges from 1, by file. */
export type RightLines = Readonly<Record<string, readonly LineRange[]>>;

/** Reads `name` in `folder`; null when there is no such file. */
export async function readQueries(folder: string, name: string): Promise<BenchmarkQuery[] | null> {
  return await readRows(join(folder, name), ({ text, list, value }) => {
    const targets = [...new Set([...list("relevant"), ...list("secondary")])];
    if (targets.length === 0) throw new Error(`No file answers ${text("id")}`);
    const lines = (value["lines"] ?? {}) as RightLines;
    return {
      id: text("id"),
      repo: text("repo"),
      language: text("language"),
      category: text("category"),
      query: text("query"),
      targets,
      lines: Object.values(lines).some((ranges) => ranges.length > 0) ? lines : null,
    };
  });
}

/** Where the sources of the repositories lie, and the databases of their indexes. */
export interface Place {
  readonly reposDir: string;
  readonly cacheDir: string;
  readonly embedder?: Embedder | undefined;
}

/** One repository with its index. */
export interface Corpus {
  readonly name: string;
  /** Absolute path of its files. */
  readonly root: string;
  readonly index: CodeIndex;
  /** What building or refreshing the index cost. */
  readonly report: SyncReport;
}

/** Does something with the questions of each repository and its index. Nothing is written into the repositories. */
export async function forEachCorpus<T extends { readonly repo: string }>(
  queries: readonly T[],
  { reposDir, cacheDir, embedder }: Place,
  action: (corpus: Corpus, queries: readonly T[]) => Promise<void>,
): Promise<void> {
  for (const [name, own] of Map.groupBy(queries, ({ repo }) => repo)) {
    const root = await Deno.realPath(join(reposDir, name));
    const folder = join(cacheDir, name);
    await Deno.mkdir(folder, { recursive: true });
    const index = openIndex({
      ...(embedder === undefined ? {} : { embedder }),
      projectRoot: root,
      folder,
      listFiles: () => walkFiles(root, { includeIgnored: true }),
    }, {
      excludePatterns: DEFAULT_CONFIG.exclude_patterns,
      chunkMaxTokens: DEFAULT_CONFIG.chunk_max_tokens,
      maxChunks: DEFAULT_CONFIG.max_chunks,
      meaningOf: "all",
      syncTtlHours: 24,
    });
    try {
      await action({ name, root, index, report: await index.sync() }, own);
    } finally {
      await index.close();
    }
  }
}
