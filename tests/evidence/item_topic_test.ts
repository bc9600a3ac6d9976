/** What items are about by their words, and which files they name. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import {
  findNamedFiles,
  isDocumentFile,
  mentionsFile,
  readAbout,
} from "../../src/evidence/item_topic.ts";

const DOCUMENTS = [
  "Add a docstring to login()",
  "Document the retry rule",
  "Rename the flag and document it",
  "Add the licence header to each file",
  "Add SPDX lines",
  "Fix the typo in the comment of hash()",
  "Write JSDoc for the public functions",
  "versionchanged note for 3.2",
  "Mark login() as deprecated",
  "関数のコメントを書く",
  "Doku ergänzen: Kommentar zu login()",
];
const CODE = [
  "Store each document in the cache",
  "Return the documents of a user",
  "Refuse an empty name in login",
  "Add Document.save()",
  "Parse the header of the request",
  "Change src/auth.ts",
];

Deno.test("toAbout() tells documentation from code that is about documents", () => {
  deepEqual(DOCUMENTS.filter((text) => !readAbout([text]).isDocuments), []);
  deepEqual(CODE.filter((text) => readAbout([text]).isDocuments), []);
  equal(readAbout(["Refuse an empty name"], ["Every module has a docstring"]).isDocuments, true);
});

Deno.test("toAbout() knows items about the place and the look of code", () => {
  const layout = [
    "Move check() behind login()",
    "Run the formatter",
    "Lock before the read",
    "順序を変える",
  ];
  deepEqual(layout.filter((text) => !readAbout([text]).isLayout), []);
  deepEqual(CODE.filter((text) => readAbout([text]).isLayout), []);
  equal(readAbout(["Refuse an empty name"], ["Imports are sorted"]).isLayout, false);
});

Deno.test("findNamedFiles() takes paths and names of files that the project has", () => {
  const files = ["src/auth.ts", "src/node.ts", "tests/auth.ts", "Makefile"];
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ["Change `src/auth.ts`.", ["src/auth.ts"]],
    ["Change auth.ts: refuse it", ["src/auth.ts", "tests/auth.ts"]],
    ["Call auth.login() in Node.js", []],
    ["Change ./src/auth.ts:12", ["src/auth.ts"]],
    ["Refuse an empty name", []],
  ];
  for (const [text, expected] of rows) deepEqual(findNamedFiles(text, files), expected, text);
  deepEqual(findNamedFiles("a".repeat(200_000), files), []);
});

Deno.test("mentionsFile() knows a file by its path, its name, its first word and its folder", () => {
  const rows: readonly (readonly [string, string, boolean])[] = [
    ["Change src/auth.ts", "src/auth.ts", true],
    ["Change auth.ts", "src/auth.ts", true],
    ["Test the auth service", "tests/auth_test.ts", true],
    ["Test the auth service", "tests/test_auth.py", true],
    ["Everything in src/", "src/view.ts", true],
    ["Everything in `src/**`", "src/view.ts", true],
    ["Change src/auth.ts", "src/view.ts", false],
  ];
  for (const [text, path, expected] of rows) equal(mentionsFile(text, path), expected, text);
});

Deno.test("isDocumentFile() knows files that may hold documentation alone", () => {
  deepEqual(["a/__init__.py", "package-info.java", "pkg/doc.go"].map(isDocumentFile), [
    true,
    true,
    true,
  ]);
  deepEqual(["a/init.py", "a/docs.go"].map(isDocumentFile), [false, false]);
});
