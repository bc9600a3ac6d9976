/** What the past says of each file: together with the targets, for this kind of request, and lately. It depends on its arguments alone. */
import type { Deed, Past, Voted } from "../../history/mod.ts";
import { HALF_LIFE, toWeight, YOUNG_COMMITS } from "../../history/mod.ts";
import { once } from "../../base/once.ts";
import type { LikelyFeature, LikelyFeatures } from "./feature_table.ts";

/** How one file and the targets lived together, for the reason that is shown. */
export interface SharedPast {
  /** Commits that changed both, of those that changed a target. */
  readonly times: number;
  readonly of: number;
}

/** The past, as far as one question needs it. */
export interface AskedPast {
  readonly past: Past;
  /** How near the message of a commit is to the request, by its place, from 0 to 1. */
  readonly nearness: ReadonlyMap<number, number>;
  /** Files for which the nearest messages vote, best first. */
  readonly votes: readonly Voted[];
}

/** What the past says of one file. */
export interface PastView {
  readonly features: LikelyFeatures;
  readonly shared: SharedPast | null;
}

// Added to counts, so that one commit is no certainty.
const DOUBT = { mostly: 3, kind: 0.05, habit: 3 };
const HABIT_COMMITS = 60;
const RECENT_COMMITS = 60;
const RECENT_HALF_LIFE = 8;

/** What the past says of files, by path; nothing where it is young. */
export function viewPast(
  { past, nearness, votes }: AskedPast,
  targets: readonly string[],
): ReadonlyMap<string, PastView> {
  const views = new Map<string, OpenView>();
  if (past.deeds.length < YOUNG_COMMITS) return views;
  const toView = (path: string) =>
    once(views, path, (): OpenView => ({ features: {}, shared: null }));
  addShared({ past, nearness, votes }, targets, toView);
  const most = votes[0]?.score ?? 1;
  for (const { path, score } of votes) toView(path).features.message = score / most;
  for (const [place, deed] of past.deeds.slice(0, RECENT_COMMITS).entries()) {
    for (const path of deed.paths) {
      const { features } = toView(path);
      features.recent ??= toWeight(deed.changed, place, RECENT_HALF_LIFE);
    }
  }
  for (const path of targets) views.delete(path);
  return views;
}

interface OpenView {
  readonly features: Partial<Record<LikelyFeature, number>>;
  shared: SharedPast | null;
}

interface Sums {
  weight: number;
  near: number;
  nearest: number;
  times: number;
}

function addShared(
  { past, nearness }: AskedPast,
  targets: readonly string[],
  toView: (path: string) => OpenView,
): void {
  const places = [...new Set(targets.flatMap((path) => past.byPath.get(path) ?? []))];
  const sums = new Map<string, Sums>();
  let near = 0;
  for (const place of places) {
    const deed = past.deeds[place];
    if (deed === undefined) continue;
    const weight = toWeight(deed.changed, place, HALF_LIFE);
    const likeness = weight * (nearness.get(place) ?? 0);
    near += likeness;
    for (const path of deed.paths) {
      const sum = sums.get(path) ?? { weight: 0, near: 0, nearest: 0, times: 0 };
      sum.weight += weight;
      sum.near += likeness;
      sum.nearest = Math.max(sum.nearest, likeness);
      sum.times += 1;
      sums.set(path, sum);
    }
  }
  for (const [path, sum] of sums) {
    const view = toView(path);
    view.shared = { times: sum.times, of: places.length };
    view.features.together = Math.log1p(4 * sum.weight);
    view.features.mostly = sum.times / (DOUBT.mostly + (past.byPath.get(path)?.length ?? 0));
    view.features.alike = sum.nearest;
    view.features.kind = sum.near / (near + DOUBT.kind);
  }
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
