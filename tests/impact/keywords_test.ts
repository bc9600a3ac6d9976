/** What documents are searched for. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { toKeywords } from "../../src/impact/keywords.ts";

Deno.test("toKeywords() takes quotes first, then names, then words, then the targets; Japanese too", () => {
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
    deepEqual([...toKeywords(text, targets)].sort(), [...expected].sort(), text);
  }
  const many = Array.from({ length: 30 }, (_, at) => `word${at}x`).join(" ");
  deepEqual(toKeywords(many, []).length, 10);
});
