/** The past of real repositories: read once, kept for all worktrees, followed, and bounded whatever it holds. */
import { deepStrictEqual as deepEqual, rejects, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import type { Repository } from "../../src/git/repository.ts";
import { openRepository } from "../../src/git/repository.ts";
import type {
  HistoryOptions,
  HistoryReport,
  KnownHistory,
} from "../../src/history/repository_history.ts";
import { createHistory } from "../../src/history/repository_history.ts";
import { findChangedTogether } from "../../src/history/past.ts";
import { importCommits } from "../support/import_commits.ts";
import { createTempRepo } from "../support/temp_repo.ts";

function open(repo: Repository | null, more: Partial<HistoryOptions> = {}) {
  return createHistory({
    openRepo: () => Promise.resolve(repo),
    toFolder: ({ commonDir }) => join(commonDir, "code-intel"),
    toTerms: (text) => text.toLowerCase().match(/[a-z]+/g) ?? [],
    ...more,
  });
}

function toKnown(report: HistoryReport): KnownHistory {
  if (report.kind === "none") throw new Error(report.reason);
  return report.known;
}

/** The subjects of the past of a repository, and how many commits were read for it. */
async function read(repo: Repository, more: Partial<HistoryOptions> = {}) {
  const history = open(repo, more);
  const report = await history.refresh();
  await history.close();
  const { commits } = toKnown(report).past;
  return {
    subjects: commits.map(({ message }) => message.slice(0, 30)),
    read: report.kind === "known" ? report.read : 0,
  };
}

Deno.test("refresh() reads a past once, then only what is new, for all worktrees", async () => {
  await using temp = await createTempRepo({ files: { "a.ts": "1", "b.ts": "1" } });
  await temp.commit("Second", { "a.ts": "2", "b.ts": "2" });
  deepEqual(await read(temp.repo), { subjects: ["Second", "First"], read: 2 });
  deepEqual(await read(temp.repo), { subjects: ["Second", "First"], read: 0 });
  await temp.commit("Third", { "c.ts": "3" });
  deepEqual(await read(temp.repo), { subjects: ["Third", "Second", "First"], read: 1 });
  const dir = join(temp.dir, "worktree");
  await temp.git("worktree", "add", "-q", "-b", "other", dir, "HEAD~1");
  const other = await openRepository(dir);
  if (other === null) throw new Error("no worktree");
  deepEqual(await read(other), { subjects: ["Second", "First"], read: 0 });
});

Deno.test("refresh() forgets the commits of a rewritten branch", async () => {
  await using temp = await createTempRepo({ files: { "a.ts": "1", "b.ts": "1" } });
  await temp.commit("Wrong", { "a.ts": "2", "b.ts": "2" });
  const history = open(temp.repo);
  equal(findChangedTogether(toKnown(await history.refresh()).past, ["a.ts"])[0]?.times, 2);
  await temp.git("reset", "-q", "--hard", "HEAD~1");
  await temp.commit("Right", { "a.ts": "3" });
  await temp.git("reflog", "expire", "--expire=now", "--all");
  await temp.git("gc", "-q", "--prune=now");
  const { past } = toKnown(await history.refresh());
  deepEqual(past.commits.map(({ message }) => message), ["Right", "First"]);
  equal(findChangedTogether(past, ["a.ts"])[0]?.times, 1);
  await history.close();
});

Deno.test("peek() answers at once with what is known, and reads behind the answer", async () => {
  await using temp = await createTempRepo();
  const history = open(temp.repo);
  equal(await history.peek(), null);
  await history.refresh();
  equal((await history.peek())?.past.commits.length, 1);
  await temp.commit("Second", { "a.ts": "1" });
  equal((await history.peek())?.past.commits.length, 1);
  await history.refresh();
  equal((await history.peek())?.past.commits.length, 2);
  await history.close();
});

Deno.test("peekKept() waits for what is new since the past was kept, and reads nothing that nobody kept", async () => {
  await using temp = await createTempRepo();
  const first = open(temp.repo);
  equal(await first.peekKept(60_000), null);
  equal(await Deno.stat(join(temp.dir, ".git/code-intel")).then(() => true, () => false), false);
  await first.refresh();
  await temp.commit("Second", { "a.ts": "1" });
  const later = open(temp.repo);
  equal((await later.peekKept(60_000))?.past.commits.length, 2);
  await first.close();
  await later.close();
});

Deno.test("peek() of a brief process uses what is kept and reads nothing", async () => {
  await using temp = await createTempRepo();
  const brief = open(temp.repo, { isBrief: true });
  equal(await brief.peek(), null);
  await read(temp.repo);
  equal((await brief.peek())?.past.commits.length, 1);
});

Deno.test("refresh() says why there is no past", async () => {
  await using temp = await createTempRepo({ files: null });
  deepEqual(await open(temp.repo).refresh(), {
    kind: "none",
    reason: "the branch has no commit yet",
  });
  deepEqual(await open(null).refresh(), { kind: "none", reason: "there is no git repository" });
});

Deno.test("refresh() keeps the past in the folder of the user where the repository cannot be written to", async () => {
  await using temp = await createTempRepo();
  await temp.write({ ".git/code-intel": "a file in the way" });
  const fallbackFolder = join(temp.dir, "state");
  deepEqual(await read(temp.repo, { fallbackFolder }), { subjects: ["First"], read: 1 });
  deepEqual(await read(temp.repo, { fallbackFolder }), { subjects: ["First"], read: 0 });
  const brief = open(temp.repo, { fallbackFolder, isBrief: true });
  equal((await brief.peek())?.past.commits.length, 1);
  await rejects(read(temp.repo));
});

Deno.test("refresh() ends with the process and goes on in the next one", async () => {
  await using temp = await createTempRepo();
  const history = open(temp.repo);
  const reading = history.refresh();
  await history.close();
  await reading.then(() => {}, () => {});
  await rejects(history.refresh());
  equal((await read(temp.repo)).subjects.length, 1);
});

Deno.test("refresh() does not take the cut of a shallow clone for a commit, and reads on once it is deepened", async () => {
  await using temp = await createTempRepo({ files: { "a.ts": "1", "b.ts": "1" } });
  await temp.commit("Second", { "a.ts": "2" });
  await temp.commit("Third", { "b.ts": "3" });
  const dir = join(temp.dir, "shallow");
  await temp.git("clone", "-q", "--depth=2", `file://${temp.dir}`, dir);
  const clone = await openRepository(dir);
  if (clone === null) throw new Error("no clone");
  const history = open(clone);
  const known = toKnown(await history.refresh());
  deepEqual(known.past.commits.map(({ message }) => message), ["Third"]);
  deepEqual([known.isShallow, known.past.isCut], [true, true]);
  await clone.git.run(["fetch", "-q", "--unshallow"], {
    env: { GIT_ALLOW_PROTOCOL: "file" },
  });
  const { past, isShallow } = toKnown(await history.refresh());
  await history.close();
  deepEqual(past.commits.map(({ message }) => message), ["Third", "Second", "First"]);
  deepEqual([isShallow, past.isCut], [false, false]);
  deepEqual(await read(clone), { subjects: ["Third", "Second", "First"], read: 0 });
});

Deno.test("refresh() of a partial clone tells what it lacks, and reads that once it is there", async () => {
  const text = "1\n2\n3\n4\n5\n";
  await using temp = await createTempRepo({ files: { "same.ts": text, "old.ts": `${text}6\n` } });
  await temp.git("mv", "same.ts", "moved.ts");
  await temp.commit("Move it");
  await temp.git("mv", "old.ts", "new.ts");
  await temp.commit("Move and change it", { "new.ts": `${text}7\n` });
  await temp.git("config", "uploadpack.allowFilter", "true");
  const told = ({ past }: KnownHistory) => [
    past.openMoves ?? 0,
    past.byPath.get("moved.ts")?.length,
    past.byPath.get("new.ts")?.length,
  ];
  for (const filter of ["blob:none", "tree:0"]) {
    const dir = join(temp.dir, filter.slice(0, 4));
    await temp.git("clone", "-q", `--filter=${filter}`, `file://${temp.dir}`, dir);
    const clone = await openRepository(dir);
    if (clone === null) throw new Error("no clone");
    const history = open(clone);
    for (const one of [history, open(clone)]) {
      const report = await one.refresh();
      if (filter === "blob:none") deepEqual(told(toKnown(report)), [1, 2, 1]);
      else equal(report.kind === "none" && report.reason.includes("this partial clone"), true);
    }
    // Git fetches what it has to show.
    await temp.git("-C", dir, "log", "-p", "-M");
    deepEqual(told(toKnown(await history.refresh())), [0, 2, 2]);
    await history.close();
  }
});

Deno.test("refresh() keeps at most so many commits, and those of left branches no longer than they have room", async () => {
  await using temp = await createTempRepo();
  await importCommits(
    temp,
    Array.from({ length: 30 }, (_, at) => ({
      message: `Commit ${at}`,
      seconds: at,
      lines: `M 100644 :1 f${at}.ts\n`,
    })),
  );
  const { subjects } = await read(temp.repo, { maxCommits: 10 });
  deepEqual([subjects.length, subjects[0]], [10, "Commit 29"]);
  for (const tip of ["HEAD~10", "HEAD~10"]) {
    await temp.git("reset", "-q", "--hard", tip);
    equal((await read(temp.repo, { maxCommits: 10 })).subjects.length, 10);
  }
  const text = await Deno.readTextFile(join(temp.dir, ".git/code-intel/history.jsonl"));
  equal(text.split("\n").filter((line) => line.startsWith("[")).length <= 20, true);
});

Deno.test("refresh() is bounded by messages of 1 MB, a commit of 10,000 files, and dates of the future", async () => {
  await using temp = await createTempRepo({ files: { "a.ts": "1", "b\nc.ts": "1" } });
  const files = Array.from({ length: 10_000 }, (_, at) => `M 100644 :1 many/${at}.ts\n`).join("");
  const word = "word ".repeat(200_000);
  await importCommits(temp, [
    { message: `Mass ${word}`, seconds: 4_000_000_000_000, lines: files },
    {
      message: "Last",
      seconds: 1,
      lines: 'M 100644 :1 a.ts\nM 100644 :1 "b\\nc.ts"\n',
    },
  ]);
  const history = open(temp.repo);
  const { past } = toKnown(await history.refresh());
  await history.close();
  deepEqual(
    past.commits.map(({ message, changed, paths }) => [message.slice(0, 5), changed, paths.length]),
    [
      ["Last", 2, 2],
      ["Mass ", 10_000, 0],
      ["First", 2, 2],
    ],
  );
  deepEqual(findChangedTogether(past, ["a.ts"]).map(({ path }) => path), ["b\nc.ts"]);
  const { size } = await Deno.stat(join(temp.dir, ".git/code-intel/history.jsonl"));
  equal(size < 5_000, true);
});
