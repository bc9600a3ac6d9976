/** Holds `src/git/snapshots/snapshots.ts` to its promises, on real repositories. */
import {
  deepStrictEqual as deepEqual,
  notStrictEqual as notEqual,
  ok,
  strictEqual as equal,
} from "node:assert/strict";
import { join } from "node:path";
import type { Repository } from "../../../src/git/repository.ts";
import { writeWorktreeTree } from "../../../src/git/index/private_index.ts";
import { takeSnapshot } from "../../../src/git/snapshots/snapshots.ts";
import { openRepository } from "../../../src/git/repository.ts";
import { listSnapshots } from "../../../src/git/snapshots/snapshots.ts";
import { diffTrees, listTree } from "../../../src/git/trees/changes.ts";
import type { TempRepo } from "../../support/temp_repo.ts";
import { createTempRepo, expectUntouched, runGit } from "../../support/temp_repo.ts";

const SESSION = "session_20261121_101500_3fa9";
const AT = new Date("2026-11-21T10:15:00Z");

async function writeTree(repo: Repository, maxFileMb = 50): Promise<string> {
  return (await writeWorktreeTree(repo, { sessionId: SESSION, maxFileMb })).tree;
}

async function listPaths(temp: TempRepo, tree: string): Promise<string[]> {
  return (await listTree(temp.repo, tree)).map(({ path }) => path);
}

Deno.test("takeSnapshot() saves tracked, untracked and removed files and touches nothing", async () => {
  await using temp = await createTempRepo({ files: { "a.txt": "1\n", "b.txt": "1\n" } });
  await temp.write({
    "staged.txt": "s\n",
    "new.txt": "n\n",
    "a.txt": "2\n",
    ".gitignore": "*.log\n",
  });
  await temp.write({ "x.log": "ignored\n" });
  await temp.git("add", "staged.txt");
  await temp.remove("b.txt");
  const options = { sessionId: SESSION, label: "start", at: AT };
  const snapshot = await expectUntouched(temp, () => takeSnapshot(temp.repo, options));
  equal(snapshot.number, 1);
  equal(snapshot.ref, `refs/code-intel/${SESSION}/0001`);
  deepEqual(await listPaths(temp, snapshot.tree), [".gitignore", "a.txt", "new.txt", "staged.txt"]);
  equal(await temp.git("rev-parse", `${snapshot.ref}^{tree}`), snapshot.tree);
  const format = "--format=%(taggername) %(creatordate:unix)";
  equal(await temp.git("for-each-ref", format, snapshot.ref), "code-intel 1795256100");
  equal(await temp.git("rev-list", "--all", "--count"), "1", "no client lists what is no commit");
  equal(await temp.git("branch", "--list"), "* main");
});

Deno.test("takeSnapshot() counts on, shares identical trees, and listSnapshots() reads them back", async () => {
  await using temp = await createTempRepo();
  const take = (label: string) => takeSnapshot(temp.repo, { sessionId: SESSION, label, at: AT });
  const one = await take("one");
  const two = await take('two "quoted"\nline');
  await temp.write({ "c.txt": "c\n" });
  const three = await take("three");
  equal(two.tree, one.tree);
  notEqual(three.tree, two.tree);
  const listed = await listSnapshots(temp.repo, SESSION);
  deepEqual(listed, [one, two, three].map(({ added: _added, ...kept }) => kept));
});

Deno.test("listSnapshots() reads those of older versions, which are commits, and counts on behind them", async () => {
  await using temp = await createTempRepo();
  const tree = await temp.git("write-tree");
  const facts = { at: AT.toISOString(), label: "old", large: [], nested: [], unreadable: [] };
  const message = `code-intel snapshot: old\n\n${JSON.stringify(facts)}\n`;
  const commit = await temp.git("commit-tree", tree, "-m", message);
  const ref = `refs/code-intel/${SESSION}/0001`;
  await temp.git("update-ref", ref, commit);
  const options = { sessionId: SESSION, label: "new", at: AT };
  const { added: _added, ...next } = await takeSnapshot(temp.repo, options);
  equal(next.number, 2);
  deepEqual(await listSnapshots(temp.repo, SESSION), [
    { number: 1, ref, tag: commit, tree, ...facts },
    next,
  ]);
});

