/** Calls of a symbol that were seen in runs of the tests: they prove places that only bear its name, and stand where no text names it. */
import type { IndexView, SymbolHit } from "../../index/read/view.ts";
import type { SeenState } from "../../index/seen_runs.ts";
import { isCallable } from "../../language/kinds.ts";
import type { ReferencePlace } from "./reference_spots.ts";

/** A definition with very many namesakes is asked about by a scope. */
const MAX_CALLEES = 50;
/** A call over several lines is seen on one of them and named on another (guessed). */
const NEAR_LINES = 2;

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
  const calls = callees.filter(({ kind }) => isCallable(kind)).slice(0, MAX_CALLEES).flatMap(
    ({ path, qualifiedName, line: at }) =>
      state.findCallers({ path, name: qualifiedName }).filter(({ caller }) => covers(caller.path))
        .map((call) => ({ ...call, definedAt: `${path}:${at}` })),
  );
  if (calls.length === 0) return spots;
  const byPath = Map.groupBy(spots, ({ path }) => path);
  const added = new Map<string, ReferencePlace>();
  const proved = new Map<ReferencePlace, string>();
  for (const { caller: { path, name }, line, isCurrent, definedAt } of calls) {
    const own = byPath.get(path) ?? [];
    const holder = view.listSymbols(path).find((hit) => hit.qualifiedName === name);
    const [first, last] = isCurrent && line !== null
      ? [line - NEAR_LINES, line + NEAR_LINES]
      : [holder?.startLine ?? 0, holder?.endLine ?? 0];
    const named = own.filter((spot) =>
      spot.kind !== "import" && first <= spot.line && spot.line <= last
    );
    const exact = named.find((spot) =>
      isCurrent && spot.line === line && spot.confidence === "name"
    );
    if (exact !== undefined) proved.set(exact, definedAt);
    const at = isCurrent && line !== null ? line : holder?.line;
    if (named.length > 0 || at === undefined) continue;
    const within = holder === undefined ? {} : { within: name };
    const spot = { path, line: at, column: 1, kind: "seen", confidence: "seen" } as const;
    added.set(`${at} ${path}`, { ...spot, definedAt, ...within });
  }
  const told = spots.map((spot): ReferencePlace => {
    const definedAt = proved.get(spot);
    return definedAt === undefined ? spot : { ...spot, confidence: "seen", definedAt };
  });
  return [...told, ...added.values()].sort((a, b) =>
    a.path === b.path ? a.line - b.line || a.column - b.column : a.path < b.path ? -1 : 1
  );
}
