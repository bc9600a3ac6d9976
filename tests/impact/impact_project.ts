/** A project in many languages with a real index, and the analyser over it. */
import { listProjectFiles } from "../../src/git/trees/file_lists.ts";
import type { Backends } from "../../src/backends/detect.ts";
import { SILENT_LOGGER } from "../../src/base/logger.ts";
import type { ImpactFound, ImpactInput } from "../../src/impact/analyze.ts";
import { createImpactAnalyzer } from "../../src/impact/analyze.ts";
import type { OwnCommand } from "../../src/impact/test_command.ts";
import type { SeenRuns } from "../../src/index/seen_runs.ts";
import type { DiffFacts } from "../../src/impact/review/diff_facts.ts";
import type { Explorer } from "../../src/explore/explorer.ts";
import type { IndexedOptions } from "../explore/indexed_project.ts";
import { createIndexedProject, NO_PROGRAMS } from "../explore/indexed_project.ts";
import type { TempRepo } from "../support/temp_repo.ts";

/** What a test works with. */
export interface ImpactProject extends AsyncDisposable {
  readonly temp: TempRepo;
  readonly explorer: Explorer;
  /** Analyses; throws where it is refused. */
  ask(input: Partial<ImpactInput>): Promise<ImpactFound>;
  /** The facts of the working diff in some files. */
  describe(paths: readonly string[]): Promise<DiffFacts | null>;
  /** The codes of the problems of a refused analysis. */
  refuse(input: Partial<ImpactInput>): Promise<readonly string[]>;
}

/** What a test may change. */
export interface ImpactOptions extends Pick<IndexedOptions, "openProofs"> {
  readonly commands?: readonly OwnCommand[];
  readonly backends?: Backends;
  /** What was seen in runs; default nothing. */
  readonly runs?: SeenRuns;
}

/** Makes the project of the files, committed and indexed. */
export async function createImpactProject(
  files: Readonly<Record<string, string>>,
  { commands = [], backends = NO_PROGRAMS, openProofs, runs }: ImpactOptions = {},
): Promise<ImpactProject> {
  const explorer = { backends };
  const { temp, index, ...project } = await createIndexedProject({ files, explorer });
  const analyzer = createImpactAnalyzer({
    ...(runs === undefined ? {} : { runs }),
    ...(openProofs === undefined ? {} : { proofs: openProofs(temp.dir, index) }),
    projectRoot: temp.dir,
    listFiles: (list = {}) => listProjectFiles(temp.repo, list),
    backends,
    logger: SILENT_LOGGER,
    index,
    openRepo: () => Promise.resolve(temp.repo),
    loadPatterns: () => Promise.resolve({ include_patterns: [], exclude_patterns: [] }),
    loadCommands: () => Promise.resolve(commands),
  });
  const send = async (input: Partial<ImpactInput>) => {
    // Everything is read, however busy the machine is.
    await index.sync();
    return await analyzer.analyze({
      targetFiles: [],
      symbols: [],
      isDiff: false,
      changeDescription: "",
      depth: 2,
      ...input,
    });
  };
  return {
    temp,
    explorer: project.explorer,
    ask: async (input) => {
      const answer = await send(input);
      if (answer.kind === "refused") throw new Error(JSON.stringify(answer.problems));
      return answer;
    },
    describe: async (paths) => {
      await index.sync();
      return await analyzer.describeDiff(paths);
    },
    refuse: async (input) => {
      const answer = await send(input);
      return answer.kind === "refused" ? answer.problems.map(({ code }) => code) : ["found"];
    },
    [Symbol.asyncDispose]: () => project[Symbol.asyncDispose](),
  };
}
