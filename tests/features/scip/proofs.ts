/** What index files of the languages' own indexers prove, where a test writes one. */
import { ProofStore } from "../../../src/features/scip/proof_store.ts";
import { ScipSource } from "../../../src/features/scip/scip_source.ts";
import type { CodeIndex } from "../../../src/index/index_api.ts";

/** Reads the file `index.scip` of a project. */
export function createProofs(projectRoot: string, index: CodeIndex, waitMs = 30_000): ProofStore {
  const source = new ScipSource({
    projectRoot,
    loadPaths: () => Promise.resolve(["index.scip"]),
    waitMs,
  });
  return new ProofStore({ projectRoot, index, source });
}
