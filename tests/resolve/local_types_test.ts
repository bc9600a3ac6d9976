/** Which types a text gives its variables, language by language. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import {
  readLocalTypes,
  readParameterType,
  readResultType,
} from "../../src/resolve/local_types.ts";
import type { Family } from "../../src/language/mod.ts";

const ROWS: readonly (readonly [family: Family, text: string, expected: string])[] = [
  ["script", "const app = new Server(1);", "app type Server"],
  ["script", "const app: Server = make();", "app type Server, app call make"],
  ["script", "let s = await lib.open();", "s call lib.open"],
  ["python", "def f(app: Flask, n: int):", "app type Flask"],
  ["python", "with app.test_client() as c:", "c call app.test_client"],
  ["python", "self.x = Flask(__name__)", "x call Flask"],
  [
    "go",
    "func (c *Context) JSON(w http.ResponseWriter, n int) {",
    "c type Context, w type http.ResponseWriter",
  ],
  ["go", "r := gin.New()", "r call gin.New"],
  ["go", "e := &Engine{a: 1}", "e type Engine, a key Engine"],
  ["go", "var w Writer", "w type Writer"],
  ["jvm", "private final Foo foo;", "foo type Foo"],
  ["jvm", "val k: Key = Key()", "k type Key, k call Key"],
  ["c_sharp", "var h = new Foo();", "h type Foo"],
  ["php", "function m(User $u) { $p = new Post(); }", "u type User, p type Post"],
  ["rust", "fn go(c: &Client) { let d = Db::new(); }", "c type Client, d call Db::new"],
  ["ruby", "coin = Coin.new", "coin type Coin"],
  ["c", "Foo* g = make();", "g type Foo"],
  ["lua", "local x = y()", ""],
];

Deno.test("readLocalTypes() reads declarations, parameters and calls that make values", () => {
  for (const [family, text, expected] of ROWS) {
    const found = readLocalTypes(text, family)
      .filter(({ name, of }) => name !== "n" && of !== "int")
      .map(({ name, kind, of }) => `${name} ${kind} ${of}`);
    for (const one of expected.split(", ").filter((part) => part !== "")) {
      equal(found.includes(one), true, `${text}: ${one} not in ${found.join(", ")}`);
    }
    if (expected === "") deepEqual(found, []);
  }
});

Deno.test("readLocalTypes() tells keys of literals of Go from labels, cases and blocks", () => {
  const text = "x := render.TOML{\n\tData: 1,\n}\nif ok {\n\tloop:\n}\nfunc f() {\n\tcase a:\n}\n";
  deepEqual(readLocalTypes(text, "go").filter(({ kind }) => kind === "key"), [
    { name: "Data", line: 2, kind: "key", of: "render.TOML" },
  ]);
});

Deno.test("readResultType() reads the end of a signature, and the first of several results", () => {
  const rows: readonly (readonly [signature: string, expected: string | undefined])[] = [
    ["(opts ...Func) *Engine", "Engine"],
    ["(w http.ResponseWriter) (c *Context, r *Engine)", "Context"],
    ["(w Writer) (*Context, error)", "Context"],
    ["(a: A): Promise<Box>", "Box"],
    ["(self) -> Flask", "Flask"],
    ["(a)", undefined],
  ];
  for (const [signature, expected] of rows) equal(readResultType(signature), expected, signature);
});

Deno.test("readParameterType() finds the parameter by its name", () => {
  equal(readParameterType("(User $u): Post", { name: "u", family: "php" }), "User");
  equal(readParameterType("(a: A, b: B)", { name: "b", family: "script" }), "B");
  equal(readParameterType("(c *Context)", { name: "c", family: "go" }), "Context");
  equal(readParameterType(undefined, { name: "c", family: "go" }), undefined);
});
