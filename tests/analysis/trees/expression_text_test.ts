/** The short forms of expressions, and where an expression begins that ends at a place. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import {
  findExpressionStart,
  shortenExpression,
  splitTopLevel,
} from "../../../src/analysis/trees/expression_text.ts";

const SCRIPT: Readonly<Record<string, string | null>> = {
  "a.b?.c!": "a.b.c",
  "make(x, (y) => { return '}' }).go()": "make().go()",
  "z\n  .string()\n  // why\n  .min(5, /[)]/)": "z.string().min()",
  "(await z.load(1)).at": "z.load()~.at",
  "new Map<string, Foo>()": "<Map<string, Foo>>",
  'new core.Doc(["in"])': "<core.Doc>",
  "x as unknown as Foo": "<Foo>",
  "(x as Foo<A>).bar": "<Foo<A>>.bar",
  "{ ...ns, b, c: d, e() {} }": "{...ns,b,c:d}",
  "rows['key'][0].x": "rows.key[].x",
  "/* pure */ core.make<T>('x')": "core.make()",
  "opts ?? {}": "opts",
  "html`a`": "html()",
  "a + b": null,
  "() => 1": null,
  "(a) => a": null,
  "async () => 1": null,
  "ok ? a : b": null,
  "'text'": null,
};

const GO: Readonly<Record<string, string | null>> = {
  '&Command{Use: "a"}': "<Command>",
  "cobra.Command{}": "<cobra.Command>",
  "[]*Command{a, b}": "<[]*Command>",
  "map[string]*Foo{}": "<map[string]*Foo>",
  "make(map[string]*Foo, 2)": "<map[string]*Foo>",
  "new(Foo)": "<Foo>",
  "x.(*Foo).bar()": "<*Foo>.bar()",
  "c.list[i]": "c.list[]",
  "*p": "p",
  "func() {}": null,
  "a == b": null,
};

Deno.test("shortenExpression() keeps what tells the type of an expression, and nothing of what does not", () => {
  for (const [text, short] of Object.entries(SCRIPT)) {
    deepEqual(shortenExpression(text, "script"), short, text);
  }
  for (const [text, short] of Object.entries(GO)) {
    deepEqual(shortenExpression(text, "go"), short, text);
  }
  deepEqual(shortenExpression("x".repeat(20_000), "script"), null);
  deepEqual(shortenExpression("a(".repeat(500), "script"), "a()");
});

Deno.test("findExpressionStart() goes back over members, calls and strings, and ends before words of the language", () => {
  const rows = [
    ['  foo(a, "x)").bar(1)', 'foo(a, "x)").bar(1)'],
    ["x = z.string()\n  .min(5)", "z.string()\n  .min(5)"],
    ["return (a ?? b)", "(a ?? b)"],
    ["await x.y[0]", "x.y[0]"],
    ["if (new Foo(1)", "new Foo(1)"],
    ["[...all.rows()", "all.rows()"],
    ["m := Config{A: 1, B: f{}}", "Config{A: 1, B: f{}}"],
    ["m, err := mid.Config{\n\tA: 1,\n}", "mid.Config{\n\tA: 1,\n}"],
    ["if (a) { b }", ""],
  ] as const;
  for (const [text, expected] of rows) {
    const start = findExpressionStart(text, text.length);
    deepEqual(start === null ? null : text.slice(start), expected);
  }
});

Deno.test("splitTopLevel() cuts at no sign that stands in brackets or strings", () => {
  deepEqual(splitTopLevel("a, f(b, c), ',', [d, e]", ",").map((part) => part.trim()), [
    "a",
    "f(b, c)",
    "','",
    "[d, e]",
  ]);
});
