/** The sample project with a real index, analysed in this thread so that no worker has to start. */
import { listProjectFiles } from "../../src/git/trees/file_lists.ts";
import type { ProofSource } from "../../src/resolve/proven_places.ts";
import { join } from "node:path";
import { createBackends } from "../../src/backends/detect.ts";
import { SILENT_LOGGER } from "../../src/base/logger.ts";
import { OWN_THREAD } from "../../src/analysis/analysis_pool.ts";
import { createCodeIndex } from "../../src/index/code_index.ts";
import type { CodeIndex, CodeIndexOptions, IndexSettings } from "../../src/index/index_api.ts";
import { createExplorer } from "../../src/explore/project_explorer.ts";
import type { Explorer } from "../../src/explore/explorer.ts";
import type { ExplorerOptions } from "../../src/explore/index_access.ts";
import type { TempRepo } from "../support/temp_repo.ts";
import { createTempRepo } from "../support/temp_repo.ts";
import { withPatience } from "../index/support.ts";
import { SAMPLE } from "./sample_files.ts";

/** A project with its index. */
export interface IndexedProject extends AsyncDisposable {
  readonly temp: TempRepo;
  readonly index: CodeIndex;
  readonly explorer: Explorer;
  /** What the explorer is made of. */
  readonly context: ExplorerOptions;
}

/** The files are read by the program itself; `with_programs.ts` has projects with ripgrep. */
export const NO_PROGRAMS = createBackends({ env: { get: () => "none" } });

/** What a test may change. */
export interface IndexedOptions {
  readonly settings?: Partial<IndexSettings>;
  readonly files?: Readonly<Record<string, string>>;
  readonly index?: Partial<CodeIndexOptions>;
  /** False leaves the building to the first question. Default true. */
  readonly isBuilt?: boolean;
  readonly explorer?: Partial<ExplorerOptions>;
  /** What indexers of the languages proved; default nothing. */
  readonly openProofs?: (projectRoot: string, index: CodeIndex) => ProofSource;
}

/** Makes a project of {@link SAMPLE} or of other files. */
export async function createIndexedProject(options: IndexedOptions = {}): Promise<IndexedProject> {
  const temp = await createTempRepo({ files: options.files ?? SAMPLE });
  const listFiles = (list: { readonly signal?: AbortSignal }) => listProjectFiles(temp.repo, list);
  const index = withPatience(createCodeIndex({
    projectRoot: temp.dir,
    folder: join(temp.repo.commonDir, "code-intel"),
    listFiles,
    listDependsOn: [join(temp.repo.gitDir, "index")],
    loadSettings: () =>
      Promise.resolve({
        sourceDirs: [],
        excludePatterns: [],
        chunkMaxTokens: 512,
        maxChunks: 1_000,
        meaningOf: "all",
        syncTtlHours: 1,
        ...options.settings,
      }),
    analyser: OWN_THREAD,
    ...options.index,
  }));
  if (options.isBuilt !== false) await index.sync();
  const context: ExplorerOptions = {
    ...(options.openProofs === undefined ? {} : { proofs: options.openProofs(temp.dir, index) }),
    projectRoot: temp.dir,
    listFiles: (list = {}) => listFiles(list),
    backends: NO_PROGRAMS,
    logger: SILENT_LOGGER,
    index,
    ...options.explorer,
  };
  return {
    temp,
    index,
    context,
    explorer: createExplorer(context),
    [Symbol.asyncDispose]: async () => {
      await index.close();
      await temp[Symbol.asyncDispose]();
    },
  };
}