Deno.test("takeSnapshot() of a tree that was just written looks at no file, unless the index changed", async () => {
  await using temp = await createTempRepo({ files: { "a.txt": "1\n" } });
  const options = { sessionId: SESSION, label: "one", at: AT };
  await temp.write({ "a.txt": "2\n", "nested/x": "x\n" });
  await runGit(join(temp.dir, "nested"), ["init", "-q"]);
  const written = await writeTree(temp.repo);
  await temp.write({ "a.txt": "3\n" });
  const shared = await takeSnapshot(temp.repo, { ...options, written });
  deepEqual([shared.tree, shared.nested], [written, [{ path: "nested", commit: null }]]);
  equal(await temp.git("show", `${shared.ref}:a.txt`), "2");
  const other = await takeSnapshot(temp.repo, { ...options, written: "0".repeat(40) });
  equal(await temp.git("show", `${other.ref}:a.txt`), "3");
  await Deno.remove(join(temp.repo.gitDir, "code-intel", `${SESSION}.index`));
  await temp.write({ "a.txt": "4\n" });
  const anew = await takeSnapshot(temp.repo, { ...options, written: other.tree });
  equal(await temp.git("show", `${anew.ref}:a.txt`), "4");
});

Deno.test("takeSnapshot() numbers on when its notes are lost", async () => {
  await using temp = await createTempRepo();
  const take = () => takeSnapshot(temp.repo, { sessionId: SESSION, label: "x", at: AT });
  await take();
  await Deno.remove(join(temp.repo.gitDir, "code-intel", `${SESSION}.json`));
  equal((await take()).number, 2);
});

Deno.test("takeSnapshot() from two processes' worth of callers at once loses none", async () => {
  await using temp = await createTempRepo();
  await temp.write({ "a.txt": "a\n" });
  const snapshots = await Promise.all(
    Array.from(
      { length: 4 },
      (_, at) => takeSnapshot(temp.repo, { sessionId: SESSION, label: `${at}`, at: AT }),
    ),
  );
  deepEqual(snapshots.map(({ number }) => number).sort(), [1, 2, 3, 4]);
  equal((await listSnapshots(temp.repo, SESSION)).length, 4);
});

Deno.test("writeWorktreeTree() equals what a fresh index would hold, through many edits", async () => {
  await using temp = await createTempRepo({ files: { "d/a": "1\n", "e/b": "1\n", f: "1\n" } });
  const steps: readonly (() => Promise<unknown>)[] = [
    () => temp.write({ "d/a": "2\n" }),
    () => temp.remove("f"),
    () => temp.write({ "f/inner": "folder for file\n" }),
    () => temp.remove("e"),
    () => temp.write({ e: "file for folder\n" }),
    () => Deno.chmod(join(temp.dir, "d/a"), 0o755),
    () => Deno.symlink("d/a", join(temp.dir, "link")),
    () => temp.remove("link"),
    () => temp.write({ link: "file for link\n" }),
  ];
  for (const [number, step] of steps.entries()) {
    await step();
    const tree = await writeTree(temp.repo);
    const fresh = join(temp.dir, ".git", "fresh.index");
    await temp.repo.git.bytes(["read-tree", "--empty"], { indexFile: fresh });
    await temp.repo.git.bytes(["add", "-A"], { indexFile: fresh });
    equal(tree, await temp.repo.git.line(["write-tree"], { indexFile: fresh }), `step ${number}`);
  }
});

Deno.test("writeWorktreeTree() sees a change of the same size in the second of the last add", async () => {
  await using temp = await createTempRepo({ files: { a: "1\n" } });
  // Both writes and the add must fall into one second, the snapshot into a later one.
  await new Promise((resolve) => setTimeout(resolve, 1030 - Date.now() % 1000));
  await temp.write({ a: "2\n" });
  await temp.git("add", "a");
  await temp.write({ a: "3\n" });
  await new Promise((resolve) => setTimeout(resolve, 1100));
  equal(await temp.git("show", `${await writeTree(temp.repo)}:a`), "3");
});

