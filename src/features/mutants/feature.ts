/** What mutants add to the program: small wrong versions of the changed lines, each of which a test should notice. */
import type { Feature } from "../../cli/command.ts";

/** The row. */
export const MUTANTS_FEATURE: Feature = {
  name: "mutants",
  commands: [],
  planMutants: async (input) => (await import("./plan_mutants.ts")).planMutants(input),
};
