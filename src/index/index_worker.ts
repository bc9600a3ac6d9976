/** Analyses contents away from the thread that answers; one job at a time, until it is ended. */
import { analyseText } from "./analyse.ts";
import { runJob } from "./analyser.ts";
import type { AnalysisJob } from "./analyser.ts";

const scope = self as unknown as {
  onmessage: (event: MessageEvent<AnalysisJob>) => void;
  postMessage(value: unknown): void;
};

scope.onmessage = (event) => {
  // It never rejects: what goes wrong is a result with a reason.
  void runJob(event.data, analyseText).then((result) => scope.postMessage(result));
};
