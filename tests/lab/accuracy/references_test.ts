/** How names are chosen, how hits are filtered and compared, and what the page makes of it. */
import { deepStrictEqual as deepEqual, match } from "node:assert/strict";
import { renderAccuracy } from "../../../lab/accuracy/accuracy_page.ts";
import { compareLines, parseHits } from "../../../lab/accuracy/compare_references.ts";
import { explain } from "../../../lab/accuracy/definition_facts.ts";
import { classAt, parseLexed } from "../../../lab/accuracy/lexed.ts";
import { countWords, pickNames } from "../../../lab/accuracy/pick_names.ts";
import type { ReferenceDifference } from "../../../lab/accuracy/reference_kinds.ts";
import { REFERENCE_KINDS } from "../../../lab/accuracy/reference_kinds.ts";

const LEXED = parseLexed(
  [
    '{"path": "a", "spans": [[1, 0, 4, "comment"], [2, 4, 8, "string"], [3, 0, 3, "keyword"]]}',
    '{"path": "b", "spans": [], "reason": "no lexer"}',
    "",
  ].join("\n"),
);

Deno.test("parseLexed() keeps the spans of files that have a lexer", () => {
  deepEqual([...LEXED.keys()], ["a"]);
  const file = LEXED.get("a") ?? new Map();
  deepEqual(
    [[1, 3], [1, 4], [2, 4], [3, 2], [9, 0]].map(([line, byte]) =>
      classAt(file, line ?? 0, byte ?? 0)
    ),
    ["comment", "code", "string", "keyword", "code"],
  );
});

Deno.test("parseHits() reads each place of each line", () => {
  const row = (path: string, line: number, starts: readonly number[]) =>
    JSON.stringify({
      type: "match",
      data: {
        path: { text: path },
        lines: { text: "x" },
        line_number: line,
        submatches: starts.map((start) => ({ start })),
      },
    });
  deepEqual(parseHits(`${row("./a/b", 3, [0, 7])}\n{"type":"end"}\n`), [
    { path: "a/b", line: 3, byte: 0 },
    { path: "a/b", line: 3, byte: 7 },
  ]);
});

Deno.test("compareLines() counts a line once, and drops what stands in comments and strings only", () => {
  const hit = (line: number, byte: number, path = "a") => ({ path, line, byte });
  const theirs = [hit(1, 0), hit(2, 5), hit(2, 9), hit(3, 0), hit(5, 1), hit(6, 0), hit(1, 0, "b")];
  const ours = [hit(2, 9), hit(5, 1), hit(5, 8), hit(1, 0), hit(8, 0)];
  deepEqual(compareLines(ours, theirs, LEXED), {
    both: 2,
    onlyRipgrep: [
      { path: "a", line: 3, byte: 0, place: "keyword" },
      { path: "a", line: 6, byte: 0, place: "code" },
    ],
    onlyOurs: [
      { path: "a", line: 1, byte: 0, place: "comment" },
      { path: "a", line: 8, byte: 0, place: "code" },
    ],
  });
});

Deno.test("pickNames() takes from each kind in turn names that stand 2 to 200 times, always the same", () => {
  const defined = ["a", "b", "c", "d", "lone", "#no", "often"].map((name) => ({
    name,
    kind: "function",
  }));
  const words = [...["a", "b", "c", "d", "K", "#no"].flatMap((name) => [name, name]), "lone"];
  const counts = countWords([[words.join(" ")], Array.from({ length: 201 }, () => "often")]);
  const all = [...defined, { name: "K", kind: "class" }, { name: "a", kind: "class" }];
  const picked = pickNames(all, counts, 4);
  deepEqual(picked, pickNames([...all].reverse().reverse(), counts, 4));
  deepEqual(picked.map(({ kind }) => kind), ["class", "function", "function", "function"]);
  deepEqual(pickNames(all, counts, 100).map(({ name }) => name).sort(), ["K", "a", "b", "c", "d"]);
});

function difference(more: Partial<ReferenceDifference>): ReferenceDifference {
  const place = { path: "a", line: 1, byte: 0, place: "code" } as const;
  return {
    ...place,
    name: "it",
    side: "ripgrep",
    text: "it",
    language: "Go",
    isPartial: false,
    ...more,
  };
}

const DIFFERENCES = [
  difference({ text: "é $it", byte: 4 }),
  difference({ text: "<p>Do it now</p>", byte: 6, language: "TSX" }),
  difference({ place: "keyword" }),
  difference({ text: "#pragma it", byte: 8, place: "directive" }),
  difference({ text: "  // it", byte: 5, place: "directive" }),
  difference({ side: "ours", place: "string" }),
  difference({ isPartial: true }),
  difference({}),
  difference({ side: "ours" }),
];

Deno.test("REFERENCE_KINDS explains each kind of difference, and nothing else", () => {
  deepEqual(
    explain(DIFFERENCES, REFERENCE_KINDS, null).map(({ kind }) => kind?.id ?? null),
    [
      "part of a longer name",
      "text of a page",
      "word of the language",
      "directive",
      "comment in a directive",
      "name in quotes",
      "broken text",
      null,
      null,
    ],
  );
});

Deno.test("renderAccuracy() counts what nobody explains as our fault, and lists it", async () => {
  const url = new URL("../../../lab/accuracy/page.md", import.meta.url);
  const page = renderAccuracy(await Deno.readTextFile(url), [{
    name: "sample",
    revision: "abc",
    language: "Go",
    files: 3,
    partial: 1,
    definitions: { both: 4, onlyCtags: [], onlyOurs: [] },
    references: {
      names: 5,
      both: 6,
      differences: explain(DIFFERENCES, REFERENCE_KINDS, null),
    },
  }], { commit: "`def`", programs: ["ctags 1"] });
  match(page, /\| sample \| Go \| 3 \| 1 \| `abc` \|/);
  match(page, /\| sample \| 4 \| 0 \| 0 \| 0 \| 0 \| 0 \| 100\.00 % \| 100\.00 % \|/);
  // Two of eight lines are missed, one of seven is extra.
  match(page, /\| sample \| 5 \| 6 \| 7 \| 2 \| 2 \| 75\.00 % \| 85\.71 % \|/);
  match(page, /\| broken text \| .* \| the index \| sample 1 \| sample: `it`, a:1 \|/);
  match(page, /\| sample \| reference \| `it` \| a:1 \|/);
});
