/** What the analysis says of the types of names. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { analyseText } from "../../../src/analysis/analyse.ts";
import { packTypes, unpackTypes } from "../../../src/analysis/record/pack.ts";

async function read(path: string, lines: readonly string[]): Promise<readonly string[]> {
  const { types } = await analyseText(lines.join("\n"), { path, chunkMaxTokens: 512 });
  deepEqual(unpackTypes(packTypes(types)), types);
  return types.map(({ name, line, kind, text, within }) => {
    const rows = within?.map((at) => Math.floor(at / 4_096)).join("-");
    return `${line} ${name} ${kind} ${text}${rows === undefined ? "" : ` in ${rows}`}`;
  });
}

Deno.test("analyseText() says the types of variables, parameters, fields and results of Go", async () => {
  deepEqual(
    await read("a.go", [
      "package a",
      "type Box struct { items []*Item }",
      "type All []*Item",
      "var top = New()",
      "func (b *Box) Each(first, last *Item, rest ...Item) *Item {",
      "\tfor _, item := range b.items {",
      "\t\titem.Go()",
      "\t}",
      "\tx, err := b.Find(), other",
      "\ty, z := b.Two()",
      "\treturn b.Find().next",
      "}",
    ]),
    [
      "2 items type []*Item",
      "3 All alias []*Item",
      "4 top value New()",
      "5 b type *Box in 5-12",
      "5 Each result *Item",
      "5 first type *Item in 5-12",
      "5 last type *Item in 5-12",
      "5 rest type []Item in 5-12",
      "6 item each this.items[] in 6-8",
      "9 x value this.Find() in 5-12",
      "9 err value other in 5-12",
      "10 y value this.Two() in 5-12",
      "10 z value this.Two()#1 in 5-12",
      "11 next chain this.Find()",
    ],
  );
});

Deno.test("analyseText() says where functions without types of parameters stand, and what hides a name", async () => {
  deepEqual(
    await read("a.ts", [
      "type Handler = (c: Context) => void;",
      "export const one: Handler = (c) => {};",
      "export const two = (): Handler => async (c) => {};",
      "app.get('/', (c) => {",
      "  const { req, res: answer } = c;",
      "  try {} catch (c) {}",
      "});",
      "class A { get me(): A { return this } other = new B() }",
      "for (const x of all()) {}",
      "export { one as first };",
    ]),
    [
      "1 Handler alias (c: Context) => void",
      "1 c type Context in 1-1",
      "2 one type Handler",
      "2 c context :Handler@0 in 2-2",
      "3 two result Handler",
      "3 c context :Handler@0 in 3-3",
      "4 c context app.get@1@0 in 4-7",
      "5 req value c.req in 4-7",
      "5 answer value c.res in 4-7",
      "6 c value  in 6-6",
      "8 me type A",
      "8 me result A",
      "8 other value <B>",
      "9 x each all()[] in 9-9",
      "10 first value one",
    ],
  );
});

Deno.test("analyseText() says the types of names, attributes and results of Python", async () => {
  deepEqual(
    await read("a.py", [
      "top = make(1)[2]",
      "class A:",
      "    field: t.Optional[B] = None",
      "    def go(self, b: B, *rest: B, c=None):",
      "        self.b = b or B()",
      "        self.none = None",
      "        for one, (two) in b.items():",
      "            one.go()",
      "        with b.open() as file, cast('C', b) as cast_one:",
      "            file.go()",
      "        if isinstance(c, C) and c:",
      "            c.go()",
      "        return top[1:].last if c else None",
      "    @property",
      "    async def read(self) -> list[B]: ...",
      "    @wrap(1)",
      "    def other(self):",
      "        yield (await b.two()).go()",
    ]),
    [
      "1 top value make()[]",
      "3 field type B",
      "3 field value None",
      "4 b type B in 5-13",
      "4 rest type Array<B> in 5-13",
      "4 c value  in 5-13",
      "5 b attribute b",
      "6 none attribute None",
      "7 one value b.items()*#0 in 8-8",
      "9 file value b.open().__enter__() in 5-13",
      "9 cast_one value <C>.__enter__() in 5-13",
      "11 c value <C> in 12-12",
      "13 go returned top.last",
      "13 last chain top",
      "15 read value ()",
      "15 read result Promise<Array<B>>",
      "17 other value wrap()()",
      "18 other returned ",
      "18 go chain b.two()~",
    ],
  );
});

Deno.test("analyseText() says what types give their bases, and long unions of names whole", async () => {
  const union = Array.from({ length: 60 }, (_, index) => `Number${index}`).join(" | ");
  deepEqual(
    await read("a.ts", [
      "class Own<T> extends Base<T, Item> implements Other<T> {}",
      "interface Both<T> extends a.One<T>, Two, Three<T[]> {}",
      `type Any = ${union};`,
      `type Long = ${union} | { key: string };`,
    ]),
    [
      "1 Own generic <T>",
      "1 Own extends Base<T, Item>",
      "2 Both generic <T>",
      "2 Both extends a.One<T>",
      "2 Both extends Three<T[]>",
      `3 Any alias ${union}`,
      "4 key type string in 4-4",
    ],
  );
});
