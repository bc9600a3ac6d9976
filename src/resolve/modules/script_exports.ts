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
  const toHead = (key: string) => key.slice(0, key.indexOf("*"));
  for (const [key, value] of rows.toSorted(([a], [b]) => toHead(b).length - toHead(a).length)) {
    const star = key.indexOf("*");
    if (star < 0) continue;
    const [head, tail] = [key.slice(0, star), key.slice(star + 1)];
    if (!name.startsWith(head) || !name.endsWith(tail) || name.length < key.length) continue;
    const rest = name.slice(head.length, name.length - tail.length);
    return toTargets(value).map((target) => target.replaceAll("*", rest));
  }
  return [];
}

/** Conditions that hold elsewhere than where a script imports by `import`: what they name comes after the rest. */
const ELSEWHERE = new Set(
  "require browser worker workerd edge-light react-native react-server electron deno bun".split(
    " ",
  ),
);

/** Every path in a tree of conditions, sources first. */
function toTargets(value: unknown): string[] {
  const [here, elsewhere]: [string[], string[]] = [[], []];
  const visit = (one: unknown, list: string[]) => {
    if (typeof one === "string") list.push(one);
    else if (Array.isArray(one)) one.forEach((each) => visit(each, list));
    else if (typeof one === "object" && one !== null) {
      for (const [condition, inner] of Object.entries(one)) {
        visit(inner, ELSEWHERE.has(condition) ? elsewhere : list);
      }
    }
  };
  visit(value, here);
  const isSource = (path: string) => /\.[mc]?tsx?$/.test(path) && !/\.d\.[mc]?ts$/.test(path);
  const ordered = [here, elsewhere].flatMap((list) => [...list.filter(isSource), ...list]);
  return [...new Set(ordered)];
}
