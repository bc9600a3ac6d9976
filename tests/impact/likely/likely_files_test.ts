/** The order of likely files and their reasons: graph, past, names and request, each alone and together. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import type { AffectedFile } from "../../../src/impact/affected.ts";
import type { LikelySource } from "../../../src/impact/likely/likely_files.ts";
import { rankLikely } from "../../../src/impact/likely/likely_files.ts";
import { MessageIndex } from "../../../src/history/near_messages.ts";
import { askHistory } from "../../../src/history/question_past.ts";
import type { CommitHistory } from "../../../src/history/past.ts";

const toTerms = (text: string) => text.toLowerCase().match(/[a-z]+/g) ?? [];

/** A past, newest first, of rows such as `Fix the cookie: a.ts b.ts`, behind them enough that it is not young. */
function toAsked(request: string, rows: readonly string[], more = 30): LikelySource["asked"] {
  const all = [...rows, ...Array.from({ length: more }, (_, at) => `Other: z${at}.ts`)];
  const commits = all.map((row, at) => {
    const [message = "", files = ""] = row.split(": ");
    const paths = files.split(" ");
    return { id: `${at}`, atSeconds: 0, message, changed: paths.length, paths };
  });
  const byPath = new Map<string, number[]>();
  commits.forEach(({ paths }, at) =>
    paths.forEach((path) => byPath.set(path, [...byPath.get(path) ?? [], at]))
  );
  const past: CommitHistory = { commits, byPath, isCut: false };
  const messages = new MessageIndex(past, toTerms);
  while (messages.addNext(100));
  const voice = askHistory({ past, messages, isShallow: false }, request);
  return voice === null ? null : { past, voice };
}

const LINKED: AffectedFile = {
  path: "user.ts",
  isMust: true,
  isTest: false,
  edges: [{
    path: "user.ts",
    line: 1,
    kind: "call",
    confidence: "resolved",
    depth: 1,
    symbol: "login",
  }],
  reasons: [],
};

const LIST = ["auth.ts", "user.ts", "b.ts", "c.ts", "auth_test.ts", "README.md", "old/far.ts"];

function rank(more: Partial<LikelySource>) {
  return rankLikely({
    targets: ["auth.ts"],
    list: LIST,
    affected: [],
    ownTests: [],
    terms: [],
    answers: new Map(),
    literals: new Map(),
    asked: null,
    isTest: (path) => path.includes("_test"),
    isCode: (path) => path.endsWith(".ts"),
    toTerms,
    ...more,
  });
}

const show = (more: Partial<LikelySource>) =>
  rank(more).map(({ path, reasons }) => `${path}: ${reasons.join(", ")}`);

Deno.test("rankLikely() says why: a link, the own test, common commits, the words of the request", () => {
  deepEqual(show({ affected: [LINKED] })[0], "auth_test.ts: a name like the target's");
  ok(show({ affected: [LINKED] }).includes("user.ts: calls login"));
  equal(show({ ownTests: ["auth_test.ts"] })[0]?.startsWith("auth_test.ts: its test"), true);
  const rows = ["One: auth.ts b.ts", "Two: auth.ts b.ts", "Three: auth.ts c.ts"];
  const [first] = rank({ asked: toAsked("", rows) });
  deepEqual([first?.path, first?.reasons[0]], ["b.ts", "2 of 3 commits"]);
  deepEqual(
    show({ answers: new Map([["c.ts", { text: 1 }]]), terms: ["x"] })[0],
    "c.ts: has the words of the request",
  );
});

Deno.test("rankLikely() prefers what changed for requests like this one", () => {
  const rows = [
    "Speed up: auth.ts b.ts",
    "Sign the cookie: auth.ts c.ts",
    "Speed up again: auth.ts b.ts",
    "Sign a cookie twice: auth.ts c.ts",
  ];
  const best = (request: string) =>
    rank({ asked: toAsked(request, rows), terms: toTerms(request) })[0]?.path;
  equal(best("sign every cookie"), "c.ts");
  equal(best("speed"), "b.ts");
});

Deno.test("rankLikely() prefers files with the names that the request writes as code, most of all those that the target has", () => {
  const list = ["auth.ts", "b.ts", "c.ts", "d.ts", "e.ts"];
  const literals = new Map(
    Object.entries({ "auth.ts": ["maxAge"], "c.ts": ["maxAge"], "d.ts": ["other"], "e.ts": [] })
      .map(([path, names]) => [path, new Set(names)]),
  );
  const answers = new Map(list.map((path) => [path, { text: 0.5 }]));
  const [first, second, ...rest] = rank({ list, literals, answers });
  deepEqual([first?.path, second?.path], ["c.ts", "d.ts"]);
  deepEqual(first?.reasons.includes("has names of the request"), true);
  deepEqual(rest.map(({ path, features }) => [path, features.literal]), [
    ["b.ts", undefined],
    ["e.ts", undefined],
  ]);
});

Deno.test("rankLikely() expects tests where sources change, and sources where a test does", () => {
  const list = ["auth.ts", "b.ts", "old_test.ts", "b_test.ts"];
  const answers = new Map([["b.ts", { text: 1 }], ["b_test.ts", { text: 1 }]]);
  const first = (target: string) => rank({ targets: [target], list, answers })[0]?.path;
  deepEqual([first("auth.ts"), first("old_test.ts")], ["b_test.ts", "b.ts"]);
});

Deno.test("rankLikely() is silent about a young past, and names neither targets, documents nor files that are gone", () => {
  const rows = ["One: auth.ts b.ts README.md gone.ts", "Two: auth.ts b.ts README.md gone.ts"];
  deepEqual(rank({ asked: toAsked("", rows, 3) }).map(({ path }) => path), ["auth_test.ts"]);
  const paths = rank({ asked: toAsked("", rows), answers: new Map([["README.md", { text: 1 }]]) })
    .map(({ path }) => path);
  deepEqual(paths.sort(), ["auth_test.ts", "b.ts"]);
});

Deno.test("rankLikely() gives shares that add up to one, best first", () => {
  const files = rank({
    affected: [LINKED],
    asked: toAsked("cookie", ["Cookie: auth.ts b.ts c.ts"]),
  });
  const shares = files.map(({ share }) => share);
  ok(Math.abs(shares.reduce((sum, share) => sum + share, 0) - 1) < 1e-9);
  deepEqual(shares, [...shares].sort((a, b) => b - a));
  deepEqual(rank({ list: ["auth.ts"] }), []);
});
