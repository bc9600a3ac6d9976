/**
 * Turns of one process at what it shares with others, first come, first served. The system's locks of files know no
 * order: of many calls of one process that wait for one lock, some could wait until their time was over.
 */

/** One who waits for its turn. */
interface Waiter {
  readonly timeoutMs: number;
  /** When its time is over, in milliseconds of `performance.now()`; moved on whenever the holder changes. */
  endsAt: number;
  timer: ReturnType<typeof setTimeout> | undefined;
  /** Gets what is left of its time, in milliseconds, or null when it is over. */
  readonly resolve: (leftMs: number | null) => void;
}

/** A moment in which another process that waits for the same lock comes in between. */
const HANDOVER_MS = 2;

/** Those who wait, by the name of what they wait for; there is a line while somebody has the turn. */
const lines = new Map<string, Waiter[]>();

/**
 * Waits for the turn at `name`. The time counts anew whenever the turn is passed on by one who did its work: it limits how
 * long one holder is waited for, not how many wait before.
 *
 * @returns milliseconds that are left to wait for other processes; null when the time was over before the turn came.
 */
export async function takeTurn(name: string, timeoutMs: number): Promise<number | null> {
  const line = lines.get(name);
  if (line === undefined) {
    lines.set(name, []);
    return timeoutMs;
  }
  return await new Promise((resolve) => {
    const waiter: Waiter = {
      timeoutMs,
      endsAt: performance.now() + timeoutMs,
      timer: undefined,
      resolve,
    };
    line.push(waiter);
    arm(line, waiter);
  });
}

/** Passes the turn on; `hasWorked` says whether its holder had what it waited for. */
export function passTurn(name: string, hasWorked: boolean): void {
  const line = lines.get(name) ?? [];
  const next = line.shift();
  if (next === undefined) {
    lines.delete(name);
    return;
  }
  clearTimeout(next.timer);
  const now = performance.now();
  const leftMs = hasWorked ? next.timeoutMs : Math.max(next.endsAt - now, 0);
  if (hasWorked) {
    for (const waiter of line) {
      waiter.endsAt = now + waiter.timeoutMs;
      arm(line, waiter);
    }
  }
  setTimeout(() => next.resolve(leftMs), HANDOVER_MS);
}

function arm(line: Waiter[], waiter: Waiter): void {
  clearTimeout(waiter.timer);
  waiter.timer = setTimeout(() => {
    line.splice(line.indexOf(waiter), 1);
    waiter.resolve(null);
  }, Math.max(0, waiter.endsAt - performance.now()));
}
