/** What the figures are compared with, what is missed, and where it stands instead. Pure. */
import { toTestName } from "../../src/language/test_names.ts";
import { toMean } from "../retrieval/metric.ts";
import type { MeasuredCommit } from "./measure.ts";
import type { Ranker, Score } from "./score.ts";
import { scoreComplete, scoreLocalise } from "./score.ts";

/** What the program should reach over all commits. */
export const AIMS = { complete: { recall: 0.85, ndcg: 0.75 }, localise: { ndcg: 0.7 } } as const;

/** The ways that are compared with the aims, of each question by the table and left out. */
export interface Compared {
  readonly complete: readonly [table: Ranker, leftOut: Ranker];
  readonly localise: readonly [table: Ranker, leftOut: Ranker];
}

/** The rows of the table of aims: figure, aim, reached, reached with one repository left out. */
export function toAimRows(
  measured: readonly MeasuredCommit[],
  { complete, localise }: Compared,
): readonly (readonly string[])[] {
  const searched = measured.filter(({ localise }) => localise !== null);
  const completed = complete.map((rank) => scoreComplete(measured, rank));
  const found = localise.map((rank) => scoreLocalise(searched, rank));
  const toRow = (name: string, aim: number, scores: readonly Score[], key: keyof Score) => [
    name,
    aim.toFixed(2),
    ...scores.map((score) =>
      `${score[key].toFixed(3)} (${score[key] < aim ? "missed" : "reached"})`
    ),
  ];
  return [
    toRow("*complete*, recall@10", AIMS.complete.recall, completed, "recall"),
    toRow("*complete*, NDCG@10", AIMS.complete.ndcg, completed, "ndcg"),
    toRow("*localise*, NDCG@10", AIMS.localise.ndcg, found, "ndcg"),
  ];
}

const DEPTHS = [10, 20, 50] as const;

/** Where the other files stand that had to change, and which of them are not among the first ten. */
export function toMissedText(measured: readonly MeasuredCommit[]): string {
  const rows = measured.map(({ row, likely }) => {
    const truth = row.files.filter((path) => path !== row.primary);
    const places = new Map(likely.map(({ path }, at) => [path, at]));
    return { truth, toPlace: (path: string) => places.get(path) ?? Infinity };
  });
  const share = (depth: number) =>
    toMean(
      rows.map(({ truth, toPlace }) =>
        truth.filter((path) => toPlace(path) < depth).length / truth.length
      ),
    ).toFixed(3);
  const missed = rows.flatMap(({ truth, toPlace }) => truth.filter((path) => toPlace(path) >= 10));
  const tests = missed.filter((path) => toTestName(path) !== null).length;
  const depths = DEPTHS.map((depth) => `${share(depth)} among the first ${depth}`).join(", ");
  return `Of the other files of a commit, ${depths}, and ${
    share(Number.MAX_VALUE)
  } are ranked at all, which is the most that another order could reach. Of the ${missed.length} files that are missed, ${tests} are tests and ${
    missed.length - tests
  } sources.`;
}
