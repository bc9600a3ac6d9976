/** What was learned, loaded where there is something of it, and where a session adds to it. */
import { join } from "node:path";
import { SYSTEM_CLOCK } from "../../base/clock.ts";
import { Late, later } from "../../base/later.ts";
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
  const late = new Late<Learning>(() => loadLearning(parts));
  const learning = later(late, {
    note: true,
    recall: true,
    countTroubled: true,
    amendLast: true,
    addSuggestion: true,
    search: true,
    checkMap: true,
    readOutcomes: true,
    listLearned: true,
  });
  const folder = join(parts.codeIntelDir, "agreements");
  const hasNone = async () =>
    late.opened === undefined && !(await listOwnFolder(folder)).some(({ name }) => !isReadme(name));
  return {
    ...learning,
    // Each question asks what was learned about it, and most projects have learned nothing.
    search: async (...question) => await hasNone() ? [] : await learning.search(...question),
  };
}

function isReadme(name: string): boolean {
  return /^readme\.md$/i.test(name);
}
