/** Puts together what indexers of the languages proved of a project, from the parts of the core. */
import { LIMITS } from "../../base/settings/limits.ts";
import { ProjectModules } from "../../resolve/modules/project_modules.ts";
import type { ProofParts } from "../../services/extension.ts";
import type { Services } from "../../services/services_api.ts";
import type { ProofStatus } from "./proof_store.ts";
import { ProofStore } from "./proof_store.ts";
import { ScipSource } from "./scip_source.ts";

/** Makes it; nothing is read before the first question. */
export function openProofs({ projectRoot, settings, index, isBrief }: ProofParts): ProofStore {
  const source = new ScipSource({
    projectRoot,
    loadPaths: async () => (await settings.read()).config.values.scip_indexes,
    ...(isBrief ? { waitMs: LIMITS.answerMs.value } : {}),
  });
  return new ProofStore({ projectRoot, index, source });
}

/** What there is of index files; null where no index of the code was built, without which nothing of them is believed. */
export async function describeProofs(
  { parts, index, readIndexStatus }: Services,
): Promise<ProofStatus | null> {
  if (await readIndexStatus() === null) return null;
  const modules = new ProjectModules(parts.projectRoot).load(await index.listFiles({}));
  return await openProofs({ ...parts, index }).describe(modules);
}
