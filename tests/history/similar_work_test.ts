/** Which past commits are like a request, what became of them, and what a reply says of that. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import type { CommitHistory, FollowedCommit } from "../../src/history/past.ts";
import { MessageIndex } from "../../src/history/near_messages.ts";
import {
  buildPastFields,
  countFollowUps,
  findFollowUp,
  findSimilarWork,
} from "../../src/history/similar_work.ts";

const DAY = 86_400;

interface Row {
  readonly message: string;
  readonly day?: number;
  readonly paths?: readonly string[];
}

/** A past of commits from the newest to the oldest; the ids count up from the oldest. */
function toPast(rows: readonly Row[]): CommitHistory {
  const commits = rows.map(({ message, day = 0, paths = ["a.ts"] }, at): FollowedCommit => ({
    id: `${rows.length - at}`.padStart(40, "c"),
    atSeconds: 1_700_000_000 + day * DAY,
    message,
    changed: paths.length,
    paths,
  }));
  return { commits, byPath: new Map(), isCut: false };
}

const OLD = Array.from({ length: 30 }, (_, at): Row => ({ message: `Other ${at} matter` }));

function find(rows: readonly Row[], request: string) {
  const past = toPast(rows);
  const messages = new MessageIndex(
    past,
    (text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [],
  );
  while (messages.addNext(100));
  return findSimilarWork({ past, messages }, request, { maxDeeds: 3 });
}

Deno.test("findSimilarWork() names what is near, and nothing where the past is young or the request is new", () => {
  const rows = [
    { message: "Add a captcha to the login form" },
    { message: "Mass captcha login", paths: Array.from({ length: 30 }, (_, at) => `${at}.ts`) },
    { message: "Limit the tries of a login" },
    ...OLD,
  ];
  const subjects = (request: string) => find(rows, request).map(({ commit }) => commit.message);
  deepEqual(subjects("captcha for the login form"), ["Add a captcha to the login form"]);
  deepEqual(subjects("print invoices as login pages of another kind"), []);
  deepEqual(subjects("invoice"), []);
  deepEqual(find(rows.slice(0, 5), "captcha for the login form"), [], "a young past");
});

Deno.test("findFollowUp() tells what was taken back, put in again, or mended within days", () => {
  const work = { message: "Add a captcha", paths: ["a.ts", "b.ts"] };
  const id = "c".repeat(39);
  const rows: readonly (readonly [why: string, later: readonly Row[], string | null])[] = [
    ["by its id", [{ message: `Take it out\n\nThis reverts commit ${id}1.` }], "reverted"],
    ["by its subject", [{ message: 'Revert "Add a captcha"', day: 40 }], "reverted"],
    ["by a subject with a kind", [{ message: 'revert: "Add a captcha"' }], "reverted"],
    ["of another subject", [{ message: 'Revert "Add a captcha to b"' }], null],
    ["put in again", [
      { message: 'Revert "Revert "Add a captcha""' },
      { message: 'Revert "Add a captcha"' },
    ], null],
    ["taken back, put in and taken back", [
      { message: 'Revert "Revert "Revert "Add a captcha"""' },
      { message: 'Revert "Revert "Add a captcha""' },
      { message: 'Revert "Add a captcha"' },
    ], "reverted"],
    ["taken back twice by its id", [
      { message: `Out again\n\nThis reverts commit ${id}1.` },
      { message: 'Reapply "Add a captcha"' },
      { message: `Revert "Add a captcha"\n\nThis reverts commit ${id}1.` },
    ], "reverted"],
    ["reapplied", [
      { message: 'Reapply "Add a captcha"' },
      { message: 'Revert "Add a captcha"' },
    ], null],
    ["by a subject with the number of its own request", [{
      message: 'Revert "Add a captcha" (#12)',
    }], "reverted"],
    ["one of two that are taken back", [{
      message: `Out\n\nThis reverts commit ${"e".repeat(40)}.\nThis reverts commit ${id}1.`,
    }], "reverted"],
    ["by an id in brackets", [{ message: `Back out (reverts ${id}1)` }], "reverted"],
    ["by a list of ids", [{ message: `Reverts ${"e".repeat(9)} and ${id}1` }], "reverted"],
    ["by its subject, with an id of elsewhere", [{
      message: `Revert "Add a captcha"\n\nThis reverts commit ${"e".repeat(40)}.`,
    }], "reverted"],
    ["denied", [{ message: `Keep it\n\nThis does not revert commit ${id}1.` }], null],
    [
      "denied over two lines",
      [{ message: `Keep it\n\nThis does not\nrevert commit ${id}1.` }],
      null,
    ],
    ["in part", [{ message: `Less\n\nThis partially reverts commit ${id}1.` }], null],
    ["a fix of its files", [{ message: "fix(a): crash", day: 2 }], "fixed"],
    ["a fix after weeks", [{ message: "Fix a crash", day: 30 }], null],
    ["a fix of others", [{ message: "Fix it", paths: ["x.ts"] }], null],
    ["a fix mostly of others", [{ message: "Fix it", paths: ["a.ts", "x.ts", "y.ts"] }], null],
    ["no fix", [{ message: "Fixture of the form" }], null],
    [
      "a fix that names it",
      [{ message: `Mend\n\nFixes: ${id}1`, day: 90, paths: ["x.ts"] }],
      "fixed",
    ],
  ];
  for (const [why, later, expected] of rows) {
    const past = toPast([...later, work]);
    equal(findFollowUp(past, later.length)?.kind ?? null, expected, why);
  }
  const shared = {
    message: "Add a form",
    paths: ["CHANGES", "docs/a.md", "go.sum", "app.ts", "core.ts"],
  };
  const young = Array.from({ length: 99 }, (): Row => ({ message: "Other", paths: ["app.ts"] }));
  const fixOf = (...paths: string[]) => {
    const past = toPast([{ message: "Fix a crash", paths }, shared, ...young]);
    const places = past.commits.flatMap(({ paths }, at) => paths.includes("app.ts") ? [at] : []);
    return findFollowUp({ ...past, byPath: new Map([["app.ts", places]]) }, 1)?.kind ?? null;
  };
  deepEqual([fixOf("CHANGES"), fixOf("docs/a.md", "go.sum"), fixOf("app.ts", "x.ts")], [
    null,
    null,
    null,
  ]);
  deepEqual([fixOf("core.ts"), fixOf("core.ts", "x.ts", "CHANGES", "app.ts")], ["fixed", "fixed"]);
  // The subject of the later of two such commits.
  const twice = toPast([{ message: 'Revert "Add a captcha"' }, work, work]);
  deepEqual([findFollowUp(twice, 1)?.kind, findFollowUp(twice, 2)?.kind], ["reverted", undefined]);
});

Deno.test("buildPastFields() says when, what and where, and never more than 600 bytes", () => {
  const rows = [
    { message: 'Revert "Add a captcha to the login form"', day: 1 },
    { message: "Add a captcha to the login form\n\nWhy", paths: ["a.ts", "gone.ts"] },
    ...OLD,
  ];
  const similar = find(rows, "a captcha for the login form");
  const fields = buildPastFields(similar.slice(-1), (path) => path !== "gone.ts");
  deepEqual(fields, {
    past_work: [{
      commit: "cccccccc",
      at: "2023-11-14",
      message: "Add a captcha to the login form",
      files: ["a.ts"],
      more_files: 1,
      then: 'reverted 1 day later: cccccccc Revert "Add a captcha to the login form"',
    }],
  });
  deepEqual(buildPastFields([], () => true), {});
  const commit = {
    id: "f".repeat(64),
    atSeconds: 1e300,
    message: "ログイン \u0007".repeat(500),
    changed: 9,
    paths: Array.from({ length: 9 }, (_, at) => `${"パス/".repeat(60)}\n${at}.ts`),
  };
  const followUp = { kind: "fixed", by: commit, days: 0 } as const;
  const hostile = buildPastFields(
    Array.from({ length: 3 }, () => ({ commit, share: 1, followUp })),
    () => true,
  );
  const bytes = new TextEncoder().encode(JSON.stringify(hostile)).length;
  ok(bytes <= 600, `${bytes}`);
  deepEqual([hostile.past_work?.[0]?.at, hostile.past_work?.[0]?.files], ["unknown", []]);
});

Deno.test("countFollowUps() counts what did not hold among the last commits to a file, within a year", () => {
  const count = (day: number) => {
    const rows = [
      { message: "Newest of all", day: 0 },
      { message: 'Revert "Add a captcha"', day: day + 1 },
      { message: "Add a captcha", day },
      ...OLD.map((row) => ({ ...row, day })),
    ];
    return countFollowUps({ ...toPast(rows), byPath: new Map([["a.ts", [1, 2, 3]]]) }, ["a.ts"]);
  };
  deepEqual([count(-30), count(-500)], [1, 0]);
});
