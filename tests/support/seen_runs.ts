/** What runs of tests showed, as a small table: stands in for the feature that watches them. */
import type {
  FunctionName,
  SeenExtent,
  SeenFunction,
  SeenRuns,
  SeenTest,
} from "../../src/index/seen_runs.ts";

/** What a test ran, by the test's name `FILE::NAME`: functions as `PATH NAME`. */
export type RanBy = Readonly<Record<string, readonly string[]>>;

/** The records. */
export interface SeenSample {
  readonly ran: RanBy;
  /** Functions that were there and that no test ran. */
  readonly idle?: readonly string[];
  readonly loaded?: readonly string[];
  readonly extent?: Partial<SeenExtent>;
  /** Files of functions that have changed since. */
  readonly changed?: readonly string[];
}

/** Gives a feature row with these records. */
export function createSeen(
  { ran, idle = [], loaded = [], extent = {}, changed = [] }: SeenSample,
): { openRuns(): Promise<SeenRuns> } {
  const names = Object.keys(ran);
  const nameOf = ({ path, name }: FunctionName) => `${path} ${name}`;
  const tests = names.map((name): SeenTest => ({
    ...{ name, unit: "test", ms: 1, isCurrent: true },
    ...{ file: name.split("::")[0] ?? name, functions: ran[name]?.length ?? 0 },
  }));
  const known = Object.values(ran).flat();
  const judge = (one: string): SeenFunction =>
    known.includes(one)
      ? "run by tests"
      : loaded.includes(one)
      ? "run at import"
      : idle.includes(one)
      ? "not run"
      : "not recorded";
  const state = {
    extent: {
      ...{ recorded: names.length, counted: names.length, unit: "test", recordedAt: "" } as const,
      ...{ commit: null, commitsAgo: 0, changed, ...extent },
    },
    findTests: (functions: readonly FunctionName[]) => ({
      tests: tests.filter(({ name }) => functions.some((one) => ran[name]?.includes(nameOf(one))))
        .toSorted((a, b) => a.functions - b.functions),
      functions: functions.map((one) => ({
        seen: judge(nameOf(one)),
        isCurrent: !changed.includes(one.path),
      })),
    }),
    findCallers: () => [],
  };
  return { openRuns: () => Promise.resolve({ load: () => Promise.resolve(state) }) };
}
