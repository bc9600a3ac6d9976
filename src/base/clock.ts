/** Time as a dependency, so that sessions and tests can hold their own. */

/** Where the present time comes from. */
export interface Clock {
  /** The present moment. */
  now(): Date;
}

/** Milliseconds of a day. */
export const DAY_MS = 24 * 60 * 60 * 1000;

/** The clock of the machine. */
export const SYSTEM_CLOCK: Clock = { now: () => new Date() };
