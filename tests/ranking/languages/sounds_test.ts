/** Loan words heard as English ones. */
import { ok, strictEqual as equal } from "node:assert/strict";
import {
  soundOfEnglish,
  soundOfKana,
  soundsOfHangul,
} from "../../../src/ranking/languages/sounds.ts";

Deno.test("soundOfKana() and soundOfEnglish() hear a word alike", () => {
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
  for (const [kana, english] of pairs) equal(soundOfKana(kana), soundOfEnglish(english), english);
  ok(soundOfKana("ブループリント") !== soundOfEnglish("blanket"));
});

Deno.test("soundsOfHangul() and soundOfEnglish() hear a word alike", () => {
  const pairs: readonly (readonly [hangul: string, english: string])[] = [
    ["블루프린트", "blueprint"],
    ["미들웨어", "middleware"],
    ["텔레스코프", "telescope"],
    ["제네릭", "generic"],
    ["스트링", "string"],
    ["페더레이션", "federation"],
    ["옴니버스", "omnibus"],
    ["링크", "link"],
  ];
  for (const [hangul, english] of pairs) {
    const sounds = soundsOfHangul(hangul);
    ok(
      sounds.includes(soundOfEnglish(english)),
      `${english}: ${sounds} ${soundOfEnglish(english)}`,
    );
  }
  ok(!soundsOfHangul("블루프린트").includes(soundOfEnglish("blanket")));
});