Deno.test("writeWorktreeTree() looks at files marked assume-unchanged or skip-worktree", async () => {
  await using temp = await createTempRepo({ files: { a: "1\n", b: "1\n", c: "1\n" } });
  await temp.git("update-index", "--assume-unchanged", "a");
  await temp.git("update-index", "--skip-worktree", "b", "c");
  await temp.write({ a: "hidden\n", b: "hidden\n" });
  await temp.remove("c");
  const tree = await expectUntouched(temp, () => writeTree(temp.repo));
  const changes = await diffTrees(temp.repo, "HEAD", tree);
  deepEqual(changes.map(({ path, kind }) => [path, kind]), [
    ["a", "modified"],
    ["b", "modified"],
    ["c", "deleted"],
  ]);
});

for (const cone of ["--cone", "--no-cone"]) {
  Deno.test(`writeWorktreeTree() keeps what a sparse checkout leaves out (${cone})`, async () => {
    await using temp = await createTempRepo({
      files: { "in/a": "1\n", "out/b": "1\n", top: "1\n" },
    });
    await temp.git(
      "sparse-checkout",
      "set",
      cone,
      ...(cone === "--cone" ? ["in"] : ["/in/", "/top"]),
    );
    ok(!(await temp.exists("out/b")));
    await temp.git("update-index", "--skip-worktree", "in/a");
    await temp.remove("in/a");
    const tree = await writeTree(temp.repo);
    deepEqual(await listPaths(temp, tree), ["out/b", "top"]);
  });
}

Deno.test("takeSnapshot() records nested repositories apart, with and without commits", async () => {
  await using temp = await createTempRepo();
  await temp.write({ "empty/file": "x\n", "full/file": "x\n", "own.txt": "x\n" });
  await runGit(join(temp.dir, "empty"), ["init", "-q"]);
  await runGit(join(temp.dir, "full"), ["init", "-q"]);
  await runGit(join(temp.dir, "full"), ["add", "."]);
  const identity = ["-c", "user.name=n", "-c", "user.email=e@x"];
  await runGit(join(temp.dir, "full"), [...identity, "commit", "-qm", "x"]);
  const head = await runGit(join(temp.dir, "full"), ["rev-parse", "HEAD"]);
  const snapshot = await expectUntouched(
    temp,
    () => takeSnapshot(temp.repo, { sessionId: SESSION, label: "x", at: AT }),
  );
  deepEqual(snapshot.nested, [{ path: "empty", commit: null }, { path: "full", commit: head }]);
  deepEqual(await listPaths(temp, snapshot.tree), ["README.md", "full", "own.txt"]);
  // A pipe makes git refuse the whole batch: what lies beside it is staged all the same.
  await temp.remove("own.txt");
  await new Deno.Command("mkfifo", { args: [join(temp.dir, "own.txt")] }).output();
  await runGit(join(temp.dir, "full"), [...identity, "commit", "-qm", "y", "--allow-empty"]);
  const moved = await runGit(join(temp.dir, "full"), ["rev-parse", "HEAD"]);
  const next = await writeWorktreeTree(temp.repo, { sessionId: SESSION });
  deepEqual(next.nested, [{ path: "empty", commit: null }, { path: "full", commit: moved }]);
  equal((await listTree(temp.repo, next.tree, ["full"]))[0]?.oid, moved);
  await temp.remove("own.txt");
  await temp.write({ "own.txt": "x\n" });
  // A folder that stops being a repository must not hide its files.
  await temp.remove("full/.git");
  const dissolved = await writeWorktreeTree(temp.repo, { sessionId: SESSION });
  deepEqual(await listPaths(temp, dissolved.tree), ["README.md", "full/file", "own.txt"]);
  deepEqual(dissolved.nested, [{ path: "empty", commit: null }]);
});

Deno.test("takeSnapshot() keeps submodules as links, their inside untouched", async () => {
  await using inner = await createTempRepo();
  await using temp = await createTempRepo();
  const allow = ["-c", "protocol.file.allow=always"];
  await temp.git(...allow, "submodule", "--quiet", "add", inner.dir, "sub");
  await temp.commit("With submodule");
  await temp.write({ "sub/new.txt": "inside\n" });
  equal(await writeTree(temp.repo), await temp.git("rev-parse", "HEAD^{tree}"));
  ok(await temp.exists("sub/new.txt"));
});

