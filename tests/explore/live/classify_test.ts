/** What a mention does, one line of code a row. */
import { ok, strictEqual as equal } from "node:assert/strict";
import { languageByName } from "../../../src/language/mod.ts";
import { classifyMention } from "../../../src/explore/live/classify.ts";

function check(name: string, line: string, expected: string, word = "Name"): void {
  Deno.test(`classifyMention() of ${name}: ${line} is ${expected}`, () => {
    const language = languageByName(name);
    ok(language !== undefined);
    const start = line.indexOf(word);
    equal(
      classifyMention({ lines: [line], index: 0, start, end: start + word.length, language }),
      expected,
    );
  });
}

check("ts", "import { Name } from x;", "import");
check("ts", "export { Name } from x;", "import");
check("ts", "const Name = require(x);", "import");
check("ts", "foo(Name);", "read");
check("ts", "Name?.(x)", "call");
check("ts", "new Name(x)", "call");
check("ts", "class A extends Name {", "type");
check("ts", "let x: Name = 1;", "type");
check("ts", "let x: Map<string, Name>;", "type");
check("ts", "Name<string>(x)", "call");
check("ts", "Name = 1", "write");
check("ts", "Name === 1", "read");
check("ts", "Name ??= 1", "write");
check("ts", "Name++", "write");
check("ts", "(Name) => 1", "read");
check("tsx", "<Name prop={1} />", "call");
check("python", "from a import Name", "import");
check("python", "class A(Name):", "type");
check("python", "def f(x: Name) -> None:", "type");
check("python", "f(name=1)", "read", "name");
check("python", "Name: int = 1", "read");
check("go", "x := pkg.Name(1)", "call");
check("go", "name := 1", "write", "name");
check("go", "func f(n *Name) {", "type");
check("rust", "use a::Name;", "import");
check("rust", "let x: &Name = y;", "type");
check("rust", "name!(x)", "call", "name");
check("java", "private Name field;", "type");
check("java", "List<Name> list = x;", "type");
check("java", "return name;", "read", "name");
check("php", "use App\\Name;", "import");
check("php", "function f(Name $x)", "type");
check("ruby", "user.name", "call", "name");
check("ruby", "user.name = 1", "write", "name");
check("c", "#include Name", "import");
check("c", "Name *p = q;", "type");
check("bash", "  name arg", "call", "name");
check("scss", "@include name;", "call", "name");
check("js", "const a = function name() {", "definition", "name");
check("js", "const { name } = options;", "write", "name");
check("js", "const { name: other } = options;", "read", "name");
check("js", "for (const name of names) {", "write", "name");
check("js", "@name", "call", "name");
check("ts", "x as Name", "type");
check("python", "with name(1) as x:", "call", "name");
check("python", "with open(p) as name:", "write", "name");
check("python", "if x is name:", "read", "name");
check("python", "except Name as e:", "type");
check("python", "for name in xs:", "write", "name");
check("python", "name, b = f()", "write", "name");
check("python", "if name == b:", "read", "name");
check("python", "@name", "call", "name");
check("python", "x = [name for name in xs]", "read", "name");
check("go", "name, err := f()", "write", "name");
check("go", "func f(name string) {", "read", "name");
check("go", "func f(a name) {", "type", "name");
check("go", "return Name{1}", "type");
check("go", "var x Name", "type");
check("go", "items := []Name{}", "type");
check("go", "return name", "read", "name");
check("go", "x = a * name", "read", "name");
check("java", "for (Name x : xs) {", "type");
check("java", "if (name instanceof A) {", "read", "name");
check("java", "x = name * y;", "read", "name");
check("java", "return (Name) x;", "read");
check("java", "new Name<>(x)", "call");
check("java", "catch (final Name e) {", "type");
check("c", "x = name * y;", "read", "name");
check("c", "f(name & mask);", "read", "name");
check("php", "return name . $x;", "read", "name");
check("php", "catch (Name $e) {", "type");
check("php", "Name::run($x);", "read");
check("php", "new Name($x)", "call");
check("ruby", "class A < Name", "type");
check("ruby", "include Name", "import");
check("ruby", "name, b = f", "write", "name");
