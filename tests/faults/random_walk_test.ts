/** One short random walk, always the same one; the slow suite has long ones. */
import { runWalk } from "../support/walk_run.ts";
import { testNeeding } from "../support/needs.ts";

const SEED = 2_137_504_556;

testNeeding(
  ["terminal"],
  `a random walk of agent, person, git and kills loses nothing (WALK_SEED=${SEED})`,
  async () => {
    await runWalk(SEED, { actions: 20 });
  },
);
