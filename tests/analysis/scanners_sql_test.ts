/** What statements of several dialects create, and how their names are written. */
import { deepStrictEqual as deepEqual, ok } from "node:assert/strict";
import { languageByName } from "../../src/language/languages.ts";
import { scanSql } from "../../src/analysis/scanners.ts";

function scan(text: string): string[] {
  const language = languageByName("SQL");
  ok(language !== undefined);
  return scanSql(text, text.split("\n"), language).map((
    { kind, name, scope, startLine, endLine },
  ) => `${startLine}-${endLine} ${kind} ${scope === undefined ? "" : `${scope}.`}${name}`);
}

const ROWS: readonly (readonly [text: string, ...expected: string[]])[] = [
  ["create table Users (id int);", "1-1 table Users"],
  ['CREATE TABLE IF NOT EXISTS "a"."b c" (\n  id int\n);', "1-3 table a.b c"],
  ["CREATE TABLE `db`.`users` (id INT);", "1-1 table db.users"],
  ["CREATE TABLE [srv].[dbo].[Users] (Id INT)", "1-1 table srv.dbo.Users"],
  ["CREATE GLOBAL TEMPORARY TABLE t (id int);", "1-1 table t"],
  ["CREATE\n  TABLE t (id int);", "1-2 table t"],
  ["CREATE TABLE a (x int)\nCREATE TABLE b (x int)", "1-1 table a", "2-2 table b"],
  ["DROP TABLE a; CREATE VIEW v AS SELECT 1;", "1-1 view v"],
  ["CREATE OR ALTER VIEW dbo.v AS SELECT 1\nGO\nSELECT 2", "1-1 view dbo.v"],
  ["CREATE UNIQUE INDEX CONCURRENTLY i ON t (a);", "1-1 index i"],
  ["CREATE INDEX ON t (a);"],
  ["-- CREATE TABLE a (x int);\n/* CREATE TABLE b (x int); */\nSELECT 'CREATE TABLE c';"],
  ["ALTER TABLE a ADD b int;"],
  [
    "CREATE FUNCTION f() RETURNS int AS $x$\nBEGIN\n  CREATE TABLE inner_one (a int);\nEND;\n$x$ LANGUAGE plpgsql;\nCREATE TYPE m AS ENUM ('a');",
    "1-5 function f",
    "6-6 type m",
  ],
  [
    "CREATE PROCEDURE p()\nBEGIN\n  IF 1 THEN SELECT 1; END IF;\n  SELECT CASE WHEN 1 THEN 2 END;\n  CREATE TABLE own (a int);\nEND;\nCREATE TABLE t (a int);",
    "1-6 procedure p",
    "7-7 table t",
  ],
  [
    "CREATE TRIGGER g AFTER INSERT ON t FOR EACH ROW EXECUTE FUNCTION f();\nBEGIN;\nCOMMIT;",
    "1-1 trigger g",
  ],
];

Deno.test("scanSql() finds what statements create, whatever the case, the quotes and the dialect", () => {
  for (const [text, ...expected] of ROWS) deepEqual(scan(text), expected, text);
});

Deno.test("scanSql() ends on texts that begin statements without end", () => {
  for (
    const piece of ["\n", "create ", 'create table "', "$a$ $b", "[[", "create procedure p begin "]
  ) {
    const startedAt = performance.now();
    scan(piece.repeat(Math.ceil(100_000 / piece.length)));
    ok(performance.now() - startedAt < 20_000, piece);
  }
});
