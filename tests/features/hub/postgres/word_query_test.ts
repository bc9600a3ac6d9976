/** Expressions of SQLite's full text for PostgreSQL. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import {
  bindQuery,
  keepStemmable,
  parseWordQuery,
} from "../../../../src/features/hub/postgres/word_query.ts";

Deno.test("parseWordQuery() takes expressions apart", () => {
  deepEqual(parseWordQuery('"user name" OR "id"'), {
    phrases: ["user name", "id"],
    weights: "",
    plain: "'user name' | 'id'",
  });
  deepEqual(parseWordQuery('{name body} : ("a OR b")'), {
    phrases: ["a OR b"],
    weights: "AD",
    plain: "'a OR b'",
  });
  equal(parseWordQuery('"=getuser"*').plain, "'=getuser':*");
  equal(parseWordQuery('"get" AND "us"*').plain, "'get' & 'us':*");
  equal(parseWordQuery(`"it's\\"`).plain, "'it''s\\\\'");
});

Deno.test("bindQuery() asks for any of the words of one origin", () => {
  equal(bindQuery(["'a'", "'b'"], "@1"), "'@1' & ('a' | 'b')");
  equal(bindQuery([], "@1"), "");
});

Deno.test("keepStemmable() keeps the stemmer from words of two letters", () => {
  equal(keepStemmable("is items as a class s us"), "is0 items as0 a class s us0");
});
