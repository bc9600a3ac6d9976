/** Which item of a task a changed place shows. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import {
  assignWork,
  formatSaid,
  joinPlaces,
  readDone,
  readRetreat,
} from "../../src/phase/draft_work.ts";

Deno.test("changed places go to the item whose words they share, to the one that names them, or with their file", () => {
  const items = ["Weak tags match", "Document the range header"];
  const work = [
    { evidence: "http.py:3-9", path: "http.py", text: "def match_weak(tag):" },
    { evidence: "http.py:40", path: "http.py", text: "x = 1" },
    { evidence: "docs/api.md:7", path: "docs/api.md", text: "The range header …" },
    { evidence: "other.cfg:1", path: "other.cfg", text: "y" },
  ];
  const { rows, beyond } = assignWork(items, {}, work);
  deepEqual(rows.map(({ places }) => places.map(({ evidence }) => evidence)), [
    ["http.py:3-9", "http.py:40"],
    ["docs/api.md:7"],
  ]);
  deepEqual(beyond.map(({ evidence }) => evidence), ["other.cfg:1"]);
  const done = readDone({ done: { "weak tags match": ["other.cfg:2", "http.py"] } }, items);
  const named = assignWork(items, done, work);
  deepEqual(named.rows[0]?.places.length, 3);
  equal(named.beyond.length, 0);
});

Deno.test("places are one text, and what the agent said is one too", () => {
  const place = (evidence: string, path: string) => ({ evidence, path, text: "" });
  equal(
    joinPlaces([place("a.ts:1-3", "a.ts"), place("a.ts:9", "a.ts"), place("b.ts:deleted", "b.ts")]),
    "a.ts:1-3,9; b.ts:deleted",
  );
  equal(formatSaid({ done: { clause: "a.ts" } }), '{"clause":"a.ts"}');
});

Deno.test("what was done is read from a text, a list, rows and fields alike", () => {
  const items = ["Greet the user", "Say farewell"];
  const both = { "Greet the user": "a.ts:1; b.ts", "Say farewell": "b.ts:2" };
  const forms: readonly unknown[] = [
    { "1": ["a.ts:1", "b.ts"], "2": "b.ts:2" },
    [{ clause: "Greet the user", places: ["a.ts:1", "b.ts"] }, { clause: "2", evidence: "b.ts:2" }],
    { "greet the user": { evidence: "a.ts:1", also: "b.ts" }, "2. Say farewell": "b.ts:2" },
  ];
  for (const done of forms) deepEqual(readDone({ done }, items), both, JSON.stringify(done));
  deepEqual(readDone({ done: ["a.ts", "b.ts"] }, items), {
    "Greet the user": "a.ts",
    "Say farewell": "b.ts",
  });
  deepEqual(readDone({}, items), {});
});

Deno.test("what is said to be impossible is no work, and of all clauses it is the end of the session", () => {
  const items = ["Greet the user", "Say farewell"];
  const why = "Cannot be done because nobody is there";
  const retreat = (done: unknown) => readRetreat({ done }, items);
  equal(
    retreat({ "1": why, "2": "it can't be done: no words" }),
    `${why}; it can't be done: no words`,
  );
  equal(retreat(`It is impossible: ${why}`), `It is impossible: ${why}`);
  for (
    const done of [{ "1": why }, { "1": why, "2": "a.ts" }, "a.ts; cannot be done otherwise", {}]
  ) {
    equal(retreat(done), null, JSON.stringify(done));
  }
  const work = [{ evidence: "a.ts:1", path: "a.ts", text: "greet the user" }];
  const { rows, beyond } = assignWork(items.slice(0, 1), { "Greet the user": why }, work);
  deepEqual([rows[0]?.places, beyond.length], [[], 1]);
});