Deno.test("takeSnapshot() records large untracked files by hash, and tracked ones whole", async () => {
  await using temp = await createTempRepo({ files: { "tracked.bin": "small\n" } });
  const big = new Uint8Array(1024 * 1024 + 1);
  await temp.write({ "big.bin": big, "tracked.bin": big, "grows.bin": "small\n" });
  const take = () =>
    takeSnapshot(temp.repo, { sessionId: SESSION, label: "x", at: AT, maxFileMb: 1 });
  const one = await take();
  deepEqual(await listPaths(temp, one.tree), ["grows.bin", "tracked.bin"]);
  deepEqual(one.large.map(({ path, sizeBytes }) => [path, sizeBytes]), [["big.bin", big.length]]);
  equal(one.large[0]?.hash, await temp.git("hash-object", "big.bin"));
  await temp.write({ "grows.bin": big });
  const two = await take();
  deepEqual(await listPaths(temp, two.tree), ["tracked.bin"]);
  deepEqual(two.large.map(({ path }) => path), ["big.bin", "grows.bin"]);
  await temp.write({ "big.bin": "small now\n" });
  deepEqual(await listPaths(temp, (await take()).tree), ["big.bin", "tracked.bin"]);
});

const ODD_NAMES = [
  "with space.txt",
  'quo"te.txt',
  "new\nline.txt",
  "größe-語.txt",
  "-leading.txt",
  "tab\t.txt",
  ":(exclude)magic",
  "*.glob",
  "back\\slash",
  "deep/ü/-x",
];

Deno.test("takeSnapshot() takes files with odd names", async () => {
  await using temp = await createTempRepo({ files: { "README.md": "x\n" } });
  await temp.write(Object.fromEntries(ODD_NAMES.map((name) => [name, "1\n"])));
  deepEqual(
    await listPaths(temp, await writeTree(temp.repo)),
    ["README.md", ...ODD_NAMES].sort(compareBytes),
  );
  await temp.commit("Odd");
  await temp.write(Object.fromEntries(ODD_NAMES.map((name) => [name, "2\n"])));
  const changes = await diffTrees(temp.repo, "HEAD", await writeTree(temp.repo));
  deepEqual(changes.map(({ path }) => path).sort(), [...ODD_NAMES].sort());
});

