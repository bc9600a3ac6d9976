/** Globs that name paths of the project in payloads and calls: a hostile one costs no more than path × glob. Pure. */

/**
 * The pattern for a path or glob of the project; null for an invalid one. Its `test` works as that
 * of a RegExp, but takes time in proportion to path × glob. So an agent's glob cannot hang the
 * server.
 *
 * @example
 * ```ts
 * import { strictEqual as equal } from "node:assert/strict";
 * import { globToRegExp } from "./path_glob.ts";
 * equal(globToRegExp("src/**")?.test("src/a/b.ts"), true);
 * equal(globToRegExp("src/*.ts")?.test("src/a/b.ts"), false);
 * equal(globToRegExp("../x"), null);
 * ```
 */
export function globToRegExp(glob: string): Pick<RegExp, "test"> | null {
  if (glob.startsWith("/") || glob.includes("\0") || glob.split("/").includes("..")) return null;
  const parts = glob.replace(/^\.\//, "").match(/\*\*\/|\*\*|[^]/gu) ?? [];
  return { test: (path) => isMatch(parts, path) };
}

/** Follows all positions in the glob that the path can have reached, one character at a time. */
function isMatch(parts: readonly string[], path: string): boolean {
  let places = expandPositions(parts, [0], { isFolderStart: true });
  for (const char of path) {
    const next = places.flatMap((place) => stepPositions(parts[place], place, char));
    places = expandPositions(parts, next, { isFolderStart: char === "/" });
    if (places.length === 0) return false;
  }
  return places.includes(parts.length);
}

function stepPositions(part: string | undefined, place: number, char: string): readonly number[] {
  if (part === undefined) return [];
  if (part === "**" || part === "**/") return [place];
  if (part === "*") return char === "/" ? [] : [place];
  if (part === "?") return char === "/" ? [] : [place + 1];
  return part === char ? [place + 1] : [];
}

/** The positions, with those after a wildcard that may match nothing more; each once. */
function expandPositions(
  parts: readonly string[],
  places: readonly number[],
  options: { readonly isFolderStart: boolean },
): readonly number[] {
  const open = new Set<number>();
  for (const first of places) {
    for (let place = first;; place++) {
      open.add(place);
      const part = parts[place];
      const isSkippable = part === "*" || part === "**" ||
        (part === "**/" && options.isFolderStart);
      if (!isSkippable) break;
    }
  }
  return [...open];
}
