/** The composition root: one interface of interfaces, and the function that builds the real ones. */
import type { Explorer } from "./search/mod.ts";
import type { Workflow } from "./workflow/mod.ts";

/** What tools and commands get instead of ambient state. */
export interface Services {
  /** Absolute path of the project. */
  readonly projectRoot: string;
  readonly explorer: Explorer;
  readonly workflow: Workflow;
}
