/** Questions about the past itself, on real repositories. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import type { Repository } from "../../src/git/repository.ts";
import { openRepository } from "../../src/git/repository.ts";
import type { FileHistory } from "../../src/history/past_reader.ts";
import { createHistoryReader } from "../../src/history/past_reader.ts";
import { createHistory } from "../../src/history/repository_history.ts";
import { importCommits } from "../support/import_commits.ts";
import { createTempRepo } from "../support/temp_repo.ts";

function open(repo: Repository | null) {
  const openRepo = () => Promise.resolve(repo);
  const history = createHistory({
    openRepo,
    toFolder: ({ commonDir }) => join(commonDir, "code-intel"),
    toTerms: (text) => text.toLowerCase().match(/[a-z]+/g) ?? [],
  });
  return { reader: createHistoryReader({ history, openRepo }), history };
}

async function read(repo: Repository, path: string, lines?: readonly [number, number]) {
  const { reader, history } = open(repo);
  const ranges = lines === undefined ? [] : [{ start: lines[0], end: lines[1] }];
  const found = await reader.readFile(path, ranges);
  await history.close();
  if (found.kind === "none") throw new Error(found.reason);
  return found;
}

const toSubjects = ({ commits }: FileHistory) => commits.map(({ message }) => message);

const YEAR = 31_600_000;

Deno.test("readFile() says who changed it last and why, how often, with what; rank() which change most", async () => {
  await using temp = await createTempRepo({ files: { "a.ts": "1\n2\n3\n", "b.ts": "1" } });
  await importCommits(temp, [
    { message: "Both", seconds: 3 * YEAR, files: { "a.ts": "1\nTWO\n3\n", "b.ts": "2" } },
    {
      message: "Again",
      seconds: 4 * YEAR,
      author: "Ada",
      files: { "a.ts": "1\nTWO\nTHREE\n", "b.ts": "3" },
    },
    { message: 'Revert "Again"', seconds: 4 * YEAR + 1, files: { "b.ts": "2" } },
    { message: "fix: b", seconds: 4 * YEAR + 2, files: { "b.ts": "4" } },
  ]);
  await temp.git("reset", "-q", "--hard");
  const file = await read(temp.repo, "a.ts");
  deepEqual([toSubjects(file), file.changes, file.of], [["Again", "Both", "First"], 3, 5]);
  const [last] = file.commits;
  deepEqual([last?.author, last?.followUp?.kind], ["Ada", "reverted"]);
  deepEqual(file.together.map(({ path, times }) => [path, times]), [["b.ts", 3]]);
  deepEqual(file.years.slice(0, 2), [{ year: 1973, commits: 1 }, { year: 1974, commits: 1 }]);
  const line = await read(temp.repo, "a.ts", [2, 2]);
  deepEqual([toSubjects(line), line.commits[0]?.lines, line.notices], [["Both"], 1, []]);
  const told = (one: FileHistory) => [
    one.lineChanges,
    one.changes,
    one.together.map(({ path, times }) => [path, times]),
    one.authors.map(({ name, commits }) => `${name} ${commits}`),
  ];
  deepEqual(told(line), [2, 3, [["b.ts", 2]], ["P 1", "Test Person 1"]]);
  // What is not committed moves the lines.
  await temp.write({ "a.ts": "0\n1\nTWO\n2.5\n" });
  deepEqual((await read(temp.repo, "a.ts", [3, 3])).lineChanges, 2);
  deepEqual(
    (await read(temp.repo, "a.ts", [4, 4])).lineChanges,
    2,
    "rewritten: those of what it was",
  );
  deepEqual((await read(temp.repo, "a.ts", [1, 1])).lineChanges, 0);
  await temp.git("checkout", "-q", "--", "a.ts");
  equal(file.lineChanges, null);
  const beyond = await read(temp.repo, "a.ts", [7, 9]);
  deepEqual([toSubjects(beyond), beyond.notices.length], [["Again", "Both", "First"], 1]);
  deepEqual([line.isOfLines, beyond.isOfLines, file.authorsOf], [true, false, null]);
  const none = await read(temp.repo, "none.ts");
  deepEqual([none.commits, none.changes, none.notices.length], [[], 0, 1]);
  const { reader, history } = open(temp.repo);
  const hot = await reader.rank(["a.ts", "b.ts", "none.ts"]);
  await history.close();
  if (hot.kind === "none") throw new Error(hot.reason);
  deepEqual(hot.spots.map(({ path, commits, fixes }) => [path, commits, fixes]), [
    ["b.ts", 5, 1],
    ["a.ts", 3, 0],
  ]);
});

Deno.test("readFile() names no commit of a shallow clone's cut, and says so; without git it says that", async () => {
  await using temp = await createTempRepo({ files: { "a.ts": "1", "b.ts": "1" } });
  await temp.commit("Second", { "a.ts": "2" });
  const dir = join(temp.dir, "shallow");
  await temp.git("clone", "-q", "--depth=1", `file://${temp.dir}`, dir);
  const clone = await openRepository(dir);
  ok(clone !== null);
  for (const lines of [undefined, [1, 1]] as const) {
    const { commits, notices } = await read(clone, "b.ts", lines);
    deepEqual([commits, notices.length], [[], 2], notices.join(" "));
  }
  const nowhere = await open(null).reader.readFile("a.ts", []);
  deepEqual(nowhere, { kind: "none", reason: "there is no git repository" });
});

Deno.test("readFile() knows the last commit of a file also where it changed too many files to be counted", async () => {
  await using temp = await createTempRepo({ files: { "a.ts": "1" } });
  const files = Object.fromEntries(Array.from({ length: 120 }, (_, at) => [`many/${at}.ts`, "1"]));
  await temp.commit("Mass", { ...files, "a.ts": "2" });
  const found = await read(temp.repo, "a.ts");
  deepEqual([toSubjects(found), found.changes], [["Mass", "First"], 1]);
  equal(found.notices.some((notice) => notice.includes("not counted")), true);
});
