/** The searches by ripgrep and by the built-in scanner, over the same folder: every row must get one answer. */
import {
  deepStrictEqual as deepEqual,
  match,
  ok,
  rejects,
  strictEqual as equal,
} from "node:assert/strict";
import { join } from "node:path";
import { createBackends } from "../../src/backends/detect.ts";
import { listFilesWithRipgrep, searchWithRipgrep } from "../../src/backends/ripgrep.ts";
import type { TextQuery, TextResult, TextScope } from "../../src/backends/text_query.ts";
import { listFilesByScan, scanText } from "../../src/backends/text_scan.ts";
import { testNeeding } from "../support/needs.ts";
import type { Need } from "../support/needs.ts";

const RG = (await createBackends({ env: { get: () => undefined } }).rg()).path ?? "rg";
/** The engines, each with what it needs of the machine. */
const ENGINES: readonly { engine: string; needs: readonly Need[]; search: typeof scanText }[] = [
  {
    engine: "rg",
    needs: ["rg"],
    search: (query, scope) => searchWithRipgrep(RG, query, scope),
  },
  { engine: "scan", needs: [], search: scanText },
];
const BASE: TextQuery = {
  patterns: [],
  caseSensitive: true,
  fixed: false,
  wholeWord: false,
  contextLines: 0,
};

/** One line of 1.3 MB, more matches than any output holds. */
const LONG = `${"ab@cd ".repeat(200_000)}é end`;

const CONTENT: Readonly<Record<string, string | Uint8Array>> = {
  "a.txt": "one\ntwo Two\nthree\ntwo\nfive\n",
  "crlf.txt": "alpha end\r\nbeta end\r\n",
  "-dash.txt": "--pre=x\ntwo in dash\n",
  "latin.txt": new Uint8Array([0x63, 0xe9, 0x20, 0x74, 0x77, 0x6f, 0x0a]),
  "bin.dat": new Uint8Array([0x74, 0x77, 0x6f, 0x0a, 0, 0, 0x0a]),
  "日本.md": "前置き two 後\n識別子 two\n",
  "wide.txt": `${"x".repeat(2000)} two ${"y".repeat(2000)}\n`,
  "utf16.txt": new Uint8Array([0xff, 0xfe, 0x74, 0, 0x77, 0, 0x6f, 0, 0x0a, 0]),
};

