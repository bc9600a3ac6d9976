/** A small repository of several languages without an index, asked with the real programs and without them. */
import { join } from "node:path";
import { OWN_THREAD } from "../../src/analysis/analysis_pool.ts";
import { createBackends } from "../../src/backends/detect.ts";
import { walkFiles } from "../../src/backends/regular_files.ts";
import { SILENT_LOGGER } from "../../src/base/logger.ts";
import type { Explorer } from "../../src/explore/explorer.ts";
import type { ExplorerOptions } from "../../src/explore/index_access.ts";
import { createExplorer } from "../../src/explore/project_explorer.ts";
import { createCodeIndex } from "../../src/index/code_index.ts";
import { SETTINGS } from "../index/support.ts";
import { testNeeding } from "../support/needs.ts";
import type { Need } from "../support/needs.ts";
import type { TempRepo } from "../support/temp_repo.ts";
import { createIndexedProject } from "./indexed_project.ts";
import type { IndexedProject } from "./indexed_project.ts";
import { SAMPLE } from "./sample_files.ts";

/** The two ways in which everything is asked. */
export const WAYS = ["programs", "fallback"] as const;

/** With rg, or without it. */
export type Way = typeof WAYS[number];

/** More new files than a process builds an index for that ends with its answer; none is seen by a question. */
const REST = Object.fromEntries(
  Array.from({ length: 110 }, (_, at) => [`.rest/${at}.txt`, `${at}\n`]),
);

/** A project under test. */
export interface Project extends AsyncDisposable {
  readonly temp: TempRepo;
  readonly explorer: Explorer;
  readonly context: ExplorerOptions;
}

/** Makes the sample; the ignored files `dist/out.js` and `secret.txt` lie beside its commit. */
export async function createProject(way: Way): Promise<Project> {
  const env = { get: () => way === "fallback" ? "none" : undefined };
  const project = await createUnbuiltProject(SAMPLE, { backends: createBackends({ env }) });
  await project.temp.write({ "dist/out.js": "loadUser()\n", "secret.txt": "loadUser\n" });
  return project;
}

/** A project whose index is not built, nor begun by any question. */
export async function createUnbuiltProject(
  files: Readonly<Record<string, string>>,
  explorer: Partial<ExplorerOptions> = {},
): Promise<IndexedProject> {
  return await createIndexedProject({
    files: { ...files, ...REST },
    isBuilt: false,
    explorer: { isBrief: true, ...explorer },
  });
}

/** An explorer over a folder without git, and what ends it. */
export function createPlainExplorer(
  dir: string,
): { readonly explorer: Explorer } & AsyncDisposable {
  const listFiles = (options: { readonly signal?: AbortSignal }) => walkFiles(dir, options);
  const index = createCodeIndex({
    projectRoot: dir,
    folder: join(dir, ".code-intel"),
    listFiles,
    loadSettings: () => Promise.resolve(SETTINGS),
    analyser: OWN_THREAD,
  });
  const backends = createBackends({ env: { get: () => undefined } });
  const options = { projectRoot: dir, listFiles, backends, logger: SILENT_LOGGER, index };
  return {
    explorer: createExplorer({ ...options, isBrief: true }),
    [Symbol.asyncDispose]: () => index.close(),
  };
}

/** What each way needs of the machine. */
const WAY_NEEDS: Readonly<Record<Way, readonly Need[]>> = {
  programs: ["rg"],
  fallback: [],
};

/** Registers one test for each way of asking. */
export function eachWay(name: string, run: (project: Project, way: Way) => Promise<void>): void {
  for (const way of WAYS) {
    testNeeding(WAY_NEEDS[way], `${name} (${way})`, async () => {
      await using project = await createProject(way);
      await run(project, way);
    });
  }
}
