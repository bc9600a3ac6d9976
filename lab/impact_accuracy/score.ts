/** Compares what was answered with what is true. Pure. */

/** Sums over all definitions of a run. */
export interface Score {
  /** Share of what was answered that is true, over all answers together. */
  readonly precision: number;
  /** Share of what is true that was answered. */
  readonly recall: number;
  readonly answered: number;
  readonly wanted: number;
}

/** One answer beside the truth. */
export interface Compared {
  readonly answered: ReadonlySet<string>;
  readonly wanted: ReadonlySet<string>;
}

/** Precision and recall over all answers together; nothing wanted and nothing answered is right. */
export function toScore(rows: readonly Compared[]): Score {
  let [right, answered, wanted] = [0, 0, 0];
  for (const row of rows) {
    right += row.answered.intersection(row.wanted).size;
    answered += row.answered.size;
    wanted += row.wanted.size;
  }
  return {
    precision: answered === 0 ? 1 : right / answered,
    recall: wanted === 0 ? 1 : right / wanted,
    answered,
    wanted,
  };
}
