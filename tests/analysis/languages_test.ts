/**
 * What is found in a sample of each language, against `expected.txt` beside it, which was checked by hand.
 * `UPDATE=1` writes those files anew: read the difference before you keep it.
 */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { ROWS } from "../../src/language/rows.ts";
import type { Analysis, CodeSymbol } from "../../src/analysis/analysis.ts";
import { analyseText } from "../../src/analysis/analyse.ts";
import { buildStoredContent, isFoundInText } from "../../src/analysis/record/content.ts";
import { findChunkFaults } from "../../lab/accuracy/chunk_faults.ts";
import { readLanguageSamples, SAMPLE_FOLDER } from "../support/files/language_samples.ts";

const MAX_TOKENS = 512;
// Languages without a file of their own have their samples in `tests/language/plain_languages_test.ts`.
const SAMPLES = await readLanguageSamples();

for (const { folder, path, language, text } of SAMPLES) {
  Deno.test(`analyseText() reads the sample of ${language} as expected`, async () => {
    const analysis = await analyseText(text, { path, chunkMaxTokens: MAX_TOKENS });
    equal(analysis.language, language);
    deepEqual(findChunkFaults(text, analysis, MAX_TOKENS * 4), []);
    // Names of SCSS are joined of several places: a record of them is not taken without analysing the text.
    equal(isFoundInText(buildStoredContent(text, analysis), text), language !== "SCSS");
    const file = new URL(`${folder}/expected.txt`, SAMPLE_FOLDER);
    const expected = await Deno.readTextFile(file).catch(() => "");
    // Of a long sample only the occurrences of some names are compared: a line at the top has them.
    const shown = show(analysis, /^names (.+)\n/m.exec(expected)?.[1] ?? null);
    if (Deno.env.get("UPDATE") === "1") await Deno.writeTextFile(file, shown);
    equal(shown, await Deno.readTextFile(file));
  });
}

Deno.test("each language with a file of its own has a sample", () => {
  deepEqual(SAMPLES.map(({ language }) => language).sort(), ROWS.map(({ name }) => name).sort());
});

function show(analysis: Analysis, names: string | null): string {
  const wanted = names === null ? null : new Set(names.split(" "));
  const { language, parser, isPartial, symbols, imports, occurrences, chunks } = analysis;
  return [
    `${language} by ${parser}${isPartial ? ", partial" : ""}`,
    ...(names === null ? [] : [`names ${names}`]),
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
    ...occurrences.filter(({ name }) => wanted?.has(name) ?? true).map((one) =>
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
