/** The one way in which a proof fails. */

/**
 * Ends the proof unless the condition holds.
 *
 * @throws {Error} with what was expected.
 */
export function expect(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(`not as expected: ${what}`);
}
