/** What SCIP adds to the program: what the languages' own indexers proved goes before our rules. */
import type { Feature } from "../../cli/command.ts";

/** The row. */
export const SCIP_FEATURE: Feature = {
  name: "scip",
  commands: [],
  openProofs: async (parts) => (await import("./proof_store.ts")).openProofs(parts),
  checks: [{
    id: "scip",
    title: "SCIP index",
    run: async (services) => {
      const [{ describeProofs }, { checkScip }] = await Promise.all([
        import("./proof_store.ts"),
        import("./scip_check.ts"),
      ]);
      return checkScip(await describeProofs(services));
    },
  }],
};
