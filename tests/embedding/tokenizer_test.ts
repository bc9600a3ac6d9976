/** The tokenizer against the ids of the reference implementation, and at its bounds. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal, throws } from "node:assert/strict";
import { Tokenizer } from "../../src/embedding/encoder.ts";
import { readReferences } from "./references.ts";

const FILE = await Deno.readFile(new URL("../../models/tokenizer.bin", import.meta.url));

Deno.test("encode() gives the ids of the reference tokenizer, text by text", async () => {
  const tokenizer = new Tokenizer(FILE);
  const references = await readReferences();
  equal(references.length, 35);
  for (const { kind, text, ids } of references) {
    deepEqual(tokenizer.encode(`${kind}: ${text.trim()}`), ids, text);
  }
});

Deno.test("encode() cuts at the limit and keeps the marks of start and end", () => {
  const tokenizer = new Tokenizer(FILE);
  const ids = tokenizer.encode("word ".repeat(1000), 16);
  equal(ids.length, 16);
  deepEqual([ids[0], ids.at(-1)], [0, 2]);
  equal(tokenizer.encode("word ".repeat(1000)).length, 512);
});

Deno.test("encode() of nothing is start and end, and unknown characters side by side are one piece", () => {
  const tokenizer = new Tokenizer(FILE);
  deepEqual(tokenizer.encode(" \t\n\u200b"), [0, 2]);
  const unknown = tokenizer.encode("\u{10ffff}\u{10fffe}").filter((id) => id === 3);
  equal(unknown.length, 1);
});

Deno.test("new Tokenizer() reads bytes at any offset, and refuses what is no vocabulary", () => {
  const shifted = new Uint8Array(FILE.length + 1);
  shifted.set(FILE, 1);
  deepEqual(
    new Tokenizer(shifted.subarray(1)).encode("hello"),
    new Tokenizer(FILE).encode("hello"),
  );
  throws(() => new Tokenizer(new Uint8Array(100)), /damaged/);
  ok(new Tokenizer(FILE).encode("hello").length > 2);
});
