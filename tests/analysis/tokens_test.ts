/** Words of texts and of questions. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import type { NamedSymbol } from "../../src/analysis/tokens.ts";
import {
  buildMatchAny,
  foldName,
  qualifyName,
  splitIdentifier,
  splitScope,
  splitWords,
} from "../../src/analysis/tokens.ts";

Deno.test("qualifyName() names each holder once, whether it stands round or is only said", () => {
  const all: readonly NamedSymbol[] = [
    { name: "app", parent: null },
    { name: "Shop", parent: 0 },
    { name: "open", parent: 1, scope: "Shop" },
    { name: "close", parent: 0, scope: "app::Shop" },
    { name: "run", parent: null, scope: "a.b\\C" },
    { name: "inner", parent: 4 },
  ];
  const names = all.map((symbol) => qualifyName(symbol, (at) => all[at]));
  deepEqual(names, [
    "app",
    "app.Shop",
    "app.Shop.open",
    "app.Shop.close",
    "a.b.C.run",
    "a.b.C.run.inner",
  ]);
});

Deno.test("splitScope() is empty where the holder is what the scope says", () => {
  deepEqual(splitScope({}, undefined), []);
  deepEqual(splitScope({ scope: "A" }, { name: "A" }), []);
  deepEqual(splitScope({ scope: "A::B" }, undefined), ["A", "B"]);
  equal(splitScope({ scope: "::f" }, undefined).length, 1);
});

Deno.test("splitWords() gives identifiers whole and split, lower case", () => {
  const rows: readonly (readonly [text: string, expected: string])[] = [
    ["getUserName(id)", "getusername get user name id"],
    ["HTTP_SERVER2 = XMLParser", "httpserver2 http server 2 xmlparser xml parser"],
    ["$this->user_id", "this userid user id"],
    ["", ""],
    ["... !!", ""],
    ["x".repeat(65) + " a", "a"],
    ["größeÄnderung", "größeänderung größe änderung"],
    ["ｆｕｌｌ", "full"],
    ["ログイン機能 login画面", "ログ グイ イン ン機 機能 login 画面"],
    ["木", "木"],
    ["사용자 인증", "사용 용자 인증"],
    ["naïve café", "naïve café"],
  ];
  for (const [text, expected] of rows) equal(splitWords(text), expected, text);
});

Deno.test("splitIdentifier() cuts at case, digits and separators", () => {
  deepEqual(splitIdentifier("parseJSON2Map"), ["parse", "json", "2", "map"]);
  deepEqual(splitIdentifier("__init__"), ["init"]);
  deepEqual(splitIdentifier("ÜberGröße"), ["über", "größe"]);
  deepEqual(splitIdentifier("A"), ["a"]);
  deepEqual(splitIdentifier("__"), []);
});

Deno.test("foldName() makes one of all ways to write a name", () => {
  for (const name of ["getUser", "get_user", "GET_USER", "get-user"]) {
    equal(foldName(name), "getuser");
  }
});

Deno.test("buildMatchAny() asks for each word once, and nothing of the question is syntax", () => {
  equal(buildMatchAny('NEAR("a" OR a*)'), '"near" OR "a" OR "or"');
  equal(buildMatchAny("?!"), null);
});
