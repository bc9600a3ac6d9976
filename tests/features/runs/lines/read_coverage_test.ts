/** What coverage files say of lines, on files as coverage.py, c8, Node, Go and V8 wrote them. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import type { LineHits } from "../../../../src/features/runs/lines/read_coverage.ts";
import { readCoverage } from "../../../../src/features/runs/lines/read_coverage.ts";
import { readV8 } from "../../../../src/features/runs/lines/v8.ts";

const SAMPLES = new URL("../../../fixtures/coverage/", import.meta.url);

async function sample(name: string): Promise<string> {
  return await Deno.readTextFile(new URL(name, SAMPLES));
}

/** Lines that ran, and behind the bar lines that did not. */
function toText(hits: LineHits | undefined): string {
  const lines = (ran: boolean) =>
    [...hits ?? []].filter(([, one]) => one === ran).map(([line]) => line)
      .sort((a, b) => a - b).join(" ");
  return `${lines(true)} | ${lines(false)}`;
}

const LOANS_JS = "1 2 3 6 7 8 9 10 14 15 16 17 19 | 4 5 11 12 13 18";
/** File of the sample, its format, a name in it, lines, and folders of the names. */
const ROWS: readonly (readonly [string, string, string, string, readonly string[]])[] = [
  ["coverage_py.info", "LCOV", "loans.py", "4 6 8 | 7", []],
  ["coverage_py.xml", "Cobertura", "loans.py", "4 6 8 | 7", ["/project"]],
  ["c8.info", "LCOV", "src/loans.js", LOANS_JS, []],
  ["c8.xml", "Cobertura", "src/loans.js", LOANS_JS, ["/project"]],
  ["node_test.info", "LCOV", "src/loans.js", LOANS_JS, []],
  ["go_cover.out", "Go cover profile", "example.com/library/lib/loans.go", "4 5 8 | 6 7", []],
];

Deno.test("readCoverage() reads what real tools wrote", async () => {
  for (const [file, format, name, lines, sources] of ROWS) {
    const report = readCoverage(await sample(file), () => true);
    equal(report?.format, format, file);
    equal(toText(report?.files.get(name)), lines, file);
    deepEqual(report?.sources, sources, file);
    equal(report?.isWhole, true, file);
    equal(readCoverage(await sample(file), () => false)?.files.size, 0, file);
  }
});

const RECORD = "SF:a\n";
/** Texts that somebody made, and the lines of the file `a` that are taken from them. */
const ODD: readonly (readonly [string, string | null])[] = [
  ["", null],
  ["mode: fast\na:1.1,2.2 1 1\n", null],
  [
    `${RECORD}DA:1,1\nDA:1,0\nDA:0,1\nDA:-3,1\nDA:x,1\nDA:2,-\nDA:3\nDA:1e9,1\nDA:4,0,hash\n`,
    "1 | 4",
  ],
  [`TN:\r\n${RECORD.trim()}\r\nDA:1,0\r\nend_of_record\r\nDA:2,1\r\n`, " | 1"],
  ["mode: set\na:1.1,2.2 0 1\na:3.1,999999999.2 9\na:5.1,5.9 1 7\nb\n", "5 | "],
  [
    '<!DOCTYPE coverage [<!ENTITY a "b"><!ENTITY f SYSTEM "file:///etc/passwd">]>\n<coverage>' +
    "<class filename='&f;'><line number='9' hits='1'/></class>" +
    '<!-- <class filename="a"><line number="8" hits="1"/> -->' +
    '<class name="List&lt;T>" filename="a"><line number="1" hits="1"/><line number="2" hits="0"/></class>' +
    '<line number="3" hits="1"/><class filename="a"><line number="4" hits="9',
    "1 | 2",
  ],
];

Deno.test("readCoverage() takes what can be read of odd texts, and expands nothing", () => {
  for (const [text, expected] of ODD) {
    const report = readCoverage(text, (name) => name === "a");
    equal(report === null ? null : toText(report.files.get("a")), expected, text.slice(0, 60));
  }
  const wide = `mode: set\n${"a:1.1,200000.2 1 0\n".repeat(6)}`;
  equal(readCoverage(wide, () => true)?.isWhole, false);
});

Deno.test("readV8() maps ranges to lines: of the file itself, with its types blanked, by a source map", async () => {
  const rows = [
    ["v8_js.json", "/src/loans.js", "loans.js.txt", "1 2 3 6 7 9 10 14 15 17 19 | 4 5 11 12 13 18"],
    ["v8_strip.json", "/src/typed.ts", "typed.ts.txt", "1 2 3 4 5 6 9 10 | 7 8"],
    ["v8_tsx.json", "/src/typed.ts", "typed.ts.txt", "5 6 9 10 | 7 8"],
  ] as const;
  for (const [file, path, source, lines] of rows) {
    const text = await sample(source);
    const find = (url: string) => url.endsWith(path) ? { name: "a", text } : null;
    const report = readV8(await sample(file), find);
    equal(toText(report?.files.get("a")), lines, file);
    deepEqual(report?.untold, [], file);
  }
});

Deno.test("readV8() says nothing of a text that is not the one that ran", async () => {
  const text = `${await sample("loans.js.txt")}// One more line.\n`;
  const find = () => ({ name: "a", text });
  const report = readV8(await sample("v8_js.json"), find);
  deepEqual([report?.files.size, report?.untold], [0, ["a"]]);
  for (const odd of ["", "[]", "{", '{"result":1}']) equal(readV8(odd, find), null);
  const odd = [
    { url: "a", functions: [{ ranges: [{ startOffset: 5, endOffset: 1, count: 1 }] }] },
    { url: "a", functions: [{ ranges: [{ startOffset: "x" }] }, null] },
    { url: "a" },
    null,
  ];
  const map = {
    a: { lineLengths: ["x", null], data: { sources: ["a", 1], mappings: "!AAAA;;zzzz" } },
  };
  for (const script of odd) {
    const texts = [{ result: [script] }, { result: [script], "source-map-cache": map }];
    for (const text of texts) equal(readV8(JSON.stringify(text), find)?.files.size, 0);
  }
});
