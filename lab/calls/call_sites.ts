/** What a compiler says of the calls of a project, and what the program answers for them. Pure. */

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
 * import { scoreCalls } from "./call_sites.ts";
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

/** A place by its file and line. */
export interface Place {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
}

/**
 * What a call leads to. `body`: a declaration of the project that runs. `declared`: one of the project without a body,
 * such as a member of an interface. `outside`: something of another project. `value`: what a parameter or a local
 * variable holds, so that no declaration is meant. `none`: no call at all, such as a conversion. `unknown`: the compiler
 * cannot tell.
 */
export type SiteKind = "body" | "declared" | "outside" | "value" | "none" | "unknown";

/** One call as the compiler sees it. */
export interface CallSite extends Place {
  /** 1-based, of the name that is called. */
  readonly column: number;
  readonly name: string;
  readonly kind: SiteKind;
  /** Every declaration that counts as the right answer: overloads, a class and its constructor. */
  readonly targets: readonly Place[];
}

/** The calls of the files that a compiler read, without tests. */
export interface JudgedCalls {
  /** The compiler and its version. */
  readonly judge: string;
  readonly files: readonly string[];
  readonly sites: readonly CallSite[];
}

/** One call that the program proves to lead to a definition. */
export interface CallEdge extends Place {
  readonly column: number;
  readonly name: string;
  readonly target: Place;
}
