/** The table of languages against a list that is written by hand. */
import { ok, strictEqual as equal } from "node:assert/strict";
import {
  isOfLanguage,
  languageByName,
  languageOfPath,
  LANGUAGES,
} from "../../src/language/languages.ts";
import { PLAIN_ROWS, ROWS } from "../../src/language/rows.ts";

Deno.test("each language has definitions", () => {
  for (const language of LANGUAGES) ok(language.definitions.length > 0, language.name);
});

function check(path: string, expected: string | undefined): void {
  Deno.test(`languageOfPath() knows ${path} as ${expected}`, () => {
    equal(languageOfPath(path)?.name, expected);
  });
}

check("src/a.py", "Python");
check("views/home.blade.php", "Blade");
check("app/User.php", "PHP");
check("my.config.d.ts", "TypeScript");
check("Rakefile", "Ruby");
check("A.TSX", "TSX");
check("distance.app/readme", undefined);
check("x.unknown", undefined);
check(".bashrc", "Bash");
check("lib/Shop.pm", "Perl");

Deno.test("each row has a grammar or says why it has none", () => {
  for (const { name, grammar, noGrammar } of [...ROWS, ...PLAIN_ROWS]) {
    equal((grammar === undefined) !== (noGrammar === undefined), true, name);
  }
});

Deno.test("LANGUAGES gives each ending, file name and alias to one language, headers excepted", () => {
  const seen = new Map<string, string>();
  for (const { name, extensions, fileNames, aliases } of LANGUAGES) {
    for (
      const one of [
        ...extensions.map((ending) => `.${ending}`),
        ...fileNames.map((file) => `/${file}`),
        ...aliases,
      ]
    ) {
      if (one !== ".h") ok(!seen.has(one), `${one} is of ${seen.get(one)} and ${name}`);
      seen.set(one, name);
    }
  }
});

Deno.test("languageByName() takes aliases in any case", () => {
  equal(languageByName("CPP")?.name, "C++");
  equal(languageByName("py")?.name, "Python");
  equal(languageByName("klingon"), undefined);
});

Deno.test("isOfLanguage() counts headers as C and C++, and TSX as TypeScript", () => {
  const of = (name: string, path: string) => {
    const language = languageByName(name);
    return language !== undefined && isOfLanguage(path, language);
  };
  equal(of("C", "a.h"), true);
  equal(of("C++", "a.h"), true);
  equal(of("C", "a.cpp"), false);
  equal(of("TypeScript", "a.tsx"), true);
  equal(of("PHP", "a.blade.php"), false);
});