async function inFolder<T>(run: (scope: TextScope) => Promise<T>): Promise<T> {
  const root = await Deno.makeTempDir({ prefix: "code-intel-text-" });
  try {
    for (const [path, content] of Object.entries(CONTENT)) {
      const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
      await Deno.writeFile(join(root, path), bytes);
    }
    await Deno.mkdir(join(root, "folder"));
    await Deno.writeTextFile(join(root, "folder", "deep.txt"), "two\n");
    await Deno.symlink("/", join(root, "outside"));
    await Deno.symlink(join(root, "a.txt"), join(root, "link.txt"));
    const files = [...Object.keys(CONTENT), "outside", "folder", "gone.txt", "link.txt"];
    return await run({ root, files, offset: 0, maxResults: 100 });
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

function summarize(result: TextResult): unknown {
  if (result.kind === "refused") return result.problems.map((problem) => problem.code);
  return {
    total: result.total,
    files: result.files,
    lines: result.matches.map((one) => `${one.path}:${one.line}:${one.ranges.join(" ")}`),
    matched: result.matches.flatMap((one) => one.matched === undefined ? [] : [one.matched]),
  };
}

function check(name: string, query: Partial<TextQuery>, expected: unknown): void {
  for (const { engine, needs, search } of ENGINES) {
    testNeeding(needs, `${engine}: ${name}`, async () => {
      await inFolder(async (scope) => {
        deepEqual(summarize(await search({ ...BASE, ...query }, scope)), expected);
      });
    });
  }
}

const TWO = [
  "-dash.txt:2:0,3",
  "a.txt:2:0,3",
  "a.txt:4:0,3",
  "latin.txt:1:3,6",
  "utf16.txt:1:0,3",
  "wide.txt:1:2001,2004",
  "日本.md:1:4,7",
  "日本.md:2:4,7",
];
check("search() finds words in every encoding, in order, without binary files, links and folders", {
  patterns: ["two"],
}, { total: 8, files: 6, lines: TWO, matched: [] });
check(
  "search() ignores case when asked",
  { patterns: ["TWO"], caseSensitive: false, fixed: true },
  {
    total: 8,
    files: 6,
    lines: TWO.map((line) => line === "a.txt:2:0,3" ? "a.txt:2:0,3 4,7" : line),
    matched: [],
  },
);
check("search() of line ends passes over the carriage return", { patterns: ["end$"] }, {
  total: 2,
  files: 1,
  lines: ["crlf.txt:1:6,9", "crlf.txt:2:5,8"],
  matched: [],
});
check("search() of several patterns says which matched", { patterns: ["two", "Two|five"] }, {
  total: 9,
  files: 6,
  lines: [
    "-dash.txt:2:0,3",
    "a.txt:2:0,3 4,7",
    "a.txt:4:0,3",
    "a.txt:5:0,4",
    ...TWO.slice(3),
  ],
  matched: [[0], [0, 1], [0], [1], [0], [0], [0], [0], [0]],
});
check("search() keeps a flag of one pattern from the others", { patterns: ["(?i)ZZZ", "two"] }, {
  total: 8,
  files: 6,
  lines: TWO,
  matched: TWO.map(() => [1]),
});
check(
  "R51: search() takes a pattern that begins with - as a pattern",
  { patterns: ["--pre=x"] },
  {
    total: 1,
    files: 1,
    lines: ["-dash.txt:1:0,7"],
    matched: [],
  },
);
check("search() of whole words", { patterns: ["wo"], wholeWord: true }, {
  total: 0,
  files: 0,
  lines: [],
  matched: [],
});
check("R24: search() refuses an invalid expression", { patterns: ["a("] }, ["invalid_pattern"]);
check("search() refuses each bad pattern", { patterns: ["ok", "[z", "b)"] }, [
  "invalid_pattern",
  "invalid_pattern",
]);
check("search() refuses line breaks", { patterns: ["a\nb"], fixed: true }, ["invalid_pattern"]);

for (const { engine, needs, search } of ENGINES) {
  testNeeding(needs, `R24: ${engine} gives context lines`, async () => {
    await inFolder(async (scope) => {
      const result = await search({ ...BASE, patterns: ["two"], contextLines: 1 }, {
        ...scope,
        files: ["a.txt"],
      });
      ok(result.kind === "found");
      deepEqual(result.matches.map((one) => [one.before, one.after]), [
        [["one"], ["three"]],
        [["three"], ["five"]],
      ]);
    });
  });

  testNeeding(
    needs,
    `R50: ${engine} keeps maxResults for the whole answer, with exact totals`,
    async () => {
      await inFolder(async (scope) => {
        const query = { ...BASE, patterns: ["two"] };
        const lines: string[] = [];
        for (let offset = 0; offset < 9; offset += 3) {
          const page = await search(query, { ...scope, offset, maxResults: 3 });
          ok(page.kind === "found");
          equal(page.total, 8);
          ok(page.matches.length <= 3);
          lines.push(
            ...page.matches.map((one) => `${one.path}:${one.line}:${one.ranges.join(" ")}`),
          );
        }
        deepEqual(lines, TWO);
      });
    },
  );

  testNeeding(
    needs,
    `${engine} says where an expression is broken even when there are no files`,
    async () => {
      const result = await search({ ...BASE, patterns: ["ab[z"] }, {
        root: Deno.cwd(),
        files: [],
        offset: 0,
        maxResults: 1,
      });
      ok(result.kind === "refused");
      match(String(result.problems[0]?.message ?? ""), /ab\[z/);
      if (engine === "rg") match(String(result.problems[0]?.message ?? ""), /position 3/);
    },
  );

  testNeeding(needs, `${engine} stops when the call is cancelled`, async () => {
    await inFolder(async (scope) => {
      const signal = AbortSignal.abort();
      await rejects(search({ ...BASE, patterns: ["t.o"] }, { ...scope, signal }), {
        code: "cancelled",
      });
    });
  });
}

testNeeding(
  ["rg"],
  "listFiles by ripgrep and by scan agree, apart from binary files and links",
  async () => {
    await inFolder(async (scope) => {
      const query = { ...BASE, patterns: ["two"], fixed: true, wholeWord: true };
      const byRg = await listFilesWithRipgrep(RG, query, scope);
      deepEqual(
        byRg.filter((path) => path !== "bin.dat" && path !== "link.txt"),
        await listFilesByScan(query, scope),
      );
    });
  },
);

for (const { engine, needs, search } of ENGINES) {
  testNeeding(
    needs,
    `a line of a million matches is shown with its first ones and counted (${engine})`,
    async () => {
      const root = await Deno.makeTempDir({ prefix: "code-intel-text-" });
      try {
        await Deno.writeTextFile(join(root, "long.txt"), `x\n${LONG}\ny\n`);
        const scope = { root, files: ["long.txt"], offset: 1, maxResults: 1, timeoutMs: 300_000 };
        for (
          const [pattern, count, second] of [
            [".", LONG.length, [1, 2]],
            ["\\w+@\\w+", 200_000, [6, 11]],
            [".*", undefined, undefined],
            ["é.+", undefined, undefined],
          ] as const
        ) {
          const result = await search({ ...BASE, patterns: [pattern] }, {
            ...scope,
            offset: pattern === "." || pattern === ".*" ? 1 : 0,
          });
          ok(result.kind === "found", JSON.stringify(result));
          equal(result.matches.length, 1, pattern);
          const [found] = result.matches;
          equal(found?.line, 2);
          equal(found?.text.length, LONG.length);
          equal(found?.rangeCount, count);
          deepEqual(found?.ranges[1], second);
          if (pattern === "é.+") deepEqual(found?.ranges, [[LONG.length - 5, LONG.length]]);
        }
      } finally {
        await Deno.remove(root, { recursive: true });
      }
    },
  );
}
