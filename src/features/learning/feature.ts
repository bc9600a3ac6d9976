/** What learning adds to the program: sessions leave behind what they were and became, and the next ones are told of it. */
import type { Feature } from "../../cli/command.ts";

/** The row. */
export const LEARNING_FEATURE: Feature = {
  name: "learning",
  commands: [
    {
      name: "outcome",
      summary: "Record by hand how a piece of work turned out",
      load: async () => (await import("./outcome_command.ts")).OUTCOME,
    },
    {
      name: "stats",
      summary: "Show what was learned: outcomes, and where work fails",
      load: async () => (await import("./stats_command.ts")).STATS,
    },
  ],
  openLearning: async (parts) => (await import("./open_learning.ts")).openLearning(parts),
};
