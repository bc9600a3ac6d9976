/** Which targets are markup alone, and which identifiers are looked for. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { chooseIdentifiers, isPureMarkup, parsePageClasses } from "../../src/impact/markup.ts";
import type { SymbolHit } from "../../src/index/read/view.ts";

function symbol(name: string, kind: string, language = "CSS"): SymbolHit {
  const place = { line: 1, column: 1, startLine: 1, endLine: 1, parent: null };
  return { name, kind, language, path: "a", position: 0, qualifiedName: name, ...place };
}

Deno.test("isPureMarkup() is strict: one file with code in it makes the whole standard", () => {
  const rows: readonly (readonly [paths: string[], expected: boolean])[] = [
    [["a.html", "b.scss", "c.md"], true],
    [["a.html", "b.vue"], false],
    [["a.blade.php"], false],
    [["a.svg"], true],
    [["a.tsx"], false],
    [[], false],
  ];
  for (const [paths, expected] of rows) equal(isPureMarkup(paths), expected, paths.join());
});

Deno.test("chooseIdentifiers() takes those that the description names, else those of the files", () => {
  const symbols = [
    symbol(".btn", "class"),
    symbol("#main", "id"),
    symbol("Cart", "class", "TypeScript"),
  ];
  const names = (text: string) =>
    chooseIdentifiers(text, symbols).map(({ name, type }) => `${type} ${name}`);
  deepEqual(names(""), ["class btn", "id main"]);
  deepEqual(names("make the btn larger in src/app.css"), ["class btn"]);
  deepEqual(names("rename .card to #card2"), ["class card", "id card2"]);
});

Deno.test("parsePageClasses() reads the classes that stand in quotes, without what a template puts in", () => {
  const rows: readonly (readonly [text: string, expected: readonly string[]])[] = [
    ['<a class="btn btn-primary">', ["btn", "btn-primary"]],
    ["<a class='x {{ kind }} y'><a class=\"x\">", ["x", "y"]],
    ["<Card className={`card ${size} wide`}/>", ["card", "wide"]],
    ['<p class="<?= $a ?> note">', ["note"]],
    ['<p data-class="no" :class="isOn ? on : off">', []],
    ["class Cart {}", []],
  ];
  for (const [text, expected] of rows) {
    deepEqual(parsePageClasses(text).map(({ name }) => name), expected, text);
  }
});
