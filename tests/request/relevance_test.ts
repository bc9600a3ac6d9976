/** The scale of relevance, and the words by which names are met. */
import { ok, strictEqual as equal } from "node:assert/strict";
import {
  toRelevance,
  toRelevanceText,
  toSource,
  toWordShare,
} from "../../src/request/relevance.ts";

const E5 = { reject: 0.787, fact: 0.84 };

Deno.test("toRelevance() has its marks at 0.3 and 0.6, and says nothing of what it cannot know", () => {
  const at = (cosine: number | null, share = 0) => toRelevance({ share, cosine }, E5);
  ok(Math.abs((at(0.787) ?? 0) - 0.3) < 1e-9);
  ok(Math.abs((at(0.84) ?? 0) - 0.6) < 1e-9);
  equal(at(null), null);
  equal(toRelevance({ share: 0.2, cosine: 0.9 }, undefined), null, "a model without marks");
  equal(at(null, 1), 1);
  const rows: readonly (readonly [score: number | null, source: string | null])[] = [
    [at(0.85), "FACT"],
    [at(0.82), "HYPOTHESIS"],
    [at(0.82, 0.4), "FACT"],
    [at(0.78), "REJECTED"],
    [at(null, 0.5), "FACT"],
    [null, null],
  ];
  for (const [score, source] of rows) equal(toSource(score), source);
});

Deno.test("toWordShare() meets words in any form, of qualified names, and of a Japanese request", () => {
  const rows: readonly (readonly [text: string, symbol: string, share: number])[] = [
    ["add a login form", "LoginForm", 1],
    ["registering users", "UserRegistry.register", 1],
    ["add a login form", "auth::login()", 1],
    ["add a login form", "TaxRate", 0],
    ["ログイン画面の検証", "validateLogin", 1],
    ["ログイン画面の検証", "LoginThrottle", 0.5],
    ["fix getUserName", "user_name", 1],
  ];
  for (const [text, symbol, share] of rows) {
    equal(toWordShare(toRelevanceText(text), symbol), share, `${text}: ${symbol}`);
  }
  equal(toRelevanceText("ログイン画面の検証").meant, "login screen validate");
});
