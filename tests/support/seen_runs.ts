/** What runs of tests showed, as a small table: stands in for the feature that watches them. */
import type {
  FunctionName,
  SeenCall,
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
  readonly calls?: readonly (readonly [caller: string, callee: string, line: number | null])[];
  /** Called at each look. */
  readonly onLoad?: () => void;
}

/** Gives a feature row with these records. */
export function createSeen(sample: SeenSample): { openRuns(): Promise<SeenRuns> } {
  return { openRuns: () => Promise.resolve(createSeenRuns(sample)) };
}

/** Gives the records themselves. */
export function createSeenRuns(
  { ran, idle = [], loaded = [], extent = {}, changed = [], calls = [], onLoad }: SeenSample,
): SeenRuns {
  const names = Object.keys(ran);
  const nameOf = ({ path, name }: FunctionName) => `${path} ${name}`;
  const tests = names.map((name): SeenTest => ({
    ...{ name, unit: "test", ms: 1, isCurrent: true },
    ...{ file: name.split("::")[0] ?? name, functions: ran[name]?.length ?? 0 },
  }));
  const count = ({ name }: SeenTest, functions: readonly FunctionName[]) =>
    functions.filter((one) => ran[name]?.includes(nameOf(one))).length;
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
      tests: tests.filter((test) => count(test, functions) > 0).toSorted((a, b) =>
        count(b, functions) - count(a, functions) || a.functions - b.functions
      ),
      functions: functions.map((one) => ({
        seen: judge(nameOf(one)),
        isCurrent: !changed.includes(one.path),
      })),
    }),
    findCallers: (callee: FunctionName) =>
      calls.filter(([, key]) => key === nameOf(callee)).map(([caller, , line]): SeenCall => {
        const [path = "", name = ""] = caller.split(" ");
        return { caller: { path, name }, line, isCurrent: !changed.includes(path) };
      }),
  };
  return {
    load: () => {
      onLoad?.();
      return Promise.resolve(state);
    },
  };
}
