/** One short random walk, always the same one; `WALK_SEED=n` repeats another, and the slow suite takes new ones. */
import { readWalkSeeds, runWalk } from "../support/walk_run.ts";

for (const seed of Deno.env.has("WALK_SEED") ? readWalkSeeds(1) : [2_137_504_556]) {
  Deno.test(`a random walk of agent, person, git and kills loses nothing (WALK_SEED=${seed})`, async () => {
    await runWalk(seed, { actions: 20 });
  });
}
