/** A thread that does what its calls name, in place of one that asks a store. */
import type { ThreadAsk, ThreadSays } from "../../../../src/features/hub/answers/answer_threads.ts";

const scope = self as unknown as {
  onmessage: (event: MessageEvent<ThreadAsk>) => void;
  postMessage(value: ThreadSays): void;
};
const thread = crypto.randomUUID();
const GIGABYTE = 1024 ** 3;

scope.onmessage = ({ data }) => {
  if (data.kind === "start") {
    if (data.place.database === "none") throw new Error("it does not start");
    scope.postMessage({ kind: "ready" });
    return;
  }
  if (data.name === "crash") throw new Error("it crashed");
  if (data.name === "hang") return;
  const { ms = 0 } = data.raw as { readonly ms?: number };
  setTimeout(() => {
    scope.postMessage({
      kind: "answer",
      answer: { isOk: true, text: JSON.stringify({ thread, name: data.name }) },
      heapBytes: data.name === "grow" ? GIGABYTE : 0,
    });
  }, ms);
};
