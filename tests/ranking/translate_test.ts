/** Questions in Japanese, put into the words that code uses. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { readGlossary } from "../../src/ranking/glossary_ja.ts";
import { toEnglishSound, toKanaSound, translate } from "../../src/ranking/translate.ts";

Deno.test("translate() takes the longest words that it knows, and passes over what only joins them", () => {
  const rows: readonly (readonly [question: string, english: string, coverage: number])[] = [
    ["JSONレスポンスの解析", "JSON response parse", 1],
    ["ユーザー認証の仕組み", "user auth", 1],
    ["サーバの環境変数を読み込む処理", "server environment load", 1],
    ["ステータスコードとスタックトレース", "status stack", 1],
    ["UserService の保存処理", "UserService save", 1],
    ["как работает кэш", "", 0],
    ["饕餮の設定", "config", 0.5],
  ];
  for (const [question, english, coverage] of rows) {
    const found = translate(question);
    deepEqual([found.english, found.coverage], [english, coverage], question);
  }
});

Deno.test("translate() cuts loan words as a whole, and leaves those that it does not know to their sound", () => {
  deepEqual(translate("コンテンツネゴシエーション").english, "content negotiation");
  const { unknown, terms } = translate("ハーポクラテスの登録");
  deepEqual(unknown, ["ハーポクラテス"], "no part of it is taken for a word");
  deepEqual(terms, [["register", "registration"]]);
});

Deno.test("toKanaSound() and toEnglishSound() hear a word alike", () => {
  const pairs: readonly (readonly [kana: string, english: string])[] = [
    ["ブループリント", "blueprint"],
    ["テレスコープ", "telescope"],
    ["ウィジェット", "widget"],
    ["オムニバス", "omnibus"],
    ["ジオメトリ", "geometry"],
    ["アノテーション", "annotation"],
    ["ハーモニカ", "harmonica"],
    ["フェデレーション", "federation"],
  ];
  for (const [kana, english] of pairs) equal(toKanaSound(kana), toEnglishSound(english), english);
  ok(toKanaSound("ブループリント") !== toEnglishSound("blanket"));
});

Deno.test("the table has plain words on both sides", () => {
  const glossary = readGlossary();
  ok(glossary.size > 1_500);
  for (const [word, english] of glossary) {
    ok(/^[\u3005\u3040-\u30ff\u4e00-\u9fff]+$/u.test(word), word);
    for (const one of english) ok(/^[a-z0-9]+$/.test(one), `${word}: ${one}`);
  }
});
