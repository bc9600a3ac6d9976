/** Which words two requests are compared by. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { listRequestWords } from "../../../src/features/learning/request_words.ts";

Deno.test("listRequestWords() keeps what a request is about, in English, Japanese and code", () => {
  const rows: readonly (readonly [text: string, words: readonly string[]])[] = [
    ["", []],
    ["Please fix the login form", ["login", "form"]],
    ["AuthService.refreshToken failed", ["auth", "servic", "refresh", "token", "fail"]],
    ["parse HTTP2 headers, parsing_header", ["pars", "http", "2", "header"]],
    ["logging stopped in queries", ["log", "stop", "queri"]],
    ["classes pass", ["class", "pass"]],
    ["ログインを修正", ["ログ", "グイ", "イン", "ンを", "を修", "修正"]],
    ["ＬＯＧＩＮ form", ["login", "form"]],
    ["してください", []],
    ["x".repeat(100), []],
  ];
  for (const [text, words] of rows) deepEqual([...listRequestWords(text)], words, text);
});
