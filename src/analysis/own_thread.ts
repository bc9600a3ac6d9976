/** Analyses contents in this thread: for a few of them, and in a process that ends with its answer. */
import type { Analyser } from "./analyser.ts";

/** Starts no thread, so that a single content is not kept waiting for one. What analyses is loaded with the first of them. */
export const OWN_THREAD: Analyser = {
  concurrency: 1,
  analyse: async (job) => {
    const [{ analyseText }, { runJob }] = await Promise.all([
      import("./analyse.ts"),
      import("./analyser.ts"),
    ]);
    return await runJob(job, analyseText);
  },
  close() {},
};
