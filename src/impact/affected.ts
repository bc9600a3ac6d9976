/** The words of the impact graph, and what it says: what must be looked at, what should be, and which tests are affected. Pure. */
import type { SymbolHit } from "../index/read/view.ts";
import { keepRunnable } from "../runners/narrow_run.ts";

/** What a place does with the symbol that changes. */
export type EdgeKind =
  | "call"
  | "import"
  | "type"
  | "read"
  | "write"
  /** A type is made from the changed one: extends, implements, includes. */
  | "inherit"
  /** A member that replaces the changed one in a subtype, or is replaced by it. */
  | "override"
  /** A page, a sheet or a script that names a class, an id or a view. */
  | "markup"
  /** A string, data or text that nothing reads names it; or code of which no rule says what it means. */
  | "text";

/** `resolved`: a rule of the language leads there; `name`: only the name is the same; `seen`: it happened in a run of the tests. */
export type Confidence = "resolved" | "name" | "seen";

/** One dependence: the place, what it is in, and what it depends on. */
export interface Edge {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  readonly kind: EdgeKind;
  readonly confidence: Confidence;
  /** Steps from the change, from 1. */
  readonly depth: number;
  /** Qualified name of the symbol that it depends on; of an import of a whole file, the file. */
  readonly symbol: string;
  /** Qualified name of the definition that holds the place; absent at the top of a file. */
  readonly within?: string;
  /** Qualified name of the member of a base that the place names: what replaces it is run there too. */
  readonly through?: string;
}

/** What changes. */
export interface Seeds {
  /** Symbols of the present and of removed code. */
  readonly symbols: readonly SymbolHit[];
  /** Files that change as a whole: who imports them depends on them. */
  readonly files: readonly string[];
}

/** The graph below the seeds. */
export interface Dependents {
  readonly edges: readonly Edge[];
  /** Places that may depend on a seed by their name alone, and lead nowhere for certain. */
  readonly unresolved: number;
  /** Places of code that bear the name of a seed, of which no rule says what they mean; none of the edges. */
  readonly loose: readonly Edge[];
  /** Whether an indexer of the language proved any of the edges. */
  readonly isProven: boolean;
  /** Why something was left out, in sentences. */
  readonly notices: readonly string[];
}

/** The places of an analysis. */
interface Placed {
  readonly files: readonly AffectedFile[];
  readonly own: readonly Edge[];
}

/** Files whose lines an analysis shows. */
export function listImpactFiles({ files, own }: Placed): readonly string[] {
  const placed = files.filter(({ edges }) => edges.length > 0);
  return [...new Set([...placed, ...own].map(({ path }) => path))];
}

/** The files stay, since something led to them; where in them is not said. */
export function removeImpactPlaces<Found extends Placed>(
  found: Found,
  changed: ReadonlySet<string>,
): Found {
  return {
    ...found,
    files: found.files.map((file) => changed.has(file.path) ? { ...file, edges: [] } : file),
    own: found.own.filter(({ path }) => !changed.has(path)),
  };
}

/** One file that depends on the change. */
export interface AffectedFile {
  readonly path: string;
  /** It has to be decided about: a proven link leads straight from it to the change, or it is likely. */
  readonly isMust: boolean;
  /** Name of the group in which it is decided about; absent for a file that stands by itself. */
  readonly group?: string;
  readonly isTest: boolean;
  /** Nearest and surest first. */
  readonly edges: readonly Edge[];
  /** Why it is here beside its edges: `test by name`, `document`, `css`. */
  readonly reasons: readonly string[];
}

/** Files that are found by something other than an edge, with the reason. */
export type NameMatches = readonly (readonly [path: string, reason: string])[];

/** What an answer is made of. */
export interface Affected {
  /** Those that must be verified first, then by distance and path. */
  readonly files: readonly AffectedFile[];
  /** Places in the targets themselves that use what changes, by path and line. */
  readonly own: readonly Edge[];
  /** Tests to run, nearest first: those that change, those named for it, direct users, then the rest. */
  readonly tests: readonly string[];
}

