/** What the analysis says of the types of names. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { analyseText } from "../../../src/analysis/mod.ts";
import { packTypes, unpackTypes } from "../../../src/analysis/pack.ts";

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
