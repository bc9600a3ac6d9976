/** A project whose files are edited under the questions, with every kind of question and of edit. */
import { join } from "node:path";
import { OWN_THREAD } from "../../src/analysis/analysis_pool.ts";
import type { AnalyseOptions, Analyser, AnalysisJob } from "../../src/analysis/analyser.ts";
import { createMeaningSearch } from "../../src/explore/meaning/semantic_search.ts";
import { createExplorer } from "../../src/explore/project_explorer.ts";
import { createImpactAnalyzer } from "../../src/impact/analyze.ts";
import type { CodeIndex, FreshOptions } from "../../src/index/index_api.ts";
import type { IndexView } from "../../src/index/read/view.ts";
import { PLAIN_SCALES } from "../../src/ranking/rank.ts";
import { createIndexedProject } from "./indexed_project.ts";
import type { IndexedProject } from "./indexed_project.ts";

const LINES = 14;
const PAGE = { maxResults: 100 };
const TEXT = { ...PAGE, fixed: true, caseSensitive: true, wholeWord: false, contextLines: 0 };

/** A file that defines names of its own and calls one that all share. */
function toText(at: number): string {
  const parts = Array.from(
    { length: LINES },
    (_, line) => `export function part${at}x${line}() {\n  return sharedName(${line});\n}\n`,
  );
  const head = at === 0
    ? "export function sharedName(at: number) {\n  return at;\n}\n"
    : `import { sharedName } from "./file0.ts";\n`;
  return `${head}${parts.join("")}`;
}

const EDITED = Object.fromEntries(
  Array.from({ length: 6 }, (_, at) => [`src/file${at}.ts`, toText(at)]),
);
/** With so many others the index answers though the edited ones are pending. */
const FILES = {
  ...EDITED,
  ...Object.fromEntries(
    Array.from(
      { length: 30 },
      (_, at) => [`other/o${at}.ts`, `export const other${at} = ${at};\n`],
    ),
  ),
};

/** An analyser that can be held: what is asked of it waits until it is let go. */
export class Gate implements Analyser {
  readonly concurrency = 2;
  #open = Promise.resolve();

  /** Holds it until what is given back is disposed of. */
  hold(): Disposable {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#open = promise;
    return { [Symbol.dispose]: resolve };
  }

  /** Analyses once it is not held. */
  async analyse(job: AnalysisJob, options: AnalyseOptions = {}) {
    // What is read for one question alone is never in the way.
    if (options.isUrgent !== true) await this.#open;
    return await OWN_THREAD.analyse(job, options);
  }

  /** Nothing to end. */
  close() {}
}

/** Asks about a file, by its number. */
export type Ask = (at: number) => Promise<readonly [answer: unknown, name: string]>;

/** Every kind of question about the name that all files share, or one that a file has. */
export function toQuestions(
  project: IndexedProject,
  index: CodeIndex,
): Readonly<Record<string, Ask>> {
  const context = { ...project.context, index };
  const explorer = createExplorer(context);
  const meaning = createMeaningSearch({
    ...context,
    loadScales: () => Promise.resolve(PLAIN_SCALES),
  });
  const impact = createImpactAnalyzer({
    ...context,
    openRepo: () => Promise.resolve(project.temp.repo),
    loadPatterns: () => Promise.resolve({ include_patterns: [], exclude_patterns: [] }),
    loadCommands: () => Promise.resolve([]),
  });
  const shared = "sharedName";
  const named = { symbol: shared, exactMatch: true, ...PAGE };
  const graph = { targetFiles: [], isDiff: false, changeDescription: "", depth: 1 };
  return {
    definitions: async (at) => {
      const symbol = `part${at}x7`;
      return [await explorer.findDefinitions({ ...named, symbol }), symbol];
    },
    references: async () => [
      await explorer.findReferences({ ...PAGE, symbol: shared, includeText: false }),
      shared,
    ],
    text: async () => [
      await explorer.searchText({ ...TEXT, patterns: [shared] }),
      shared,
    ],
    symbols: async (at) => [
      await explorer.getSymbols({ ...PAGE, path: at === 0 ? "src" : `src/file${at}.ts` }),
      "",
    ],
    structure: async (at) => [
      await explorer.analyzeStructure({ ...PAGE, path: at === 0 ? "src" : `src/file${at}.ts` }),
      "",
    ],
    functions: async (at) => [
      await explorer.getFunctionAtLine({ path: `src/file${at}.ts`, line: 30, contextLines: 0 }),
      "",
    ],
    meaning: async () => [
      await meaning.search({ query: shared, collection: "auto", maxResults: 20, explain: false }),
      "",
    ],
    impact: async () => [await impact.analyze({ ...graph, symbols: [shared] }), shared],
  };
}

