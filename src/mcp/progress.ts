/**
 * Sends progress notifications of one call, at most four a second, and only where the client asked
 * for them. A call that reports nothing itself sends a sign of life each second, so that the client
 * does not give it up.
 */
import type { ToolContext } from "../tools/tool.ts";

/** A progress notification in the form of the protocol. */
interface ProgressNotification {
  readonly method: "notifications/progress";
  readonly params: {
    progressToken: string | number;
    progress: number;
    total?: number;
    message?: string;
  };
}

/** The progress of one call. */
export interface CallProgress {
  readonly report: ToolContext["progress"];
  /** Ends the signs of life, because no notification may follow the result. */
  readonly stop: () => void;
}

const MIN_PAUSE_MS = 250;
const ALIVE_MS = 1000;
/**
 * How much a sign of life raises the progress value: the protocol wants values that grow, and no
 * work was done.
 */
const ALIVE_STEP = 0.001;

/**
 * Makes the `progress` of a tool's context; without a token it does nothing.
 *
 * @param aliveMs Pause between signs of life.
 */
export function createProgress(
  token: string | number | undefined,
  notify: (notification: ProgressNotification) => Promise<void>,
  { aliveMs = ALIVE_MS }: { readonly aliveMs?: number } = {},
): CallProgress {
  if (token === undefined) return { report: () => {}, stop: () => {} };
  const startedAtMs = performance.now();
  let last = { atMs: startedAtMs - MIN_PAUSE_MS, done: -1, total: null as number | null, text: "" };
  let isOver = false;
  const send = (done: number, total: number | null, message: string) => {
    const params = {
      progressToken: token,
      progress: done,
      ...(total === null ? {} : { total }),
      message,
    };
    notify({ method: "notifications/progress", params }).catch(() => {});
  };
  const timer = setInterval(() => {
    const nowMs = performance.now();
    const done = Math.max(last.done, 0) + ALIVE_STEP;
    if (nowMs - last.atMs < aliveMs || (last.total !== null && done > last.total)) return;
    last = { ...last, atMs: nowMs, done };
    const elapsed = `${Math.round((nowMs - startedAtMs) / 1000)} s`;
    send(last.done, last.total, last.text === "" ? `working, ${elapsed}` : last.text);
  }, aliveMs);
  return {
    report: (done, total, message) => {
      const nowMs = performance.now();
      // A value that does not grow is not sent, because the protocol forbids it.
      if (isOver || nowMs - last.atMs < MIN_PAUSE_MS || done <= last.done) return;
      last = { atMs: nowMs, done, total, text: message };
      send(done, total, message);
    },
    stop: () => {
      isOver = true;
      clearInterval(timer);
    },
  };
}
