/** The scale of relevance, and the words by which names are met. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import {
  CALIBRATION,
  classifyScore,
  computeRelevance,
  computeWordShare,
  parseRelevanceText,
} from "../../src/request/measure_symbols.ts";
import { proposeMarks, toFigures } from "../../lab/relevance/main.ts";
import { measurePairs, readPairs } from "../../lab/relevance/pairs.ts";

const MARKS = { reject: 0, fact: 0.2 };

Deno.test("computeRelevance() has its marks at 0.3 and 0.6, and says nothing of what it cannot know", () => {
  const at = (cosine: number | null, share = 0) => computeRelevance({ share, cosine }, MARKS);
  ok(Math.abs((at(0) ?? 0) - 0.3) < 1e-9);
  ok(Math.abs((at(0.2) ?? 0) - 0.6) < 1e-9);
  equal(at(null), null);
  equal(at(null, 1), 1);
  const rows: readonly (readonly [score: number | null, source: string | null])[] = [
    [at(0.22), "FACT"],
    [at(0.17), "HYPOTHESIS"],
    [at(0.17, 0.4), "FACT"],
    [at(-0.1), "REJECTED"],
    [at(null, 0.5), "FACT"],
    [null, null],
  ];
  for (const [score, source] of rows) equal(classifyScore(score), source);
});

Deno.test("computeWordShare() meets words in any form, of qualified names, and of a Japanese request", () => {
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
    equal(computeWordShare(parseRelevanceText(text), symbol), share, `${text}: ${symbol}`);
  }
  equal(parseRelevanceText("ログイン画面の検証").meant, "login screen validate");
});

Deno.test("the marks hold for the labelled pairs, in both languages, and are those of the table of the program", async () => {
  const pairs = await measurePairs(await readPairs());
  for (const language of ["en", "ja"] as const) {
    const own = pairs.filter((pair) => pair.language === language);
    ok(own.length > 250, `${language}: ${own.length} pairs`);
    const figures = toFigures(own, CALIBRATION);
    ok(figures.factPrecision >= 0.95, `${language}: ${figures.factPrecision} of the facts`);
    ok(figures.factRecall >= 0.86, `${language}: ${figures.factRecall} of the related`);
    ok(figures.wronglyRejected <= 0.015, `${language}: ${figures.wronglyRejected} refused`);
  }
  const all = toFigures(pairs, CALIBRATION);
  ok(all.rejectPrecision >= 0.95 && all.rejectRecall >= 0.15);
  const words = toFigures(pairs, null);
  ok(words.factPrecision >= 0.99 && words.factRecall >= 0.75, "words alone are sure, and fewer");
  equal(words.wronglyRejected, 0);
  const { reject, fact } = proposeMarks(pairs);
  const { reject: lower, fact: upper } = CALIBRATION;
  deepEqual([reject.toFixed(2), fact.toFixed(2)], [lower.toFixed(2), upper.toFixed(2)]);
});
