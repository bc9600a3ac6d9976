/** A worker that does what the text of a file says: hangs, crashes, fails, or analyses it. */
import { runJob } from "../../src/analysis/analyser.ts";
import type { AnalysisJob } from "../../src/analysis/analyser.ts";
import { analysePlainly } from "./plain_analysis.ts";

const scope = self as unknown as {
  onmessage: (event: MessageEvent<AnalysisJob>) => void;
  postMessage(value: unknown): void;
};

let last: Promise<void> = Promise.resolve();

scope.onmessage = ({ data }) => {
  last = last.then(() => work(data));
};

async function work(job: AnalysisJob): Promise<void> {
  const text = new TextDecoder().decode(job.bytes);
  if (text === "hang") await hang();
  if (text === "crash") throw new Error("crashed on purpose");
  const analyse: typeof analysePlainly = (content, options) =>
    text === "fail"
      ? Promise.reject(new Error("failed on purpose"))
      : analysePlainly(content, options);
  scope.postMessage(await runJob(job, analyse));
}

/** Gives no answer any more. It does not compute for ever: Deno 2.9 lets a thread go on that was ended meanwhile. */
function hang(): Promise<never> {
  const endMs = performance.now() + 3_000;
  while (performance.now() < endMs);
  return new Promise(() => {});
}
