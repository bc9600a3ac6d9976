/** Whether a document was made from a text: as it was, and after edits of every kind. */
import {
  deepStrictEqual as deepEqual,
  notStrictEqual,
  strictEqual as equal,
} from "node:assert/strict";
import { decodeScip } from "../../../src/features/scip/decode.ts";
import type { Fitted } from "../../../src/features/scip/fit.ts";
import { canName, fitDocument } from "../../../src/features/scip/fit.ts";
import { parseDescriptors } from "../../../src/features/scip/scip_symbol.ts";
import type { Unit } from "./scip_writer.ts";
import { readMarked, writeScip } from "./scip_writer.ts";

const NPM = "scip-typescript npm app 1.0.0 src/";
const SYMBOLS = {
  save: `${NPM}\`store.ts\`/Store#save().`,
  Store: `${NPM}\`store.ts\`/Store#`,
  store: `${NPM}\`store.ts\`/`,
  make: `${NPM}\`store.ts\`/Store#\`<constructor>\`().`,
  size: `${NPM}\`store.ts\`/Store#\`<get>size\`().`,
  kind: `${NPM}\`use.ts\`/kind12:`,
};

function fit(marked: string, text?: string, unit: Unit = "utf16"): Fitted | null {
  const source = readMarked("src/use.ts", marked, { symbols: SYMBOLS, unit });
  const work = decodeScip([{ folder: ".", bytes: writeScip([source.document]) }]);
  let step = work.next();
  while (step.done !== true) step = work.next();
  const [document] = step.value.documents;
  if (document === undefined) throw new Error("no document");
  const { symbols } = step.value;
  return fitDocument(
    document,
    text ?? source.text,
    (symbol) => parseDescriptors(symbols[symbol] ?? ""),
  );
}

const SOURCE = [
  "import { «Store|Store» } from «'./store'|store»;",
  "",
  "const «!it|local 1» = new «Store|make»(); // made",
  "«it|local 1».«save|save»(«it|local 1».«size|size», { «!kind|kind»: 1 });",
  "",
].join("\n");

Deno.test("fitDocument() gives the word of each place of an unchanged text", () => {
  const words = fit(SOURCE)?.places.map(({ line, column, word }) => `${line}:${column} ${word}`);
  deepEqual(words, [
    "1:10 Store",
    "1:23 './store'",
    "3:7 it",
    "3:16 Store",
    "4:1 it",
    "4:4 save",
    "4:9 it",
    "4:12 size",
    "4:20 kind",
  ]);
});

Deno.test("fitDocument() finds the same places in each unit, with an emoji and an accent before them", () => {
  const marked = "/* 😀é */ «save|save»(«'😀'|local 1»); «Store|Store»";
  for (const unit of ["utf8", "utf16", "utf32"] as const) {
    const columns = fit(marked, undefined, unit)?.places.map(({ column }) => column);
    deepEqual(columns, [11, 16, 23], unit);
  }
});

Deno.test("fitDocument() refuses a text in which a place is another word, a part of one, or none", () => {
  const { text } = readMarked("src/use.ts", SOURCE, { symbols: SYMBOLS });
  const edits: readonly (readonly [from: string, to: string])[] = [
    ["", "// one line more\n"],
    ["it.save(", "it.load("],
    ["it.save(", "it.saved("],
    ["it.save(", "xit.save("],
    ["Store()", "Stock()"],
    ["./store", "./stock"],
    ["(it.size", "(at.size"],
    ["it.save(it.size, { kind: 1 });\n", ""],
  ];
  for (const [from, to] of edits) {
    // A word that could be another name is for the other documents to give; none does here.
    const found = fit(SOURCE, text.replace(from, to));
    equal(found === null || found.used.size > 0, true, to);
  }
});

Deno.test("fitDocument() takes another encoding than the indexer's for another text", () => {
  equal(fit("/* 😀 */ «save|save»()", "/* 😀😀 */ save()"), null);
  const source = readMarked("src/use.ts", "/* 😀 */ «save|save»()", {
    symbols: SYMBOLS,
    unit: "utf8",
  });
  const unsaid = { ...source.document, unit: "unknown" as const };
  const work = decodeScip([{ folder: ".", bytes: writeScip([unsaid]) }]);
  let step = work.next();
  while (step.done !== true) step = work.next();
  const [document] = step.value.documents;
  if (document === undefined) throw new Error("no document");
  const { symbols } = step.value;
  const found = fitDocument(document, source.text, (at) => parseDescriptors(symbols[at] ?? ""));
  equal(
    found?.places[0]?.column,
    10,
    "the words decide where the indexer does not say how it counts",
  );
});

Deno.test("fitDocument() tells other names that a document gives from those that it only uses", () => {
  const given = fit("import { «save|save» as «keep|save» } from 'x';\n«keep|save»();");
  deepEqual([given?.given.size, given?.used.size], [1, 0]);
  const used = fit("import { «keep|save» } from 'x';\n«keep|save»();");
  deepEqual([used?.given.size, used?.used.size], [0, 1]);
  const whole = fit("from x import «save as keep|save»\n«keep|save»()");
  deepEqual([whole?.given.size, whole?.used.size], [1, 0]);
});

Deno.test("fitDocument() refuses two words for one local symbol, and places beyond the text", () => {
  equal(fit("let «!a|local 1»; «b|local 1»"), null);
  equal(fit("a\n\n«save|save»", "a"), null);
  equal(fit("«save|no symbol»"), null);
});

Deno.test("canName() knows how indexers write modules, constructors, getters and properties", () => {
  const rows: readonly (readonly [word: string, symbol: string, expected: boolean])[] = [
    ["flag", "scip-go gomod github.com/spf13/pflag v1 `github.com/spf13/pflag`/", true],
    ["'../../store.js'", SYMBOLS.store, true],
    ["'..'", SYMBOLS.store, true],
    ["'./stock'", SYMBOLS.store, false],
    ["flask", "scip-python python flask 1 flask/__init__:", true],
    ["constructor", SYMBOLS.make, true],
    ["Store", SYMBOLS.make, true],
    ["Stock", SYMBOLS.make, false],
    ["size", SYMBOLS.size, true],
    ["sizes", SYMBOLS.size, false],
    ["kind", SYMBOLS.kind, true],
    ["kind1", SYMBOLS.kind, true],
    ["kin", SYMBOLS.kind, false],
    ["'content-type'", `${NPM}\`a.ts\`/\`'content-type'0\`:`, true],
    ["#x", `${NPM}\`a.ts\`/A#\`#x\`.`, true],
    ["$x", "scip-php composer a 1 A#$x.", true],
  ];
  for (const [word, symbol, expected] of rows) {
    const way = parseDescriptors(symbol);
    notStrictEqual(way, null, symbol);
    equal(way !== null && canName(word, way), expected, `${word} ${symbol}`);
  }
});
