/** What runs of the tests showed of a change: the tests that ran what changes, and callers that no rule of the language finds. */
import { getOrInsert } from "../base/once.ts";
import { placeCall } from "../explore/names/seen_calls.ts";
import type { IndexView, SymbolHit } from "../index/read/view.ts";
import type { FunctionName, SeenExtent, SeenState, SeenTest } from "../index/seen_runs.ts";
import { formatTestTitle, isWholeExtent } from "../index/seen_runs.ts";
import type { Edge, Seeds } from "./affected.ts";
import { isCallable } from "./symbol_shape.ts";

/** What was seen of the functions that change. */
export interface SeenChange {
  readonly extent: SeenExtent;
  /** Every test that ran what changes is known, in the present state of all other files. */
  readonly isComplete: boolean;
  /** Some of it ran while modules were loaded, and in no test: any test that loads them may depend on it. */
  readonly isAtImport: boolean;
  /** Nearest first. */
  readonly tests: readonly SeenTest[];
  /** Tests that ran what calls a function that no record knows, as it does not know a new one. */
  readonly callerTests: readonly SeenTest[];
  /** Calls from code outside of the targets and of tests that no resolved edge shows. */
  readonly edges: readonly Edge[];
}

/** What was seen of the tests of a change. */
export interface SeenTestsOfChange extends Omit<SeenChange, "edges"> {
  /** Files of tests that the command runs: the nearest. */
  readonly run: number;
}

/** Why a file of tests is to be run. */
export interface AffectedTests {
  readonly file: string;
  /**
   * `seen`: tests of it ran what changes; `caller`: they ran what calls a function that no record knows; `resolved`: a proven link leads there;
   * `name`: only its name does.
   */
  readonly proof: "seen" | "caller" | "resolved" | "name";
  /** How many tests of it ran what changes; absent where none was seen. */
  readonly tests?: number;
  /** Names of the nearest of them, without the file. */
  readonly nearest?: readonly string[];
  /** Present where neighbouring tests were recorded together: one of them ran it, perhaps not each. */
  readonly neighbours?: true;
}

/** Functions of which tests are looked up. */
const MAX_FUNCTIONS = 2_000;
/** Functions of which callers are looked up. */
const MAX_CALLEES = 200;
const MAX_NEAREST = 3;
/** Files of tests of one command, where the nearest are known: so many show a failure soon (guessed). */
export const MAX_RUN_FILES = 30;

/** Looks up what was seen of a change; null where no function changes, of which alone runs tell. */
export function findSeen(
  state: SeenState,
  { view, targets, seeds, edges, isTest, list }: {
    readonly view: Pick<IndexView, "listSymbols">;
    readonly targets: readonly string[];
    readonly seeds: Seeds;
    readonly edges: readonly Edge[];
    readonly isTest: (path: string) => boolean;
    /** Files of the project. */
    readonly list: readonly string[];
  },
): SeenChange | null {
  const known = new Map<string, readonly SymbolHit[]>();
  const symbolsOf = (path: string) => getOrInsert(known, path, () => view.listSymbols(path));
  const functions = listFunctions(seeds, symbolsOf).slice(0, MAX_FUNCTIONS);
  if (functions.length === 0) return null;
  const found = state.findTests(functions);
  const there = new Set(list);
  const shown = edges.filter(({ depth, confidence }) => depth === 1 && confidence === "resolved");
  const fresh = functions.filter((_, at) => found.functions[at]?.seen === "not recorded")
    .map(({ name }) => name);
  const callers = shown.flatMap(({ path, symbol, within: name }) =>
    name === undefined || !fresh.includes(symbol) ? [] : [{ path, name }]
  );
  const called = functions.slice(0, MAX_CALLEES).flatMap((callee) =>
    state.findCallers(callee).flatMap((call): readonly Edge[] => {
      const { path, name } = call.caller;
      const place = targets.includes(path) || isTest(path)
        ? null
        : placeCall(call, symbolsOf(path));
      if (place === null) return [];
      const { isExact: _exact, near: _near, ...at } = place;
      const isShown = shown.some((edge) =>
        edge.path === path && (edge.line === at.line || edge.within === name)
      );
      const edge = { ...at, kind: "call", confidence: "seen", depth: 1 } as const;
      return isShown ? [] : [{ ...edge, symbol: callee.name }];
    })
  );
  const isAtImport = found.functions.some(({ seen }) => seen === "run at import");
  return {
    extent: state.extent,
    isAtImport,
    // What is no function is used by code of which nothing was asked.
    isComplete: !isAtImport && isWholeExtent(state.extent, targets) &&
      seeds.symbols.every(isCallable) &&
      found.functions.every(({ seen }) => seen !== "not recorded") &&
      // Of neighbours that were recorded together some may not have run it.
      found.tests.every(({ file, unit }) => there.has(file) && unit !== "group"),
    tests: found.tests,
    callerTests: callers.length === 0 ? [] : state.findTests(callers).tests,
    edges: [...Map.groupBy(called, ({ path, line }) => `${line} ${path}`).values()]
      .flatMap((same) => same.slice(0, 1)),
  };
}

