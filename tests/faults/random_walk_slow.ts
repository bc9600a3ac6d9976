/** Random walks, always the same ones; `deno task walk` takes new ones, `WALK_SEED=n` repeats one. */
import { testNeeding } from "../support/needs.ts";
import { runWalk, toWalkSeeds } from "../support/walk/run.ts";

const SEED = 2_137_504_556;

testNeeding(
  ["terminal"],
  `a random walk of agent, person, git and kills loses nothing (WALK_SEED=${SEED})`,
  async () => {
    await runWalk(SEED, { actions: 20 });
  },
);

/** It once showed that a session's commit took back what the person had committed. */
const SEEDS = [2_145_032_347];

for (const seed of toWalkSeeds(SEEDS)) {
  testNeeding(
    ["terminal"],
    `a long random walk of agent, person, git and kills loses nothing (WALK_SEED=${seed})`,
    async () => {
      await runWalk(seed, { actions: 60 });
    },
  );
}
