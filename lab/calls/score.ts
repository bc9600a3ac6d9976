/** Compares the calls that the program proves with what a compiler says. Pure. */
import type { CallEdge, CallSite, JudgedCalls, Place } from "./call_sites.ts";

/** How the answers of one project compare. */
export interface CallScore {
  /** Calls that lead to a declaration of the project, and those among them that lead to one with a body. */
  readonly all: number;
  readonly bodies: number;
  readonly foundOfAll: number;
  readonly foundOfBodies: number;
  /** Proved calls that the compiler can judge. */
  readonly judged: number;
  readonly wrong: readonly CallEdge[];
  readonly missed: readonly CallSite[];
}

/**
 * Scores the answers. A line that calls the same name twice is one answer of the program, so a call is found where its
 * line has an answer with its name and its target.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { scoreCalls } from "./score.ts";
 * const at = { path: "a.go", line: 3, column: 2, name: "run" };
 * const site = { ...at, kind: "body", targets: [{ path: "b.go", line: 1 }] } as const;
 * const judged = { judge: "go", files: ["a.go"], sites: [site] };
 * const score = scoreCalls(judged, [{ ...at, target: { path: "b.go", line: 9 } }]);
 * deepEqual([score.foundOfAll, score.wrong.length, score.missed.length], [0, 1, 1]);
 * ```
 */
export function scoreCalls(judged: JudgedCalls, edges: readonly CallEdge[]): CallScore {
  const files = new Set(judged.files);
  const sites = Map.groupBy(judged.sites, toKey);
  // A place may name a declaration by another word than its own: `import { a as b }`.
  const words = new Map(judged.sites.map((site) => [toPlaceKey(site), site.name]));
  const own = edges.filter(({ path }) => files.has(path))
    .map((edge) => ({ ...edge, name: words.get(toPlaceKey(edge)) ?? edge.name }));
  const answers = Map.groupBy(own, toKey);
  const known = own.filter((edge) =>
    !(sites.get(toKey(edge)) ?? []).some(({ kind }) => kind === "unknown")
  );
  const wrong = known.filter((edge) =>
    !(sites.get(toKey(edge)) ?? []).some((site) => isTarget(site, edge.target))
  );
  const wanted = judged.sites.filter(({ kind }) => kind === "body" || kind === "declared");
  const isFound = (site: CallSite) =>
    (answers.get(toKey(site)) ?? []).some(({ target }) => isTarget(site, target));
  const found = wanted.filter(isFound);
  return {
    all: wanted.length,
    bodies: wanted.filter(({ kind }) => kind === "body").length,
    foundOfAll: found.length,
    foundOfBodies: found.filter(({ kind }) => kind === "body").length,
    judged: known.length,
    wrong,
    missed: wanted.filter((site) => !isFound(site)),
  };
}

function toKey({ path, line, name }: Place & { readonly name: string }): string {
  return `${line}\0${name}\0${path}`;
}

function toPlaceKey({ path, line, column }: Place & { readonly column: number }): string {
  return `${line}:${column} ${path}`;
}

function isTarget({ targets }: CallSite, { path, line }: Place): boolean {
  return targets.some((one) => one.path === path && one.line === line);
}
