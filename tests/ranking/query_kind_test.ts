/** What kind of question a text is, and which words it is answered by. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { readQuery } from "../../src/ranking/query_kind.ts";
import type { QueryKind } from "../../src/ranking/query_kind.ts";

Deno.test("readQuery() tells the kinds of questions apart", () => {
  const rows: readonly (readonly [question: string, kind: QueryKind])[] = [
    ["UserService", "symbol"],
    ["User.save", "symbol"],
    ["ns::parse_all", "symbol"],
    ["$wire", "symbol"],
    ["src/auth/login.ts", "path"],
    ["login.ts", "path"],
    ["src\\auth", "path"],
    ["src/auth.ts:12", "path"],
    ["auth.ts:12:5", "path"],
    ["Auth.cs(12,5):", "path"],
    ["auth.go#L12-L14", "path"],
    ["auth.save:12", "symbol"],
    ["auth.test.ts:12", "path"],
    ["(auth.ts:12:5)", "path"],
    ["src/認証.ts:12", "path"],
    ["Makefile:3", "path"],
    ["save(12)", "symbol"],
    ["how sessions are refreshed", "sentence"],
    ["error handling and custom error pages", "sentence"],
    ["how are failed requests retried", "sentence"],
    ["TypeError: x is not a function", "error"],
    ["Cannot find module './auth'", "error"],
    ["thread 'main' panicked at src/main.rs:4", "error"],
    ["ECONNREFUSED: permission denied", "error"],
    ["ログイン画面の検証", "translated"],
    ["UserService の保存処理", "translated"],
    ["饕餮の設定", "translated"],
    ["饕餮餐の設定", "foreign"],
    ["как работает кэш", "foreign"],
  ];
  for (const [question, kind] of rows) equal(readQuery(question).kind, kind, question);
});

Deno.test("readQuery() drops words that stand everywhere, unless there are no others", () => {
  deepEqual(readQuery("how are the sessions refreshed").words.map(({ stem }) => stem), [
    "session",
    "refresh",
  ]);
  equal(readQuery("what is it").text, "what is it");
  deepEqual(readQuery("for").words, [{ text: "for", stem: "for" }]);
});

Deno.test("readQuery() splits identifiers, and pairs the words that follow each other", () => {
  const { words, pairs, identifiers } = readQuery("where getUserName reads users");
  deepEqual(words.map(({ text }) => text), ["getusername", "get", "user", "name", "reads"]);
  deepEqual(pairs.map(({ stem }) => stem), ["get user", "user name", "name read", "read user"]);
  deepEqual(identifiers, ["getUserName"]);
});

Deno.test("readQuery() takes identifiers out of a Japanese sentence, and asks for it in both languages", () => {
  const { identifiers, pairs, words, text, meant } = readQuery("getUserとHTTPServerの検証");
  deepEqual(identifiers, ["getUser", "HTTPServer"]);
  deepEqual(pairs.map((pair) => pair.text), [
    "get user",
    "user http",
    "http server",
    "server validate",
  ]);
  equal(words.some((word) => word.text === "validate"), true);
  equal(text.includes("検証") && text.includes("validate"), true);
  equal(meant, "getUser HTTPServer validate");
});

Deno.test("readQuery() leaves a question that no table knows as it is", () => {
  const { meant, words } = readQuery("как работает кэш");
  equal(meant, "как работает кэш");
  deepEqual(words.map(({ text }) => text), ["как", "работает", "кэш"]);
});

Deno.test("readQuery() reads a symbol with what holds it, and a path in segments", () => {
  deepEqual(readQuery("App::User.save(id)").symbol, { name: "save", holders: ["App", "User"] });
  deepEqual(readQuery("./src\\auth.ts:12-14").path, ["src", "auth.ts"]);
  deepEqual(
    ["src/auth.ts:12-14", "auth.cs(7,1)", "a/b.go#L9", "a/b.go"].map((one) => readQuery(one).line),
    [12, 7, 9, null],
  );
  deepEqual(
    ["app/(1)", "http://localhost:8080", "(a.ts:12:5):", "a/b.go#L9C5-L14C2"]
      .map((one) => readQuery(one).line),
    [null, null, 12, 9],
  );
  deepEqual(
    ["/home/me/a.ts:1", "C:\\src\\a.ts", "https://host/a/b.go#L9", "src/a.ts", "./a.ts"]
      .map((one) => readQuery(one).isAbsolute),
    [true, true, true, false, false],
  );
  deepEqual(readQuery("src/auth.ts:12").words.map(({ text }) => text), ["src", "auth", "ts"]);
  equal(readQuery("src/auth.ts").symbol, null);
});

Deno.test("readQuery() gives the runs of a message, and answers what has no word at all", () => {
  deepEqual(readQuery("error: cannot open file").phrases, [
    "error cannot open",
    "cannot open file",
  ]);
  deepEqual(readQuery("how it opens a file").phrases, []);
  deepEqual(readQuery("???").words, []);
});
