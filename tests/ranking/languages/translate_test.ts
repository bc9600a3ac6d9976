/** Questions in Japanese, Chinese and Korean, put into the words that code uses. */
import { deepStrictEqual as deepEqual, ok } from "node:assert/strict";
import { readGlossary } from "../../../src/ranking/languages/glossary_ja.ts";
import { readChinese, readKorean } from "../../../src/ranking/languages/glossary.ts";
import { translate } from "../../../src/ranking/languages/translate.ts";

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

Deno.test("translate() reads Chinese, in traditional characters too, and Korean with its particles", () => {
  const rows: readonly (readonly [question: string, english: string, coverage: number])[] = [
    ["路由器和中间件", "router middleware", 1],
    ["請求處理器", "request handler", 1],
    ["資料庫連線池", "database connection pool", 1],
    ["UserService 的令牌校验", "UserService token validate", 1],
    ["饕餮设置", "set", 0.5],
    ["認証設定", "auth config", 1],
    ["라우터는 토큰을 어떻게 검증하는가", "router token validate", 1],
    ["로그파일에서 값을 읽기", "log file value read", 1],
    ["값비싼 설정", "값비싼 config", 0.4],
  ];
  for (const [question, english, coverage] of rows) {
    const found = translate(question);
    deepEqual([found.english, found.coverage], [english, coverage], question);
  }
  deepEqual(translate("블루프린트를 등록").unknown, ["블루프린트", "블루프린트를"]);
});

Deno.test("the tables have plain words on both sides", () => {
  for (
    const [glossary, least, script] of [
      [readGlossary(), 1_500, /^[\u3005\u3040-\u30ff\u4e00-\u9fff]+$/u],
      [readChinese(), 600, /^[\u4e00-\u9fff]+$/u],
      [readKorean(), 600, /^[\uac00-\ud7a3]+$/u],
    ] as const
  ) {
    ok(glossary.size > least);
    for (const [word, english] of glossary) {
      ok(script.test(word), word);
      for (const one of english) ok(/^[a-z0-9]+$/.test(one), `${word}: ${one}`);
    }
  }
});
