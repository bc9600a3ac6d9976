/** The thread that answers for a hub, which crashes when it is asked for a certain name. */
import "../../../src/features/hub/answers/answer_worker.ts";

self.addEventListener("message", (event) => {
  if (JSON.stringify((event as MessageEvent).data).includes("crashNow")) throw new Error("crash");
});
