/** What counts as having changed together, and how much. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import type { Past } from "../../src/history/past.ts";
import { findTogether } from "../../src/history/past.ts";

/** A past of commits, newest first, each written as its files; `*9` says how many it changed in all. */
export function toPastOf(...rows: readonly string[]): Past {
  const deeds = rows.map((row) => {
    const [files = "", changed] = row.split("*");
    const paths = files.trim().split(" ").filter((path) => path !== "");
    const count = changed === undefined ? paths.length : Number(changed);
    return { id: row, atSeconds: 0, message: "", changed: count, paths };
  });
  const byPath = new Map<string, number[]>();
  deeds.forEach(({ paths }, at) =>
    paths.forEach((path) => byPath.set(path, [...byPath.get(path) ?? [], at]))
  );
  return { deeds, byPath, isCut: false };
}

function rank(past: Past, paths: readonly string[], halfLife?: number) {
  return findTogether(past, paths, halfLife === undefined ? {} : { halfLife })
    .map(({ path, times, of }) => `${path} ${times}/${of}`);
}

Deno.test("findTogether() counts common commits and leaves out what was asked for", () => {
  deepEqual(rank(toPastOf("a b", "a c", "a b", "b c"), ["a"]), ["b 2/3", "c 1/3"]);
  deepEqual(rank(toPastOf("a b", "c b", "a c"), ["a", "c"]), ["b 2/3"]);
  deepEqual(rank(toPastOf("a b"), ["unknown"]), []);
  deepEqual(rank(toPastOf(), ["a"]), []);
});

Deno.test("findTogether() weighs a commit of many files less than one of few", () => {
  deepEqual(rank(toPastOf("a mass *90", "a mass *90", "a pair"), ["a"]), ["pair 1/3", "mass 2/3"]);
});

Deno.test("findTogether() weighs a late commit more than an early one", () => {
  const past = toPastOf("a late", "x", "x", "x", "a early", "a early");
  deepEqual(rank(past, ["a"], 1), ["late 1/3", "early 2/3"]);
  deepEqual(rank(past, ["a"], 1_000), ["early 2/3", "late 1/3"]);
});
