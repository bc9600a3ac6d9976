/** Analyses contents away from the thread that answers; one job after the other, until it is ended. */
import { analyseText } from "./analyse.ts";
import { runJob } from "./analyser.ts";
import type { AnalysisJob } from "./analyser.ts";

const scope = self as unknown as {
  onmessage: (event: MessageEvent<AnalysisJob>) => void;
  postMessage(value: unknown): void;
};

let last: Promise<void> = Promise.resolve();

scope.onmessage = ({ data }) => {
  // It never rejects: what goes wrong is a result with a reason. The pool takes results in the order of its jobs.
  last = last.then(async () => scope.postMessage(await runJob(data, analyseText)));
};
