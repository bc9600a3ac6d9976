/** Progress notifications of one call: only where the client asked, at most four a second. */
import type { ToolContext } from "./tool.ts";

/** A notification as the protocol wants it. */
interface ProgressNotification {
  readonly method: "notifications/progress";
  readonly params: {
    progressToken: string | number;
    progress: number;
    total?: number;
    message?: string;
  };
}

const MIN_PAUSE_MS = 250;

/** Makes the `progress` of a tool's context; without a token it does nothing. */
export function createProgress(
  token: string | number | undefined,
  notify: (notification: ProgressNotification) => Promise<void>,
): ToolContext["progress"] {
  if (token === undefined) return () => {};
  let lastAtMs = -MIN_PAUSE_MS;
  let lastDone = -1;
  return (done, total, message) => {
    const nowMs = performance.now();
    // The protocol wants values that grow; a step back is not worth a message.
    if (nowMs - lastAtMs < MIN_PAUSE_MS || done <= lastDone) return;
    lastAtMs = nowMs;
    lastDone = done;
    const params = {
      progressToken: token,
      progress: done,
      ...(total === null ? {} : { total }),
      message,
    };
    notify({ method: "notifications/progress", params }).catch(() => {});
  };
}