function compareBytes(one: string, other: string): number {
  const [a, b] = [new TextEncoder().encode(one), new TextEncoder().encode(other)];
  for (let at = 0; at < Math.min(a.length, b.length); at++) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

Deno.test("takeSnapshot() works in a sha256 repository", async () => {
  await using temp = await createTempRepo({ objectFormat: "sha256" });
  await temp.write({ "a.txt": "1\n" });
  const snapshot = await takeSnapshot(temp.repo, { sessionId: SESSION, label: "x", at: AT });
  equal(snapshot.tree.length, 64);
  deepEqual(await listPaths(temp, snapshot.tree), ["README.md", "a.txt"]);
});

Deno.test("takeSnapshot() works without a commit and without user.name", async () => {
  await using temp = await createTempRepo({ files: null });
  await temp.git("config", "--unset", "user.name");
  await temp.git("config", "user.useConfigOnly", "true");
  await temp.write({ "a.txt": "1\n" });
  const snapshot = await takeSnapshot(temp.repo, { sessionId: SESSION, label: "x", at: AT });
  deepEqual(await listPaths(temp, snapshot.tree), ["a.txt"]);
});

Deno.test("takeSnapshot() sees no change where only line ends differ under autocrlf", async () => {
  await using temp = await createTempRepo({ files: { "a.txt": "1\n2\n" } });
  await temp.git("config", "core.autocrlf", "true");
  await temp.write({ "a.txt": "1\r\n2\r\n" });
  equal(await writeTree(temp.repo), await temp.git("rev-parse", "HEAD^{tree}"));
});

Deno.test("takeSnapshot() makes a damaged private index anew", async () => {
  await using temp = await createTempRepo();
  await writeTree(temp.repo);
  const index = join(temp.repo.gitDir, "code-intel", `${SESSION}.index`);
  await Deno.writeTextFile(index, "DIRCgarbage");
  await temp.write({ "a.txt": "1\n" });
  deepEqual(await listPaths(temp, await writeTree(temp.repo)), ["README.md", "a.txt"]);
});

Deno.test("takeSnapshot() works while the person's index is damaged or in the middle of a merge", async () => {
  await using temp = await createTempRepo({ files: { a: "1\n" } });
  await temp.git("switch", "-qc", "other");
  await temp.commit("Other", { a: "2\n" });
  await temp.git("switch", "-q", "main");
  await temp.commit("Main", { a: "3\n" });
  await temp.git("merge", "other").catch(() => {});
  ok((await temp.read("a")).includes("<<<<<<<"));
  ok((await temp.git("show", `${await writeTree(temp.repo)}:a`)).includes("<<<<<<<"));
  await Deno.writeTextFile(join(temp.dir, ".git", "index"), "garbage");
  const { tree } = await writeWorktreeTree(temp.repo, {
    sessionId: "session_20260101_000000_aaaa",
  });
  deepEqual(await listPaths(temp, tree), ["a"]);
});

Deno.test("writeWorktreeTree() follows files that are force-added later although ignored", async () => {
  await using temp = await createTempRepo({ files: { ".gitignore": "*.log\n" } });
  await temp.write({ "x.log": "1\n" });
  await writeTree(temp.repo);
  await temp.git("add", "-f", "x.log");
  deepEqual(await listPaths(temp, await writeTree(temp.repo)), [".gitignore", "x.log"]);
});

Deno.test("writeWorktreeTree() finds a folder replaced by a link to the same content", async () => {
  await using temp = await createTempRepo({ files: { "src/a": "1\n" } });
  await writeTree(temp.repo);
  await Deno.rename(join(temp.dir, "src"), join(temp.dir, "elsewhere"));
  await Deno.symlink("elsewhere", join(temp.dir, "src"));
  deepEqual(await listPaths(temp, await writeTree(temp.repo)), ["elsewhere/a", "src"]);
});

Deno.test("takeSnapshot() in a second worktree has an index of its own", async () => {
  await using temp = await createTempRepo();
  const place = join(temp.dir, "..", `wt-${crypto.randomUUID().slice(0, 8)}`);
  await temp.git("worktree", "add", "-q", "-b", "side", place);
  try {
    await Deno.writeTextFile(join(place, "side.txt"), "1\n");
    const repo = await openRepository(place);
    if (repo === null) throw new Error("no repository");
    const snapshot = await takeSnapshot(repo, { sessionId: SESSION, label: "x", at: AT });
    deepEqual(await listPaths(temp, snapshot.tree), ["README.md", "side.txt"]);
    ok(await temp.exists(".git/worktrees/" + repo.gitDir.split("/").at(-1) + "/code-intel"));
  } finally {
    await Deno.remove(place, { recursive: true });
  }
});

Deno.test("writeWorktreeTree() makes its index anew when somebody else wrote it", async () => {
  await using temp = await createTempRepo({ files: { a: "one\n" } });
  const before = await writeTree(temp.repo);
  const indexFile = join(temp.dir, `.git/code-intel/${SESSION}.index`);
  await temp.repo.git.bytes(["update-index", "--assume-unchanged", "a"], { indexFile });
  await temp.write({ a: "two\n" });
  const after = await writeTree(temp.repo);
  deepEqual((await diffTrees(temp.repo, before, after)).map(({ path }) => path), ["a"]);
});

Deno.test("writeWorktreeTree() sees a change of the second in which it looked, old size and time", async () => {
  await using temp = await createTempRepo({ files: { a: "one\n" } });
  const old = new Date("2020-01-01T00:00:00Z");
  const path = join(temp.dir, "a");
  const change = async (text: string) => {
    await Deno.writeTextFile(path, text);
    await Deno.utime(path, old, old);
  };
  // The index of git is as fresh as the file; then the private one is.
  await change("1st\n");
  await temp.git("add", "a");
  const first = await writeTree(temp.repo);
  await change("2nd\n");
  const second = await writeTree(temp.repo);
  await change("3rd\n");
  const third = await writeTree(temp.repo);
  equal(await temp.git("show", `${first}:a`), "1st");
  equal(await temp.git("show", `${second}:a`), "2nd");
  equal(await temp.git("show", `${third}:a`), "3rd");
});
