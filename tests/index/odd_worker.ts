/** A worker that does what the text of a file says: hangs, crashes, fails, or analyses it. */
import { runJob } from "../../src/index/analyser.ts";
import type { AnalysisJob } from "../../src/index/analyser.ts";
import { analysePlainly } from "./plain_analysis.ts";

const scope = self as unknown as {
  onmessage: (event: MessageEvent<AnalysisJob>) => void;
  postMessage(value: unknown): void;
};

scope.onmessage = (event) => {
  const text = new TextDecoder().decode(event.data.bytes);
  if (text === "hang") { while (text.length > 0); }
  if (text === "crash") throw new Error("crashed on purpose");
  const analyse: typeof analysePlainly = (content, options) =>
    text === "fail"
      ? Promise.reject(new Error("failed on purpose"))
      : analysePlainly(content, options);
  void runJob(event.data, analyse).then((result) => scope.postMessage(result));
};
