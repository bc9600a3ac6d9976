/** Comments, strings and code told apart, by language. */
import { strictEqual as equal } from "node:assert/strict";
import { languageByName } from "../../src/language/languages.ts";
import { kindOfPlace, maskText } from "../../src/language/mask.ts";

function check(language: string, text: string, word: string, expected: string): void {
  Deno.test(`maskText() of ${language}: "${word}" in ${JSON.stringify(text)} is ${expected}`, () => {
    const row = languageByName(language);
    if (row === undefined) throw new Error(language);
    const masked = maskText(text, row);
    equal(masked.length, text.length);
    equal(kindOfPlace(masked, text.indexOf(word)), expected);
  });
}

check("python", "x = 1  # the word", "word", "comment");
check("python", '"""doc\nword\n"""\nx', "word", "string");
check("python", "print('it''s', word)", "word", "code");
check("python", 'f"{word} b"', "word", "code");
check("python", '"{word}"', "word", "string");
check("ts", "/* a\n word */ b", "word", "comment");
check("ts", "`a ${word} b`", "word", "code");
check("ts", "`a ${ {a: 1} } word`", "word", "string");
check("ts", 'const u = "https://x"; word()', "word", "code");
check("ts", "'a\\' word'", "word", "string");
check("ts", "it's\nword", "word", "code");
check("ruby", "=begin\nword\n=end", "word", "comment");
check("ruby", '"#{word}"', "word", "code");
check("php", "#[Attr]\nword", "word", "code");
check("php", "# word", "word", "comment");
check("bash", "x=$# word", "word", "code");
check("rust", "fn f<'a>(word: &'a str)", "word", "code");
check("sql", "-- word", "word", "comment");
check("haskell", "{- a\nword -}", "word", "comment");
check("html", "<!-- word -->", "word", "comment");

Deno.test("maskText() keeps line ends", () => {
  const row = languageByName("ts");
  if (row === undefined) throw new Error("ts");
  equal(maskText("/*\r\n\n*/", row).replace(/[^\r\n]/g, ""), "\r\n\n");
});
