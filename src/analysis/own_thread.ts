/** Analyses contents in this thread: for a few of them, and in a process that ends with its answer. */
import { analyseText } from "./analyse.ts";
import type { Analyser } from "./analyser.ts";
import { runJob } from "./analyser.ts";

/** Starts no thread, so that a single content is not kept waiting for one. */
export const OWN_THREAD: Analyser = {
  concurrency: 1,
  analyse: (job) => runJob(job, analyseText),
  close() {},
};