type Edit = (project: IndexedProject, path: string) => Promise<unknown>;

async function rewrite(
  { temp }: IndexedProject,
  path: string,
  change: (text: string) => string,
): Promise<void> {
  const text = await Deno.readTextFile(join(temp.dir, path)).catch(() => toText(9));
  await temp.write({ [path]: change(text) });
}

/** What people, editors and git do to a file. */
export const EDITS: Readonly<Record<string, Edit>> = {
  "a line on top": (project, path) => rewrite(project, path, (text) => `// new\n${text}`),
  "lines deleted": (project, path) =>
    rewrite(project, path, (text) => text.split("\n").slice(4).join("\n")),
  "replaced whole": (project, path) =>
    rewrite(project, path, (text) => text.replaceAll("sharedName", "other").replace(/^/, "\n")),
  "line ends of Windows": (project, path) =>
    rewrite(project, path, (text) => text.replaceAll(/\r?\n/g, "\r\n\r\n")),
  "names swapped": (project, path) =>
    rewrite(project, path, (text) => text.split("\n").toReversed().join("\n")),
  renamed: async ({ temp }, path) => {
    const to = `${path.replace(/(_\d+)?\.ts$/, "")}_${Math.trunc(performance.now())}.ts`;
    await Deno.rename(join(temp.dir, path), join(temp.dir, to)).catch(() => {});
  },
  deleted: ({ temp }, path) => Deno.remove(join(temp.dir, path)).catch(() => {}),
  "another branch": ({ temp }) => temp.git("checkout", "-qf", "other"),
  "back again": ({ temp }) => temp.git("checkout", "-qf", "main"),
};

/** The project with a branch on which every file is another one. */
export async function createBranches(gate: Gate): Promise<IndexedProject> {
  // What was just written counts as old, so that only what is edited has to be read again.
  const nowMs = () => Date.now() + 60_000;
  const project = await createIndexedProject({ files: FILES, index: { analyser: gate, nowMs } });
  await project.temp.git("switch", "-qc", "other");
  const shifted = Object.entries(EDITED).map(([path, text]) => [path, `// moved\n${text}`]);
  await project.temp.commit("Move", Object.fromEntries(shifted));
  await project.temp.git("switch", "-q", "main");
  await project.index.sync();
  return project;
}

/** The same index with other waits, and something that happens right after the first read of a question. */
export function between(
  inner: CodeIndex,
  waits: () => FreshOptions,
  then: () => Promise<unknown> = () => Promise.resolve(),
): CodeIndex {
  return Object.assign(Object.create(inner) as CodeIndex, {
    ensureFresh: (options: FreshOptions) => inner.ensureFresh({ ...options, ...waits() }),
    findChanged: (...asked: Parameters<CodeIndex["findChanged"]>) => inner.findChanged(...asked),
    async read<T>(query: (view: IndexView) => T): Promise<T> {
      const answer = await inner.read(query);
      await then();
      return answer;
    },
    listFiles: (options: Parameters<CodeIndex["listFiles"]>[0]) => inner.listFiles(options),
    looked: () => inner.looked(),
    peek: (options: Parameters<CodeIndex["peek"]>[0]) => inner.peek(options),
    meaning: () => Promise.resolve(null),
    sync: (options: Parameters<CodeIndex["sync"]>[0]) => inner.sync(options),
  });
}
