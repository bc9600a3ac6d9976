/** An index over a real repository with a real database, and a clock that a test can turn. */
import { listProjectFiles } from "../../src/git/trees/file_lists.ts";
import { join } from "node:path";
import type { Repository } from "../../src/git/repository.ts";
import type { Analyser, AnalysisJob } from "../../src/analysis/analyser.ts";
import { runJob } from "../../src/analysis/analyser.ts";
import { createCodeIndex } from "../../src/index/code_index.ts";
import type { CodeIndex, CodeIndexOptions, IndexSettings } from "../../src/index/index_api.ts";
import { analysePlainly } from "../analysis/plain_analysis.ts";

/** Settings as a project without a configuration has them. */
export const SETTINGS: IndexSettings = {
  sourceDirs: [],
  excludePatterns: [],
  chunkMaxTokens: 512,
  maxChunks: 1_000,
  meaningOf: "all",
  syncTtlHours: 1,
};

/** Analyses in this thread and counts. */
export class CountingAnalyser implements Analyser {
  readonly concurrency = 2;
  /** Paths that were analysed, in order. */
  readonly parsed: string[] = [];

  /** Analyses by lines. */
  analyse(job: AnalysisJob) {
    this.parsed.push(job.path);
    return runJob(job, analysePlainly);
  }

  /** Nothing to end. */
  close() {}
}

/** An index under test. */
export interface TestIndex extends AsyncDisposable {
  readonly index: CodeIndex;
  readonly analyser: CountingAnalyser;
  readonly notices: readonly string[];
  /** Moves the clock, so that what was just written counts as old. */
  wait(ms: number): void;
}

/** What a test may set. */
export interface TestIndexOptions {
  readonly settings?: Partial<IndexSettings>;
  readonly options?: Partial<CodeIndexOptions>;
}

/** Opens an index over a worktree, with the database where the program has it. */
export function openTestIndex(repo: Repository, more: TestIndexOptions = {}): TestIndex {
  const analyser = new CountingAnalyser();
  const notices: string[] = [];
  let aheadMs = 0;
  const inner = createCodeIndex({
    projectRoot: repo.worktree,
    folder: join(repo.commonDir, "code-intel"),
    listFiles: (list) => listProjectFiles(repo, { ...list, hasRepositories: true }),
    listDependsOn: [join(repo.gitDir, "index")],
    loadSettings: () => Promise.resolve({ ...SETTINGS, ...more.settings }),
    onNotice: (notice) => notices.push(notice),
    analyser,
    nowMs: () => Date.now() + aheadMs,
    ...more.options,
  });
  const index = withPatience(inner);
  return {
    index,
    analyser,
    notices,
    wait: (ms) => aheadMs += ms,
    [Symbol.asyncDispose]: () => index.close(),
  };
}

/** The same index whose answers wait for what they need: a busy machine may take longer than the default. */
export function withPatience(inner: CodeIndex): CodeIndex {
  return {
    sync: (options) => inner.sync(options),
    ensureFresh: (options) => inner.ensureFresh({ budgetMs: 60_000, ...options }),
    findChanged: (...asked) => inner.findChanged(...asked),
    read: (query) => inner.read(query),
    listFiles: (options) => inner.listFiles(options),
    looked: () => inner.looked(),
    peek: (options) => inner.peek(options),
    listContents: () => inner.listContents(),
    readRecords: (blobs) => inner.readRecords(blobs),
    meaning: (of) => inner.meaning(of),
    hold: () => inner.hold(),
    rest: () => inner.rest(),
    status: () => inner.status(),
    close: () => inner.close(),
  };
}

/** Files of code, each with its own content. */
export function makeFiles(count: number, folder = "src"): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `${folder}/part${at % 10}/file${at}.ts`,
      `import "./file${
        at + 1
      }.ts"\nclass Thing${at} extends Base {\n  function run${at}() { return helper(${at}) }\n}\n`,
    ]),
  );
}
