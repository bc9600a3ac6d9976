/** Many long random walks; `WALK_SEED=n` repeats one. */
import { readWalkSeeds, runWalk } from "../support/walk_run.ts";

for (const seed of readWalkSeeds(5)) {
  Deno.test(`a long random walk of agent, person, git and kills loses nothing (WALK_SEED=${seed})`, async () => {
    await runWalk(seed, { actions: 60 });
  });
}
