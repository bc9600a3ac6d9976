/** Reads `exports` and `imports` of a package.json: which files a name of the package may mean. Pure. */

/**
 * The targets of a name, likeliest first: sources before what is built, whatever the condition.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { findExport } from "./script_exports.ts";
 * const exports = { ".": { types: "./dist/a.d.ts", source: "./src/a.ts" }, "./x/*": "./src/x/*.ts" };
 * deepEqual(findExport(exports, "."), ["./src/a.ts", "./dist/a.d.ts"]);
 * deepEqual(findExport(exports, "./x/y"), ["./src/x/y.ts"]);
 * ```
 */
export function findExport(table: unknown, name: string): readonly string[] {
  if (typeof table === "string" || Array.isArray(table)) {
    return name === "." ? toTargets(table) : [];
  }
  if (typeof table !== "object" || table === null) return [];
  const rows = Object.entries(table);
  const isByCondition = rows.every(([key]) => !key.startsWith(".") && !key.startsWith("#"));
  if (isByCondition) return name === "." ? toTargets(table) : [];
  const exact = rows.find(([key]) => key === name);
  if (exact !== undefined) return toTargets(exact[1]);
  for (const [key, value] of rows.toSorted(([a], [b]) => b.length - a.length)) {
    const star = key.indexOf("*");
    if (star < 0) continue;
    const [head, tail] = [key.slice(0, star), key.slice(star + 1)];
    if (!name.startsWith(head) || !name.endsWith(tail) || name.length < key.length) continue;
    const rest = name.slice(head.length, name.length - tail.length);
    return toTargets(value).map((target) => target.replaceAll("*", rest));
  }
  return [];
}

/** Every path in a tree of conditions, sources first. */
function toTargets(value: unknown): string[] {
  const all: string[] = [];
  const visit = (one: unknown) => {
    if (typeof one === "string") all.push(one);
    else if (typeof one === "object" && one !== null) Object.values(one).forEach(visit);
  };
  visit(value);
  const isSource = (path: string) => /\.[mc]?tsx?$/.test(path) && !/\.d\.[mc]?ts$/.test(path);
  return [...new Set([...all.filter(isSource), ...all])];
}
