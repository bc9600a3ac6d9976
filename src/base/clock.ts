/** Time as a dependency, so that sessions and tests can hold their own. */

/** What work gives; null where it takes longer. It goes on then, and who needs it asks again, also after a failure. */
export async function waitAtMost<T>(work: Promise<T>, waitMs: number): Promise<T | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<null>((resolve) => timer = setTimeout(resolve, waitMs, null));
  // The race passes a failure on while it lasts; later ones have nobody who hears them.
  work.catch(() => {});
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}

/** Where the present time comes from. */
export interface Clock {
  /** The present moment. */
  now(): Date;
}

/** Milliseconds of a day. */
export const DAY_MS = 24 * 60 * 60 * 1000;

/** The clock of the machine. */
export const SYSTEM_CLOCK: Clock = { now: () => new Date() };
