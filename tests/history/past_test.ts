/** The order of commits and the names of their files, as the commit that is checked out sees them. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import type { CommitHistory } from "../../src/history/past.ts";
import { buildHistory, findChangedTogether } from "../../src/history/past.ts";
import type { LogCommit, LogFile } from "../../src/git/log/read_log.ts";

/** A past of commits, newest first, each written as its files; `*9` says how many it changed in all. */
export function toPastOf(...rows: readonly string[]): CommitHistory {
  const commits = rows.map((row) => {
    const [files = "", changed] = row.split("*");
    const paths = files.trim().split(" ").filter((path) => path !== "");
    const count = changed === undefined ? paths.length : Number(changed);
    return { id: row, atSeconds: 0, message: "", changed: count, paths };
  });
  const byPath = new Map<string, number[]>();
  commits.forEach(({ paths }, at) =>
    paths.forEach((path) => byPath.set(path, [...byPath.get(path) ?? [], at]))
  );
  return { commits, byPath, isCut: false };
}

function rank(past: CommitHistory, paths: readonly string[], halfLife?: number) {
  return findChangedTogether(past, paths, halfLife === undefined ? {} : { halfLife })
    .map(({ path, times, of }) => `${path} ${times}/${of}`);
}

Deno.test("findChangedTogether() counts common commits and leaves out what was asked for", () => {
  deepEqual(rank(toPastOf("a b", "a c", "a b", "b c"), ["a"]), ["b 2/3", "c 1/3"]);
  deepEqual(rank(toPastOf("a b", "c b", "a c"), ["a", "c"]), ["b 2/3"]);
  deepEqual(rank(toPastOf("a b"), ["unknown"]), []);
  deepEqual(rank(toPastOf(), ["a"]), []);
});

Deno.test("findChangedTogether() weighs a commit of many files less than one of few", () => {
  deepEqual(rank(toPastOf("a mass *90", "a mass *90", "a pair"), ["a"]), ["pair 1/3", "mass 2/3"]);
});

Deno.test("findChangedTogether() weighs a late commit more than an early one", () => {
  const past = toPastOf("a late", "x", "x", "x", "a early", "a early");
  deepEqual(rank(past, ["a"], 1), ["late 1/3", "early 2/3"]);
  deepEqual(rank(past, ["a"], 1_000), ["early 2/3", "late 1/3"]);
});

/** A commit in few words: `c<b 7 a.ts b.ts` is c, child of b, at second 7. */
function toCommits(...rows: readonly string[]): ReadonlyMap<string, LogCommit> {
  return new Map(rows.map((row) => {
    const [line = "", seconds = "0", ...paths] = row.split(" ");
    const [id = "", parents = ""] = line.split("<");
    const files = paths.map((path): LogFile => {
      const [from = "", to] = path.split(">");
      return to === undefined ? { path } : { path: to, from };
    });
    const commit = { id, parents: parents.split(",").filter((one) => one !== ""), files };
    return [id, { ...commit, atSeconds: Number(seconds), message: id, changed: files.length }];
  }));
}

function order(head: string, maxCommits: number, ...rows: readonly string[]): string {
  const { commits, isCut } = buildHistory({ head, commits: toCommits(...rows), maxCommits });
  return `${commits.map(({ id }) => id).join("")}${isCut ? "…" : ""}`;
}

Deno.test("buildHistory() puts commits in the order of their age, never a parent before its child", () => {
  equal(order("c", 9, "a 1 x", "b<a 2 x", "c<b 3 x"), "cba");
  equal(order("m", 9, "a 1 x", "b<a 5 x", "c<a 3 x", "d<c 6 x", "m<b,d 7"), "dbca");
  // The clock of who made b stood in the future, that of c in the past.
  equal(order("c", 9, "a 1 x", "b<a 99999999999 x", "c<b 0 x"), "cba");
  equal(order("m", 9, "a 1 x", "b<a 99 x", "c<a 3 x", "m<b,c 4"), "bca");
});

Deno.test("buildHistory() sees only what lies behind its commit, and says where the past is cut", () => {
  const rows = ["a 1 x", "b<a 2 x", "c<b 3 x", "d<a 4 x"];
  equal(order("d", 9, ...rows), "da");
  equal(order("c", 2, ...rows), "cb…");
  equal(order("c", 9, "c<b 3 x"), "c…");
  equal(order("z", 9, ...rows), "…");
});

Deno.test("buildHistory() calls files by their names of today", () => {
  const made = toCommits("a 1 old", "b<a 2 old>middle y", "c<b 3 middle>new", "d<c 4 old new");
  const { commits, byPath } = buildHistory({ head: "d", commits: made, maxCommits: 9 });
  deepEqual(commits.map(({ id, paths }) => [id, paths]), [
    ["d", ["old", "new"]],
    ["c", ["new"]],
    ["b", ["new", "y"]],
    ["a", ["new"]],
  ]);
  deepEqual(byPath.get("new"), [0, 1, 2, 3]);
  deepEqual(byPath.get("old"), [0]);
});

Deno.test("buildHistory() leaves out merges, and files outside the project's folder", () => {
  const made = toCommits("a 1 app/x other/y", "b<a 2 app/x", "m<b,a 3 app/x");
  const { commits } = buildHistory({ head: "m", commits: made, maxCommits: 9, under: "app" });
  deepEqual(commits.map(({ id, paths, changed }) => [id, paths, changed]), [
    ["b", ["x"], 1],
    ["a", ["x"], 2],
  ]);
});
