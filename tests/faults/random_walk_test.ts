/** One short random walk, always the same one; the slow suite has long ones. */
import { runWalk } from "../support/walk_run.ts";

const SEED = 2_137_504_556;

Deno.test(`a random walk of agent, person, git and kills loses nothing (WALK_SEED=${SEED})`, async () => {
  await runWalk(SEED, { actions: 20 });
});