/**
 * Puts edges and other findings together, a file a row.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { rankAffectedFiles } from "./affected.ts";
 * const edge = { line: 1, kind: "call", confidence: "resolved", depth: 1, symbol: "login" } as const;
 * const { files, tests } = rankAffectedFiles({
 *   edges: [{ ...edge, path: "src/b.ts" }, { ...edge, path: "src/a.test.ts", depth: 2 }],
 *   targets: ["src/a.ts"],
 *   beside: [],
 *   namedTests: [],
 *   symbolTests: [],
 *   isWhole: true,
 *   isTest: (path) => path.includes(".test."),
 * });
 * deepEqual(files.map(({ path, isMust }) => [path, isMust]), [["src/b.ts", true], ["src/a.test.ts", false]]);
 * deepEqual(tests, ["src/a.test.ts"]);
 * ```
 */
export function rankAffectedFiles(input: {
  readonly edges: readonly Edge[];
  readonly targets: readonly string[];
  readonly beside: NameMatches;
  /** Tests named for the files that change. */
  readonly namedTests: readonly string[];
  /** Tests named for a symbol that changes: no reason to run them, but to run them early. */
  readonly symbolTests: readonly string[];
  /** Whole files change: what is named for them tests them, whatever it calls. */
  readonly isWhole: boolean;
  readonly isTest: (path: string) => boolean;
}): Affected {
  const targets = new Set(input.targets);
  const edges = Map.groupBy(input.edges, ({ path }) => path);
  const reasons = Map.groupBy(input.beside, ([path]) => path);
  const files = [...new Set([...edges.keys(), ...reasons.keys()])]
    .filter((path) => !targets.has(path))
    .map((path): AffectedFile => {
      const own = (edges.get(path) ?? []).toSorted(byNearness);
      return {
        path,
        isMust: own.some(({ depth, confidence }) => depth === 1 && confidence !== "name"),
        isTest: input.isTest(path),
        edges: own,
        reasons: [...new Set((reasons.get(path) ?? []).map(([, reason]) => reason))],
      };
    })
    .sort((a, b) =>
      Number(b.isMust) - Number(a.isMust) || measureDistance(a) - measureDistance(b) ||
      byName(a.path, b.path)
    );
  const own = input.edges.filter(({ path, depth }) => targets.has(path) && depth === 1)
    .toSorted((a, b) => byName(a.path, b.path) || a.line - b.line);
  return { files, own, tests: orderTests(input) };
}

/** Tests that a proven link leads to, targets that are tests, and those named for what nothing else tests; nearest first. */
function orderTests(input: Parameters<typeof rankAffectedFiles>[0]): readonly string[] {
  const depths = new Map<string, number>();
  for (const { path, depth, confidence } of input.edges) {
    if (confidence !== "resolved" || !input.isTest(path)) continue;
    depths.set(path, Math.min(depth, depths.get(path) ?? depth));
  }
  const linked = [...depths.keys()];
  const own = input.targets.filter(input.isTest);
  const named = input.isWhole || linked.length === 0 ? input.namedTests : [];
  const ranked = [own, input.namedTests, input.symbolTests].map((paths) => new Set(paths));
  const toRank = (path: string) => {
    const at = ranked.findIndex((paths) => paths.has(path));
    return at >= 0 ? at : ranked.length + (depths.get(path) ?? 0);
  };
  const all = [...new Set([...linked, ...own, ...named])];
  const runnable = new Set(keepRunnable(all));
  // What helps tests and is none itself comes after them.
  return all.sort((a, b) =>
    Number(runnable.has(b)) - Number(runnable.has(a)) || toRank(a) - toRank(b) || byName(a, b)
  );
}

function byName(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function byNearness(a: Edge, b: Edge): number {
  return a.depth - b.depth || Number(a.confidence === "name") - Number(b.confidence === "name") ||
    a.line - b.line;
}

function measureDistance({ edges }: AffectedFile): number {
  const [first] = edges;
  if (first === undefined) return 9;
  return first.depth + (first.confidence === "name" ? 0.5 : 0);
}
