/** What documents are searched for. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { chooseKeywords } from "../../src/impact/documents.ts";

Deno.test("chooseKeywords() takes quotes first, then names, then words, then the targets; Japanese too", () => {
  const rows: readonly (readonly [text: string, targets: string[], expected: string[]])[] = [
    ['Change "sign in" of the loginForm quickly', ["src/a.ts"], [
      "sign in",
      "loginForm",
      "quickly",
    ]],
    ["", ["src/cart_service.ts", "src/index.ts"], ["cart_service"]],
    ["ログイン画面の認証処理を変更する", [], ["認証処理", "ログイン", "画面"]],
    ["Add and remove the line", [], []],
  ];
  for (const [text, targets, expected] of rows) {
    const found = chooseKeywords(text, { targets, symbols: [] }).map(({ word }) => word);
    deepEqual(found.sort(), [...expected].sort(), text);
  }
  const many = Array.from({ length: 30 }, (_, at) => `word${at}x`).join(" ");
  deepEqual(chooseKeywords(many, { targets: [], symbols: [] }).length, 10);
});

Deno.test("chooseKeywords() looks for the symbols, and knows which names are ordinary words", () => {
  const found = chooseKeywords("Let `same` and `is_same` help with the core", {
    targets: ["src/core.ts", "src/help.ts"],
    symbols: ["Text.merge", "Text.mergeAll", "Text.of"],
  });
  deepEqual(found.map(({ word, isPlainName }) => [word, isPlainName]), [
    ["same", true],
    ["is_same", false],
    ["help", false],
    ["core", false],
    ["merge", true],
    ["mergeAll", false],
  ]);
});
