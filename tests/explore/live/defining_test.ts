/** Which lines make a name, and which only use it, one line of code a row. */
import { ok, strictEqual as equal } from "node:assert/strict";
import { languageByName } from "../../../src/language/mod.ts";
import { isDefining } from "../../../src/explore/live/defining.ts";

/** Language, line (the name is `name` or `Name`), whether it is defined there. */
const LINES: readonly (readonly [language: string, line: string, expected: boolean])[] = [
  ["js", "const a = function name() {", true],
  ["js", "x = function name(", true],
  ["js", "exports.go = function* name() {}", true],
  ["js", "call(function name() {", true],
  ["js", "const x = class Name {", true],
  ["js", "const x = class Name extends Base {", true],
  ["js", "  async name(a, b) {", true],
  ["js", "  static name() {}", true],
  ["js", "  name: function () {", true],
  ["js", "  name: async (a) => a + 1,", true],
  ["js", "  name(a, b);", false],
  ["js", "return name(a);", false],
  ["js", "if (name(a)) {", false],
  ["js", "  name: value,", false],
  ["js", "my_function name", false],
  ["js", "this.class.name", false],
  ["ts", "  private async name<T>(a: T): Promise<void> {", true],
  ["ts", "type Name = string;", true],
  ["ts", "type Name<T> = T[];", true],
  ["ts", "export interface Name {", true],
  ["ts", "let a: typeof name;", false],
  ["ts", "const name: () => void = f;", false],
  ["python", "    def name(self):", true],
  ["python", "async def name():", true],
  ["python", "class Name(Base):", true],
  ["python", "x = name(1)", false],
  ["python", "lambda: name(1)", false],
  ["go", "func name() {", true],
  ["go", "func (t *T) Name(a int) error {", true],
  ["go", "type Name struct {", true],
  ["go", "  defer name()", false],
  ["go", "  x := name()", false],
  ["java", "  public static void name(int a) {", true],
  ["java", "  List<String> name(int a);", true],
  ["java", "  @Override public String name() {", true],
  ["java", "class Name implements A {", true],
  ["java", "  return name(1);", false],
  ["java", "  else name(1);", false],
  ["java", "  String x = name(1);", false],
  ["java", "  throw name(1);", false],
  ["java", "  this.name(1);", false],
  ["java", "  new Name(1);", false],
  ["csharp", "  public async Task<int> name(int a)", true],
  ["csharp", "  await name(1);", false],
  ["c", "static int *name(int a)", true],
  ["c", "struct name {", true],
  ["c", "struct name *p;", false],
  ["c", "  x = y * name(2);", false],
  ["php", "  public function name(int $a): void {", true],
  ["php", "interface Name {", true],
  ["php", "  return $this->name(1);", false],
  ["ruby", "  def name", true],
  ["ruby", "  def self.name(a)", true],
  ["ruby", "module Name", true],
  ["ruby", "  name 1 do |x|", false],
  ["rust", "pub fn name<T>(a: T) {", true],
  ["rust", "pub struct Name;", true],
  ["kotlin", "fun name(a: Int) = 1", true],
  ["swift", "func name(a: Int) {", true],
];

for (const [alias, line, expected] of LINES) {
  Deno.test(`isDefining() of ${alias}: ${line} is ${expected}`, () => {
    const language = languageByName(alias);
    ok(language !== undefined, alias);
    const found = /(?<![\p{L}\d_])[Nn]ame(?![\p{L}\d_])/u.exec(line);
    ok(found !== null);
    const before = line.slice(0, found.index);
    const after = line.slice(found.index + 4);
    equal(isDefining(language, { before, after }), expected);
  });
}
