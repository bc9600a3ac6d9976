/** Each feature by rows: what makes it 1, and what makes it less. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { packCounts } from "../../src/analysis/record/word_counts.ts";
import type { ContentDefinition } from "../../src/index/read/view.ts";
import type { Candidate } from "../../src/ranking/candidates.ts";
import { buildContentFacts } from "../../src/ranking/content_facts.ts";
import { computeFeatures, parseFileName } from "../../src/ranking/features.ts";
import type { Features } from "../../src/ranking/rank.ts";
import { readQuery } from "../../src/ranking/query_kind.ts";

interface Sample extends Partial<Omit<Candidate, "facts" | "chunks">> {
  readonly path: string;
  readonly defines?: readonly (Partial<ContentDefinition> & { readonly name: string })[];
  readonly scores?: readonly number[];
}

function toCandidate({ defines = [], scores = [], ...rest }: Sample): Candidate {
  const definitions = defines.map((own): ContentDefinition => ({
    kind: "function",
    holder: null,
    holderKind: null,
    line: 1,
    ...own,
  }));
  return {
    content: 1,
    hash: "00",
    language: "TypeScript",
    lineCount: 0,
    users: [],
    pairs: new Set(),
    literals: new Set(),
    phraseScore: 0,
    windows: null,
    counts: null,
    ...rest,
    facts: buildContentFacts(definitions),
    chunks: scores.map((score, at) => ({ number: at, content: 1, score })),
  };
}

function measure(question: string, ...samples: readonly Sample[]): Features[] {
  const query = readQuery(question);
  const idf = new Map(query.words.map(({ stem }) => [stem, 2]));
  return computeFeatures(query, { candidates: samples.map(toCandidate), idf, otherIdf: 2 });
}

function near(actual: number | undefined, expected: number, message?: string): void {
  ok(Math.abs((actual ?? 0) - expected) < 1e-9, `${message ?? ""} ${actual} is not ${expected}`);
}

Deno.test("text is the share of the best: a chunk, half the second, a quarter of the third", () => {
  const [a, b, c] = measure(
    "load users",
    { path: "a.ts", scores: [4, 2, 4, 4] },
    { path: "b.ts", scores: [3] },
    { path: "c.ts" },
  );
  near(a?.text, 1);
  near(b?.text, 0.5);
  near(c?.text, 0);
});

Deno.test("mentions counts the words of the question in the whole file, rare words and first places telling most", () => {
  const toCounts = (body: string) => packCounts([{ words: { comments: "", body } }]);
  const [a, b, c, d] = measure(
    "load users",
    { path: "a.ts", counts: toCounts("load users ".repeat(7).trim()) },
    { path: "b.ts", counts: toCounts("loads user") },
    { path: "c.ts", counts: toCounts("load load load load load load load other") },
    { path: "d.ts", counts: toCounts("other") },
  );
  near(a?.mentions, 1);
  near(b?.mentions, Math.log(2) / Math.log(8));
  near(c?.mentions, 0.5);
  near(d?.mentions, 0);
  const weighed = computeFeatures(readQuery("load users"), {
    candidates: [
      toCandidate({ path: "rare.ts", counts: toCounts("users") }),
      toCandidate({ path: "common.ts", counts: toCounts("load") }),
    ],
    idf: new Map([["load", 1], ["user", 4]]),
    otherIdf: 2,
  });
  near(weighed[0]?.mentions, 1);
  near(weighed[1]?.mentions, 0.25);
});

Deno.test("mentions says nothing while a content with words has no counts yet", () => {
  const counts = packCounts([{ words: { comments: "", body: "load users" } }]);
  const [old, fresh] = measure(
    "load users",
    { path: "a.ts", scores: [1] },
    { path: "b.ts", scores: [1], counts },
  );
  deepEqual([old?.mentions, fresh?.mentions], [0, 0]);
});

Deno.test("spread counts the chunks above two fifths of the best", () => {
  const [a, b] = measure(
    "load users",
    { path: "a.ts", scores: [10, 5, 3.9] },
    { path: "b.ts", scores: [4.1] },
  );
  deepEqual([a?.spread, b?.spread], [1, 0.5]);
});

Deno.test("name_cover is 1 when the question holds the whole name of the file", () => {
  const rows: readonly (readonly [path: string, expected: number])[] = [
    ["src/user_session.ts", 1],
    ["src/userSession.ts", 1],
    ["src/user_session/index.ts", 1],
    ["src/user_session_store.ts", 2 / 3],
    ["src/users.d.ts", 1],
    ["src/sess.ts", 0.8],
    ["src/order.ts", 0],
  ];
  for (const [path, expected] of rows) {
    near(measure("user session handling", { path })[0]?.name_cover, expected, path);
  }
});

Deno.test("name_words, folder_words and subject tell where the words of the question are", () => {
  const [near1, far] = measure(
    "session user handling",
    { path: "src/session/user.ts" },
    { path: "src/session/store/handling.ts" },
  );
  near(near1?.name_words, 2 / 3);
  near(near1?.folder_words, 1 / 3);
  equal(near1?.subject, 1);
  near(far?.folder_words, 1 / 3);
  equal(far?.subject, 0);
});

Deno.test("definition is higher for names that are wholly asked for", () => {
  const [whole, part, none] = measure(
    "load users",
    { path: "a.ts", defines: [{ name: "loadUsers" }] },
    { path: "b.ts", defines: [{ name: "loadAllThoseUsers" }] },
    { path: "c.ts", defines: [{ name: "save" }] },
  );
  near(whole?.definition, 1);
  near(part?.definition, 0.5);
  near(none?.definition, 0);
});

Deno.test("pair counts words side by side, in names more than in code", () => {
  const [inName, inCode, none] = measure(
    "load user list",
    { path: "a.ts", defines: [{ name: "loadUserList" }] },
    { path: "b.ts", pairs: new Set(["user list"]) },
    { path: "c.ts", defines: [{ name: "listUser" }] },
  );
  deepEqual([inName?.pair, inCode?.pair, none?.pair], [1, 0.2, 0]);
});

Deno.test("exact prefers a top-level type in a file of its name, and the holder asked for", () => {
  const type = { name: "User", kind: "class" };
  const rows: readonly (readonly [question: string, sample: Sample, expected: number])[] = [
    ["User", { path: "user.ts", defines: [type] }, 1],
    ["User", { path: "models.ts", defines: [type] }, 0.65],
    ["user", { path: "user.ts", defines: [type] }, 0.9],
    ["User", { path: "user.ts", defines: [{ name: "User" }] }, 0.7],
    ["User", { path: "user.ts", defines: [{ ...type, holder: "x", holderKind: "class" }] }, 0.7],
    ["User", { path: "user.ts", defines: [{ ...type, holder: "n", holderKind: "namespace" }] }, 1],
    ["User.save", { path: "a.ts", defines: [{ name: "save", holder: "User" }] }, 1],
    ["User.save", { path: "a.ts", defines: [{ name: "save", holder: "Order" }] }, 0.5],
    ["User", { path: "user.ts" }, 0],
    ["how is User saved", { path: "user.ts", defines: [type] }, 0],
  ];
  for (const [question, sample, expected] of rows) {
    near(measure(question, sample)[0]?.exact, expected, `${question} in ${sample.path}`);
  }
});

Deno.test("literal is the share of the names written as code that a file has, the rarer the more", () => {
  const literals = (...names: readonly string[]) => new Set(names);
  const [both, rare, common, none] = measure(
    "let `redirect` keep maxAge",
    { path: "a.ts", literals: literals("redirect", "maxAge") },
    { path: "b.ts", literals: literals("maxAge") },
    { path: "c.ts", literals: literals("redirect") },
    { path: "d.ts", literals: literals("redirect") },
    { path: "e.ts" },
  ).toSpliced(3, 1);
  deepEqual([both?.literal, none?.literal], [1, 0]);
  ok((rare?.literal ?? 0) > (common?.literal ?? 0));
  equal(measure("plain words", { path: "a.ts" })[0]?.literal, 0);
});

Deno.test("identifier is the standing of an identifier of the sentence that is defined here", () => {
  const [type, method, other] = measure(
    "how UserStore is emptied",
    { path: "a.ts", defines: [{ name: "UserStore", kind: "class" }] },
    { path: "b.ts", defines: [{ name: "UserStore", holder: "x", holderKind: "class" }] },
    { path: "c.ts", defines: [{ name: "userStore", kind: "class" }] },
  );
  deepEqual([type?.identifier, method?.identifier, other?.identifier], [1, 0.5, 0]);
});

Deno.test("exact counts a definition before what announces it, what makes its objects, and a name in another case", () => {
  const [type, maker, announced, body, whole, other] = measure(
    "ReporterRegistry",
    { path: "a.hpp", defines: [{ name: "ReporterRegistry", kind: "class" }] },
    {
      path: "a.cpp",
      defines: [{ name: "ReporterRegistry", kind: "method", holder: "ReporterRegistry" }],
    },
    { path: "b.h", defines: [{ name: "ReporterRegistry", kind: "prototype" }] },
    { path: "b.c", defines: [{ name: "ReporterRegistry" }] },
    { path: "c.ex", defines: [{ name: "Catch.ReporterRegistry", kind: "module" }] },
    { path: "d.ex", defines: [{ name: "reporter_registry", kind: "module" }] },
  ).map(({ exact = 0 }) => exact);
  ok((type ?? 0) > (maker ?? 0) && (body ?? 0) > (announced ?? 0));
  ok((whole ?? 0) > (other ?? 0) && (other ?? 0) > 0);
});

Deno.test("path compares segments from the end", () => {
  const rows: readonly (readonly [question: string, path: string, expected: number])[] = [
    ["src/auth/login.ts", "src/auth/login.ts", 1],
    ["auth/Login.ts", "src/auth/login.ts", 1],
    ["lib/auth/login.ts", "src/auth/login.ts", 2 / 3],
    ["auth/login", "src/auth/login.ts", 0.8],
    ["src/auth", "src/auth/login.ts", 0.5],
    ["src/auth", "src/order.ts", 0],
  ];
  for (const [question, path, expected] of rows) {
    near(measure(question, { path })[0]?.path, expected, `${question} and ${path}`);
  }
});

Deno.test("uses, size and phrase grow with what they count", () => {
  const [more, less] = measure(
    "error: cannot open it",
    { path: "a.ts", users: [1, 2, 3, 4, 5, 6, 7, 8, 9], lineCount: 500, phraseScore: 8 },
    { path: "b.ts", users: [1], lineCount: 20, phraseScore: 2 },
  );
  near(more?.uses, 1);
  near(less?.uses, Math.log(2) / Math.log(10));
  ok((more?.size ?? 0) > (less?.size ?? 0));
  deepEqual([more?.phrase, less?.phrase], [1, 0.25]);
});

Deno.test("no feature leaves 0..1, and a question without words has features all the same", () => {
  for (const question of ["???", "x", "load load load users", "コメント"]) {
    for (const row of measure(question, { path: "a/b.ts" }, { path: "" })) {
      for (const [name, value] of Object.entries(row)) {
        ok(value >= 0 && value <= 1, `${question}: ${name} is ${value}`);
      }
    }
  }
});

Deno.test("parseFileName() takes the folder's name where each folder has such a file", () => {
  equal(parseFileName("src/auth/index.ts").name, "auth");
  equal(parseFileName("pkg/__init__.py").name, "pkg");
  equal(parseFileName("index.ts").name, "index");
  equal(parseFileName("src/.env").name, ".env");
  equal(parseFileName("types/a.d.ts").name, "a");
});
