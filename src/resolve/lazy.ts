/** What follows names, loaded when a question follows one. */
import type { FactSources, FactStore } from "./fact_store.ts";

/** Makes the facts of a project; nothing is read before the first question. */
export async function openFacts(sources: FactSources): Promise<FactStore> {
  const { FactStore } = await import("./fact_store.ts");
  return new FactStore(sources);
}
