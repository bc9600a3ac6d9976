/** What the past says of each file: together with the targets, how often and for this kind of request. It depends on its arguments alone. */
import { once } from "../../base/once.ts";
import type { Deed, Past } from "../../history/past.ts";
import type { QuestionPast } from "../../history/question_past.ts";
import { HALF_LIFE, toWeight } from "../../history/together.ts";
import type { LikelyFeatures } from "./feature_table.ts";

/** How one file and the targets lived together, for the reason that is shown. */
export interface SharedPast {
  /** Commits that changed both, of those that changed a target. */
  readonly times: number;
  readonly of: number;
}

/** The past, as far as one question needs it. */
export interface AskedPast {
  readonly past: Past;
  /** The past, asked with the request. */
  readonly voice: QuestionPast;
}

/** What the past says of one file. */
export interface PastView {
  readonly features: LikelyFeatures;
  readonly shared: SharedPast | null;
}

// Added to counts, so that one commit is no certainty.
const DOUBT = { mostly: 3, lift: 2, kind: 0.05, habit: 3 };
// A file that changed with the targets 150 times as often as by chance has 1.
const LOG_LIFT = 5;
const HABIT_COMMITS = 60;

/** What the past says of files that changed together with the targets, by path. */
export function viewPast(
  { past, voice: { nearness } }: AskedPast,
  targets: readonly string[],
): ReadonlyMap<string, PastView> {
  const places = [...new Set(targets.flatMap((path) => past.byPath.get(path) ?? []))];
  const sums = new Map<string, Sums>();
  let near = 0;
  for (const place of places) {
    const deed = past.deeds[place];
    if (deed === undefined) continue;
    const likeness = toWeight(deed.changed, place, HALF_LIFE) * (nearness.get(place) ?? 0);
    near += likeness;
    for (const path of deed.paths) {
      const sum = once(
        sums,
        path,
        () => ({ near: 0, nearest: 0, times: 0, last: place }),
      );
      sum.near += likeness;
      sum.nearest = Math.max(sum.nearest, likeness);
      sum.times += 1;
      sum.last = Math.min(sum.last, place);
    }
  }
  for (const path of targets) sums.delete(path);
  return new Map([...sums].map(([path, sum]): [string, PastView] => {
    const own = past.byPath.get(path)?.length ?? 0;
    const chance = (places.length + DOUBT.lift) * (own + DOUBT.lift) / past.deeds.length;
    return [path, {
      features: {
        lift: Math.log1p(sum.times / chance) / LOG_LIFT,
        mostly: sum.times / (DOUBT.mostly + own),
        alike: sum.nearest,
        kind: sum.near / (near + DOUBT.kind),
        last_time: 1 / Math.log2(2 + sum.last),
      },
      shared: { times: sum.times, of: places.length },
    }];
  }));
}

interface Sums {
  near: number;
  nearest: number;
  times: number;
  /** The place of the last common commit. */
  last: number;
}

/** How often tests change with the targets, from 0 to 1; where these changed seldom, with any code. */
export function toTestHabit(
  past: Past,
  targets: readonly string[],
  { isTest, isCode }: {
    readonly isTest: (path: string) => boolean;
    readonly isCode: (path: string) => boolean;
  },
): number {
  const hasTest = ({ paths }: Deed) => paths.some(isTest);
  const work = past.deeds.slice(0, 10 * HABIT_COMMITS).filter(({ paths }) => {
    const code = paths.filter(isCode);
    return code.length > 1 && !code.every(isTest);
  });
  const usual = (work.filter(hasTest).length + 2) / (work.length + 4);
  const own = [...new Set(targets.flatMap((path) => past.byPath.get(path) ?? []))]
    .slice(0, HABIT_COMMITS).flatMap((place) => past.deeds[place] ?? []);
  return (own.filter(hasTest).length + DOUBT.habit * usual) / (own.length + DOUBT.habit);
}
