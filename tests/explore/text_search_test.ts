/** Text in the sample project, with and without programs. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import type { Explorer, SearchTextInput } from "../../src/explore/explorer.ts";
import { shortenMatch } from "../../src/explore/small_match.ts";
import { eachWay } from "./sample_project.ts";

const INPUT: SearchTextInput = {
  patterns: ["loadUser"],
  caseSensitive: true,
  fixed: false,
  wholeWord: false,
  contextLines: 0,
  maxResults: 100,
};

eachWay("searchText() cuts long lines, says so, and bounds the places in them", async (project) => {
  const { explorer, temp } = project;
  await temp.write({ "long.txt": `${"ab ".repeat(300)}\n` });
  const answer = await explorer.searchText({ ...INPUT, patterns: ["ab"], path: "long.txt" });
  ok(answer.kind === "found");
  const [match] = answer.matches;
  equal(match?.isCut, true);
  equal(match?.submatches.length, 20);
  equal(match?.submatchCount, 300);
  ok(match !== undefined);
  const small = shortenMatch(match, 30);
  ok(small.text.length <= 30);
  equal(small.submatchCount, 300);
});

async function places(explorer: Explorer, input: Partial<SearchTextInput>): Promise<string[]> {
  const answer = await explorer.searchText({ ...INPUT, ...input });
  ok(answer.kind === "found", JSON.stringify(answer));
  equal(answer.total, answer.matches.length);
  return answer.matches.map((match) => `${match.path}:${match.line}`);
}

eachWay(
  "searchText() finds lines, hidden and ignored files only when asked",
  async ({ explorer }) => {
    const plain = [
      "docs/guide.md:3",
      "src/app.ts:2",
      "src/app.ts:7",
      "src/app.ts:8",
      "src/load.ts:5",
      "src/load.ts:6",
    ];
    deepEqual(await places(explorer, {}), plain);
    deepEqual(
      await places(explorer, { includeIgnored: true }),
      [
        "dist/out.js:1",
        ...plain,
        "secret.txt:1",
      ].toSorted(),
    );
    deepEqual(await places(explorer, { patterns: ["deploy_user"] }), []);
    deepEqual(await places(explorer, { patterns: ["deploy_user"], includeHidden: true }), [
      ".github/flow.yml:1",
    ]);
  },
);

eachWay("searchText() keeps to path, globs and file type", async ({ explorer }) => {
  deepEqual(await places(explorer, { path: "src/app.ts" }), [
    "src/app.ts:2",
    "src/app.ts:7",
    "src/app.ts:8",
  ]);
  deepEqual(await places(explorer, { path: "src", globs: ["load.*"] }), [
    "src/load.ts:5",
    "src/load.ts:6",
  ]);
  deepEqual(await places(explorer, { globs: ["*.ts", "!src/app.ts"] }), [
    "src/load.ts:5",
    "src/load.ts:6",
  ]);
  deepEqual(await places(explorer, { fileType: "md" }), ["docs/guide.md:3"]);
  deepEqual(await places(explorer, { path: "secret.txt" }), ["secret.txt:1"]);
});

eachWay("searchText() tells all problems of a call together", async ({ explorer }) => {
  const answer = await explorer.searchText({
    ...INPUT,
    patterns: ["a("],
    path: "scr",
    fileType: "phyton",
  });
  ok(answer.kind === "refused");
  deepEqual(answer.problems.map((problem) => problem.code), [
    "path_not_found",
    "unknown_file_type",
    "invalid_pattern",
  ]);
  ok(String(answer.problems[0]?.hint).includes('"src"'));
  ok(String(answer.problems[1]?.hint).toLowerCase().includes("python"));
  ok(answer.problems.every((problem) => problem.hint !== undefined));
});

eachWay(
  "R24: searchText() limits the whole answer and keeps the total exact",
  async ({ explorer }) => {
    const answer = await explorer.searchText({
      ...INPUT,
      maxResults: 2,
      offset: 1,
      contextLines: 1,
    });
    ok(answer.kind === "found");
    deepEqual(answer.matches.map((match) => `${match.path}:${match.line}`), [
      "src/app.ts:2",
      "src/app.ts:7",
    ]);
    equal(answer.total, 6);
    equal(answer.files, 3);
    deepEqual(answer.matches[0]?.before, ["import {"]);
    deepEqual(answer.shownFiles, ["src/app.ts"]);
  },
);

eachWay(
  "searchText() lets several patterns take turns, and says the total of each",
  async (project) => {
    const { explorer, temp } = project;
    await temp.write({
      "turns/a.txt": "often\noften rare\noften\noften\n",
      "turns/z.txt": "rare\nnever\n",
    });
    const input = {
      ...INPUT,
      patterns: ["often", "rare", "none"],
      path: "turns",
      takesTurns: true,
    };
    const pages = [];
    for (const offset of [0, 3]) {
      const answer = await explorer.searchText({ ...input, maxResults: 3, offset });
      ok(answer.kind === "found", JSON.stringify(answer));
      deepEqual([answer.total, answer.files, answer.totals], [5, 2, [4, 2, 0]]);
      pages.push(answer.matches.map(({ path, line }) => `${path.slice(6)}:${line}`));
    }
    deepEqual(pages, [["a.txt:1", "a.txt:2", "a.txt:3"], ["z.txt:1", "a.txt:4"]]);
    const both = { ...input, patterns: ["often|never", "rare"], maxResults: 2 };
    await temp.write({ "turns/a.txt": "often\noften\n" });
    const ranked = await explorer.searchText(both);
    ok(ranked.kind === "found");
    // The file in which both meet comes first, wherever its path stands.
    deepEqual(ranked.matches.map(({ path, line }) => `${path.slice(6)}:${line}`), [
      "z.txt:2",
      "z.txt:1",
    ]);
  },
);
