/** What follows names, loaded when a question follows one. */
import type { OpenedFacts, ProjectSources } from "./open_facts.ts";

/** Makes the facts of a project; the same as behind it in `open_facts.ts`. */
export async function openFacts(sources: ProjectSources): Promise<OpenedFacts> {
  return (await import("./open_facts.ts")).openFacts(sources);
}
