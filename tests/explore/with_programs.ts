/**
 * The projects of these tests with the search program of the machine, for questions that read files. Tests that ask by
 * these are run once more where the program is, so `tools/quick_tests/starting.ts` looks for what this module does.
 */
import { createBackends } from "../../src/backends/detect.ts";
import * as impact from "../impact/impact_project.ts";
import type { ImpactOptions, ImpactProject } from "../impact/impact_project.ts";
import * as indexed from "./indexed_project.ts";
import type { IndexedOptions, IndexedProject } from "./indexed_project.ts";

const backends = createBackends({ env: { get: () => undefined } });

/** The project of `indexed_project.ts`, with programs. */
export async function createIndexedProject(options: IndexedOptions = {}): Promise<IndexedProject> {
  const explorer = { backends, ...options.explorer };
  return await indexed.createIndexedProject({ ...options, explorer });
}

/** The project of `impact_project.ts`, with programs. */
export async function createImpactProject(
  files: Readonly<Record<string, string>>,
  options: ImpactOptions = {},
): Promise<ImpactProject> {
  return await impact.createImpactProject(files, { backends, ...options });
}
