/** Calls of a symbol that were seen in runs of the tests: they prove places that only bear its name, and stand where no text names it. */
import type { IndexView, SymbolHit } from "../../index/read/view.ts";
import type { SeenCall, SeenState } from "../../index/seen_runs.ts";
import { isCallable } from "../../language/kinds.ts";
import type { ReferencePlace } from "./reference_spots.ts";

/** A definition with very many namesakes is asked about by a scope. */
const MAX_CALLEES = 50;
/** A call over several lines is seen on one of them and named on another (guessed). */
const NEAR_LINES = 2;

/** A call that was seen, where it stands now. */
interface PlacedCall {
  readonly path: string;
  /** Its line, or where its file has changed since the head of its function. */
  readonly line: number;
  readonly isExact: boolean;
  /** The function; absent at the top of a file. */
  readonly within?: string;
  /** Lines on which it may be named. */
  readonly near: readonly [first: number, last: number];
}

/** Finds the place of a call among the definitions of its file; null where it has none any more. */
export function placeCall(
  { caller: { path, name }, line: seen, isCurrent }: SeenCall,
  own: readonly SymbolHit[],
): PlacedCall | null {
  const holder = own.find((hit) => hit.qualifiedName === name);
  const isExact = isCurrent && seen !== null;
  const line = isExact ? seen : holder?.line;
  if (line === undefined) return null;
  const { startLine, endLine } = holder ?? { startLine: line, endLine: line };
  const near = isExact
    ? [line - NEAR_LINES, line + NEAR_LINES] as const
    : [startLine, endLine] as const;
  return { path, line, isExact, near, ...(holder === undefined ? {} : { within: name }) };
}

/** The places, some proved by a call that was seen there, and a place of kind `seen` for each call that none of them shows. */
export function addSeenCalls(
  spots: readonly ReferencePlace[],
  state: SeenState,
  { view, callees, covers }: {
    readonly view: Pick<IndexView, "listSymbols">;
    readonly callees: readonly SymbolHit[];
    readonly covers: (path: string) => boolean;
  },
): readonly ReferencePlace[] {
  const byPath = Map.groupBy(spots, ({ path }) => path);
  const added = new Map<string, ReferencePlace>();
  const proved = new Map<ReferencePlace, string>();
  const asked = callees.filter(({ kind }) => isCallable(kind)).slice(0, MAX_CALLEES);
  for (const { path: file, qualifiedName: name, line: head } of asked) {
    const definedAt = `${file}:${head}`;
    for (const call of state.findCallers({ path: file, name })) {
      const place = covers(call.caller.path)
        ? placeCall(call, view.listSymbols(call.caller.path))
        : null;
      if (place === null) continue;
      const { isExact, near: [first, last], ...at } = place;
      const named = (byPath.get(at.path) ?? []).filter(({ kind, line }) =>
        kind !== "import" && first <= line && line <= last
      );
      const exact = named.find(({ line, confidence }) =>
        isExact && line === at.line && confidence === "name"
      );
      if (exact !== undefined) proved.set(exact, definedAt);
      const spot = { ...at, column: 1, kind: "seen", confidence: "seen", definedAt } as const;
      if (named.length === 0) added.set(`${at.line} ${at.path}`, spot);
    }
  }
  const told = spots.map((spot): ReferencePlace => {
    const definedAt = proved.get(spot);
    return definedAt === undefined ? spot : { ...spot, confidence: "seen", definedAt };
  });
  return [...told, ...added.values()].sort((a, b) =>
    a.path === b.path ? a.line - b.line || a.column - b.column : a.path < b.path ? -1 : 1
  );
}
