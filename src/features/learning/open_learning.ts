/** What was learned, loaded where there is something of it, and where a session adds to it. */
import { join } from "node:path";
import { SYSTEM_CLOCK } from "../../base/clock.ts";
import { lazyObject, loadOnce } from "../../base/lazy.ts";
import { listOwnFolder } from "../../base/files/own_folder.ts";
import type { LearningParts } from "../../services/extension.ts";
import type { Services } from "../../services/services_api.ts";
import type { Learning } from "../../workflow/context/learning.ts";
import type { ProjectLearning } from "./learning.ts";

/** Loads all that learns in a project. */
export async function loadLearning(
  { codeIntelDir, clock, explorer }: LearningParts,
): Promise<ProjectLearning> {
  const [{ ProjectLearning }, { createSymbolFinder }] = await Promise.all([
    import("./learning.ts"),
    import("./check_symbols.ts"),
  ]);
  return new ProjectLearning({ codeIntelDir, clock, findSymbol: createSymbolFinder(explorer) });
}

/** The same for a command. */
export async function openProjectLearning({ parts, explorer }: Services): Promise<ProjectLearning> {
  return await loadLearning({ codeIntelDir: parts.codeIntelDir, clock: SYSTEM_CLOCK, explorer });
}

/** Opens what was learned in a project; nothing is read or written before the first call. */
export function openLearning(parts: LearningParts): Learning {
  const load = loadOnce<Learning>(() => loadLearning(parts));
  const folder = join(parts.codeIntelDir, "agreements");
  const hasNone = async () =>
    load.started === undefined &&
    !(await listOwnFolder(folder)).some(({ name }) => !isReadme(name));
  return lazyObject(load, {
    // Each question asks what was learned about it, and most projects have learned nothing.
    search: async (...question) => await hasNone() ? [] : await (await load()).search(...question),
  });
}

function isReadme(name: string): boolean {
  return /^readme\.md$/i.test(name);
}
