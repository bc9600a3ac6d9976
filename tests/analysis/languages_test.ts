/**
 * What is found in a sample of each language, against `expected.txt` beside it, which was checked by hand.
 * `UPDATE=1` writes those files anew: read the difference before you keep it.
 */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { ROWS } from "../../src/language/rows.ts";
import type { Analysis, CodeSymbol } from "../../src/analysis/analysis.ts";
import { analyseText } from "../../src/analysis/analyse.ts";
import { standsInText, toStoredContent } from "../../src/analysis/record/content.ts";
import { findChunkFaults } from "../../lab/accuracy/chunk_faults.ts";

const FOLDER = new URL("../fixtures/languages/", import.meta.url);
const MAX_TOKENS = 512;

/** Folder of each language's sample, and the names whose occurrences are compared: all of them in short samples. */
const SAMPLES: Readonly<Record<string, readonly [folder: string, names: string]>> = {
  Python: ["python", "User Account owner limit LIMIT local name close items inner Base found"],
  PHP: ["php", "Item item Receipt make sell helper all store Base times TOP"],
  JavaScript: ["javascript", "merge use fn flatten View render app offset push timer path"],
  TypeScript: ["typescript", "read Widget name size count Square Color draw inner fs quiet join"],
  TSX: ["tsx", "Item items open toggle Row Arrow className li item List"],
  HTML: ["html", ""],
  CSS: ["css", ""],
  SCSS: ["scss", ""],
  Blade: ["blade", ""],
  Vue: ["vue", ""],
  Svelte: ["svelte", ""],
  Go: ["go", "Store items label Sprint ToUpper helper local count Name key ErrFull str"],
  Rust: ["rust", "Circle P radius area draw println count Vec center new local"],
  Java: ["java", "Item items sell max LIMIT Receipt pack Named print local"],
  Kotlin: ["kotlin", "Base items help LIMIT Receipt name owner times Seller item"],
  Scala: ["scala", "Base Thing items helper owner Receipt name Seller item"],
  C: ["c", "Item item price counter add_item SQUARE printf OPEN local"],
  "C++": ["cpp", "Shop size_ helper Item std max convert total Base local item"],
  "C#": ["c_sharp", "Item item items Max Receipt Name Twice Base Invoke local Limit"],
  Ruby: ["ruby", "Base @items parse item owner sold? local Countable new Shop"],
  Swift: ["swift", "Base items helper Receipt name item count local Seller"],
  Lua: ["lua", "Shop items decode pack helper require item LIMIT local_price"],
  Bash: ["bash", "LIMIT price sell item label count"],
  Elixir: ["elixir", "GenServer Item label Price of pack items item price Bill info"],
  HCL: ["hcl", ""],
  Haskell: ["haskell", "Shop items sort lookup Map Price name fmap key Int"],
  Zig: ["zig", "Item helper print local count self price"],
  Dart: ["dart", "Item Base helper stock item local Shop close label"],
  YAML: ["yaml", ""],
  JSON: ["json", ""],
  TOML: ["toml", ""],
  Markdown: ["markdown", ""],
  SQL: ["sql", "items price total refresh shop"],
};

// Those of one table have their samples in `tests/language/plain_languages_test.ts`.
for (const { name } of ROWS) {
  const [folder, names] = SAMPLES[name] ?? ["", ""];
  Deno.test(`analyseText() reads the sample of ${name} as expected`, async () => {
    const { path, text } = await readSample(folder);
    const analysis = await analyseText(text, { path, chunkMaxTokens: MAX_TOKENS });
    equal(analysis.language, name);
    deepEqual(findChunkFaults(text, analysis, MAX_TOKENS * 4), []);
    // Names of SCSS are joined of several places: a record of them is not taken without analysing the text.
    equal(standsInText(toStoredContent(text, analysis), text), name !== "SCSS");
    const shown = show(analysis, names === "" ? null : new Set(names.split(" ")));
    const file = new URL(`${folder}/expected.txt`, FOLDER);
    if (Deno.env.get("UPDATE") === "1") await Deno.writeTextFile(file, shown);
    equal(shown, await Deno.readTextFile(file));
  });
}

async function readSample(folder: string): Promise<{ path: string; text: string }> {
  for await (const { name } of Deno.readDir(new URL(`${folder}/`, FOLDER))) {
    if (name === "expected.txt") continue;
    const text = await Deno.readTextFile(new URL(`${folder}/${name}`, FOLDER));
    // Samples of our own languages end in .txt, so that no tool takes them for ours.
    return { path: name.replace(/\.txt$/, ""), text };
  }
  throw new Error(`No sample in ${folder}`);
}

function show(analysis: Analysis, names: ReadonlySet<string> | null): string {
  const { language, parser, isPartial, symbols, imports, occurrences, chunks } = analysis;
  return [
    `${language} by ${parser}${isPartial ? ", partial" : ""}`,
    "",
    "symbols",
    ...symbols.map((symbol) => `  ${showSymbol(symbol, symbols)}`),
    "",
    "imports",
    ...imports.map(({ module, name, alias, line, isReexport }) =>
      `  ${line} ${name ?? "-"} of ${module}${alias === "" ? "" : ` as ${alias}`}${
        isReexport === true ? ", passed on" : ""
      }`
    ),
    "",
    "occurrences",
    ...occurrences.filter(({ name }) => names?.has(name) ?? true).map((one) =>
      `  ${one.line}:${one.column} ${one.kind} ${
        one.receiver === undefined ? "" : `${one.receiver || "?"} `
      }${one.name}${one.isLocal === true ? " local" : ""}`
    ),
    "",
    "chunks",
    ...chunks.map((one) => `  ${one.startLine}-${one.endLine} ${one.kind} ${one.name}`.trimEnd()),
    "",
  ].join("\n");
}

function showSymbol(symbol: CodeSymbol, symbols: readonly CodeSymbol[]): string {
  const { name, kind, line, column, startLine, endLine, parent, scope, signature } = symbol;
  const holder = parent === null ? "" : ` in ${symbols[parent]?.name}`;
  const exported = symbol.isExported === undefined ? "" : symbol.isExported ? " +" : " -";
  const bases = symbol.bases === undefined ? "" : ` < ${symbol.bases.join(", ")}`;
  return `${startLine}-${endLine} ${kind} ${name} @${line}:${column}${holder}${
    scope === undefined ? "" : ` scope ${scope}`
  }${exported}${signature === undefined ? "" : ` ${signature}`}${bases}${
    symbol.doc === undefined ? "" : ` // ${symbol.doc}`
  }`;
}
