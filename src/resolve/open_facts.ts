/** Puts together what follows names: the facts of the index, and what indexers of the languages proved. */
import type { CodeIndex } from "../index/mod.ts";
import type { ScipSourceOptions } from "../scip/mod.ts";
import { ScipSource } from "../scip/mod.ts";
import type { FactSources } from "./fact_store.ts";
import { FactStore } from "./fact_store.ts";
import { ProofStore } from "./proof_store.ts";

/** What the facts of a project are read from. */
export interface ProjectSources extends Omit<FactSources, "proofs" | "index"> {
  readonly index: CodeIndex;
  /** Where index files of the languages' own indexers are named. */
  readonly scip: ScipSourceOptions;
}

/** What follows the names of a project. */
export interface OpenedFacts {
  readonly facts: FactStore;
  readonly proofs: ProofStore;
}

/** Makes the facts; nothing is read before the first question. */
export function openFacts({ scip, ...sources }: ProjectSources): OpenedFacts {
  const { projectRoot, index } = sources;
  const proofs = new ProofStore({ projectRoot, index, source: new ScipSource(scip) });
  return { proofs, facts: new FactStore({ ...sources, proofs }) };
}