/** The functions that change: those named, those of a type that is named, and all of a whole file. */
function listFunctions(
  { symbols, files }: Seeds,
  symbolsOf: (path: string) => readonly SymbolHit[],
): readonly FunctionName[] {
  const bySeed = Map.groupBy(symbols, ({ path }) => path);
  return [...new Set([...files, ...bySeed.keys()])].flatMap((path) => {
    const seeds = bySeed.get(path) ?? [];
    const changes = ({ qualifiedName: name }: SymbolHit) =>
      files.includes(path) ||
      seeds.some((seed) =>
        name === seed.qualifiedName || name.startsWith(`${seed.qualifiedName}.`)
      );
    const names = [...symbolsOf(path).filter(changes), ...seeds].filter(isCallable)
      .map(({ qualifiedName }) => qualifiedName);
    return [...new Set(names)].map((name) => ({ path, name }));
  });
}

/** The edges with those that were seen; a place that only bears the name is proved by the call that was seen there. */
export function addSeenEdges(edges: readonly Edge[], seen: readonly Edge[]): readonly Edge[] {
  const proved = new Set(seen.map(({ path, line }) => `${line} ${path}`));
  const rest = edges.filter(({ path, line, depth, confidence }) =>
    depth > 1 || confidence !== "name" || !proved.has(`${line} ${path}`)
  );
  return [...rest, ...seen];
}

/** Files of tests that still exist, nearest first: those seen to run what changes, then those that links and names lead to. */
export function listAffectedTests(
  seen: Pick<SeenChange, "tests" | "callerTests"> | null,
  { tests, edges, list }: {
    /** By links and names. */
    readonly tests: readonly string[];
    readonly edges: readonly Edge[];
    readonly list: readonly string[];
  },
): readonly AffectedTests[] {
  const there = new Set(list);
  const linked = new Set(
    edges.flatMap(({ path, confidence }) => confidence === "resolved" ? [path] : []),
  );
  const rows = new Map<string, AffectedTests>();
  for (const proof of ["seen", "caller"] as const) {
    const found = (proof === "seen" ? seen?.tests : seen?.callerTests) ?? [];
    for (const [file, own] of Map.groupBy(found, (test) => test.file)) {
      const named = own.filter(({ unit }) => unit !== "file").slice(0, MAX_NEAREST);
      const isGroup = own.some(({ unit }) => unit === "group");
      const row = {
        ...{ file, proof, tests: own.length, nearest: named.map(formatTestTitle) },
        ...(isGroup ? { neighbours: true as const } : {}),
      };
      if (there.has(file) && !rows.has(file)) rows.set(file, row);
    }
  }
  return [
    ...rows.values(),
    ...tests.filter((file) => !rows.has(file)).map((file): AffectedTests => ({
      file,
      proof: linked.has(file) ? "resolved" : "name",
    })),
  ];
}
