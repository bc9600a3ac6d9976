/** Time as a dependency, so that sessions and tests can hold their own. */

/** Where the present time comes from. */
export interface Clock {
  /** The present moment. */
  now(): Date;
}

/** The clock of the machine. */
export const SYSTEM_CLOCK: Clock = { now: () => new Date() };
