/**
 * Every shape of repository that snapshots must work with: snapshot, change, restore, and the same
 * bytes, modes and links are there again, with index, HEAD and inner repositories untouched.
 */
import {
  deepStrictEqual as deepEqual,
  notDeepStrictEqual as notDeepEqual,
} from "node:assert/strict";
import { join, relative } from "node:path";
import { takeSnapshot } from "../../src/git/snapshots/snapshots.ts";
import { openRepository } from "../../src/git/repository.ts";
import { restorePaths } from "../../src/git/snapshots/restore.ts";
import { diffTrees } from "../../src/git/trees/changes.ts";
import type { TempRepo, TempRepoOptions } from "../support/temp_repo.ts";
import { createTempRepo, runGit } from "../support/temp_repo.ts";

const SESSION = "session_20261121_101500_3fa9";

/** A shape: how the repository comes to be so, and what then happens to its files. */
interface Shape {
  readonly name: string;
  readonly options?: TempRepoOptions;
  readonly prepare?: (temp: TempRepo) => Promise<unknown>;
  readonly change: (temp: TempRepo) => Promise<unknown>;
  /** Folder that is worked in, when it is another worktree. */
  readonly worktree?: (temp: TempRepo) => string;
  /** What a snapshot does not hold and a restore leaves as the change made it. */
  readonly isOutside?: (path: string) => boolean;
}

const ODD_NAMES = [
  "with space",
  'quo"te',
  "new\nline",
  "größe-語",
  "-lead",
  "tab\t",
  ":(top)x",
  "*",
];
const IDENTITY = ["-c", "user.name=n", "-c", "user.email=e@x"];

async function makeInner(temp: TempRepo, path: string): Promise<void> {
  await temp.write({ [`${path}/file`]: "inner\n" });
  await runGit(join(temp.dir, path), ["init", "-q"]);
}

async function commitInner(temp: TempRepo, path: string): Promise<void> {
  await runGit(join(temp.dir, path), ["add", "."]);
  await runGit(join(temp.dir, path), [...IDENTITY, "commit", "-qm", "x"]);
}

const SHAPES: readonly Shape[] = [
  {
    name: "tracked, staged, untracked, removed and empty files",
    options: { files: { a: "1\n", b: "1\n", "d/c": "no line end", empty: "" } },
    prepare: async (temp) => {
      await temp.write({ a: "staged\n", "new/file": "n\n" });
      await temp.git("add", "a");
      await temp.write({ a: "staged and changed\n" });
      await temp.remove("b");
    },
    change: async (temp) => {
      await temp.write({ a: "3\n", b: "back\n", empty: "full\n", "d/more": "m\n" });
      await temp.remove("new", "d/c");
    },
  },
  {
    name: "names with spaces, quotes, line ends, non-ASCII and magic",
    options: { files: Object.fromEntries(ODD_NAMES.slice(0, 4).map((name) => [name, "1\n"])) },
    prepare: (temp) => temp.write(Object.fromEntries(ODD_NAMES.map((name) => [name, "2\n"]))),
    change: async (temp) => {
      await temp.write(Object.fromEntries(ODD_NAMES.slice(0, 6).map((name) => [name, "3\n"])));
      await temp.remove(...ODD_NAMES.slice(6));
      await temp.write({ 'another ü\n"name"': "x\n" });
    },
  },
  {
    name: "symbolic links: to files, to folders, to nothing, replaced by files",
    options: { files: { a: "1\n", "d/f": "1\n" } },
    prepare: async (temp) => {
      await Deno.symlink("a", join(temp.dir, "to-file"));
      await Deno.symlink("d", join(temp.dir, "to-folder"));
      await Deno.symlink("no/where", join(temp.dir, "to-nothing"));
    },
    change: async (temp) => {
      await temp.remove("to-file", "to-folder", "to-nothing", "d");
      await temp.write({ "to-folder/x": "folder\n", "to-file": "file\n" });
      await Deno.symlink("a", join(temp.dir, "d"));
    },
  },
  {
    name: "a link that gives way to an empty folder",
    options: { files: { b: "1\n" } },
    prepare: (temp) => Deno.symlink("b", join(temp.dir, "link")),
    change: async (temp) => {
      await temp.remove("link");
      await Deno.mkdir(join(temp.dir, "link"));
      await temp.write({ b: "2\n" });
    },
  },
  {
    name: "executable bits",
    options: { files: { on: "#!/bin/sh\n", off: "x\n" } },
    prepare: (temp) => Deno.chmod(join(temp.dir, "on"), 0o755),
    change: async (temp) => {
      await Deno.chmod(join(temp.dir, "on"), 0o644);
      await Deno.chmod(join(temp.dir, "off"), 0o755);
    },
  },
  {
    name: "binary files and mixed line ends",
    options: { files: { text: "a\r\nb\nc\r\n" } },
    prepare: (temp) => temp.write({ bin: new Uint8Array([0, 255, 13, 10, 0, 10, 13]) }),
    change: (temp) => temp.write({ bin: new Uint8Array([1]), text: "a\nb\nc\n" }),
  },
  {
    name: "core.autocrlf",
    options: { files: { "a.txt": "1\n2\n" } },
    prepare: async (temp) => {
      await temp.git("config", "core.autocrlf", "true");
      await temp.write({ "a.txt": "1\r\n2\r\n3\r\n", "new.txt": "x\r\ny\r\n" });
    },
    change: async (temp) => {
      await temp.write({ "a.txt": "other\r\n" });
      await temp.remove("new.txt");
    },
  },
  {
    name: "line ends and encodings by .gitattributes",
    options: {
      files: { ".gitattributes": "*.crlf eol=crlf\n*.u16 working-tree-encoding=UTF-16LE\n" },
    },
    prepare: (temp) =>
      temp.write({
        "a.crlf": "1\r\n2\r\n",
        "a.u16": new Uint8Array([0x61, 0, 0xfc, 0, 0x0a, 0]),
      }),
    change: (temp) =>
      temp.write({ "a.crlf": "3\r\n", "a.u16": new Uint8Array([0x62, 0, 0x0a, 0]) }),
  },
  {
    name: "clean and smudge filters",
    prepare: async (temp) => {
      await temp.git("config", "filter.turn.clean", "tr a-y b-z");
      await temp.git("config", "filter.turn.smudge", "tr b-z a-y");
      await temp.write({ ".gitattributes": "*.turn filter=turn\n" });
      await temp.commit("Filtered", { "a.turn": "hello\n" });
      await temp.write({ "a.turn": "changed\n", "b.turn": "new\n" });
    },
    change: async (temp) => {
      await temp.write({ "a.turn": "again\n" });
      await temp.remove("b.turn");
    },
  },
  {
    name: "files marked assume-unchanged or skip-worktree",
    options: { files: { a: "1\n", b: "1\n", c: "1\n" } },
    prepare: async (temp) => {
      await temp.git("update-index", "--assume-unchanged", "a");
      await temp.git("update-index", "--skip-worktree", "b", "c");
      await temp.write({ a: "2\n", b: "2\n" });
    },
    change: async (temp) => {
      await temp.write({ a: "3\n", b: "3\n" });
      await temp.remove("c");
    },
  },
  {
    name: "a sparse checkout",
    options: { files: { "in/a": "1\n", "out/b": "1\n", top: "1\n" } },
    prepare: async (temp) => {
      await temp.git("sparse-checkout", "set", "--cone", "in");
      await temp.write({ "in/a": "2\n" });
    },
    change: async (temp) => {
      await temp.write({ "in/a": "3\n", "in/new": "n\n" });
      await temp.remove("top");
    },
  },
  {
    name: "SHA-256 object ids",
    options: { files: { a: "1\n" }, objectFormat: "sha256" },
    prepare: (temp) => temp.write({ a: "2\n", b: "1\n" }),
    change: async (temp) => {
      await temp.write({ a: "3\n", c: "1\n" });
      await temp.remove("b");
    },
  },
  {
    name: "no commit and no identity",
    options: { files: null },
    prepare: async (temp) => {
      await temp.git("config", "--unset", "user.name");
      await temp.git("config", "--unset", "user.email");
      await temp.git("config", "user.useConfigOnly", "true");
      await temp.write({ a: "1\n", "d/b": "1\n" });
      await temp.git("add", "a");
    },
    change: async (temp) => {
      await temp.write({ a: "2\n" });
      await temp.remove("d");
    },
  },
  {
    name: "a detached HEAD in the middle of a conflict",
    options: { files: { a: "1\n" } },
    prepare: async (temp) => {
      await temp.git("switch", "-qc", "other");
      await temp.commit("Other", { a: "2\n" });
      await temp.git("switch", "-q", "--detach", "main");
      await temp.commit("Main", { a: "3\n" });
      await temp.git("merge", "other").catch(() => {});
    },
    change: (temp) => temp.write({ a: "resolved\n", b: "n\n" }),
  },
  {
    name: "nested repositories with and without commits, submodules beside them",
    options: { files: { own: "1\n" } },
    prepare: async (temp) => {
      await makeInner(temp, "empty");
      await makeInner(temp, "full");
      await commitInner(temp, "full");
      await makeInner(temp, "source");
      await commitInner(temp, "source");
      const allow = ["-c", "protocol.file.allow=always"];
      await temp.git(...allow, "submodule", "--quiet", "add", join(temp.dir, "source"), "sub");
    },
    change: async (temp) => {
      await temp.write({ own: "2\n", new: "n\n", "sub/file": "2\n", "full/file": "2\n" });
      await temp.write({ "empty/more": "2\n", ".gitmodules": "spoiled\n" });
    },
    isOutside: (path) => /^(?:empty|full|source|sub)\//.test(path),
  },
  {
    name: "another worktree",
    options: { files: { a: "1\n" } },
    prepare: async (temp) => {
      await temp.git("worktree", "add", "-q", "-b", "side", `${temp.dir}-side`);
      await Deno.writeTextFile(`${temp.dir}-side/a`, "side\n");
    },
    worktree: (temp) => `${temp.dir}-side`,
    change: async (temp) => {
      await Deno.writeTextFile(`${temp.dir}-side/a`, "changed\n");
      await Deno.writeTextFile(`${temp.dir}-side/b`, "new\n");
    },
  },
  {
    name: "a git folder that lies elsewhere",
    options: { files: { a: "1\n" } },
    prepare: async (temp) => {
      const place = `${await Deno.makeTempDir()}/git`;
      await Deno.rename(join(temp.dir, ".git"), place);
      await temp.write({ ".git": `gitdir: ${place}\n` });
    },
    change: (temp) => temp.write({ a: "2\n", b: "1\n" }),
  },
  {
    name: "a split index, fsmonitor off, untracked cache and version 4",
    options: { files: { a: "1\n", "d/b": "1\n" } },
    prepare: async (temp) => {
      await temp.git("update-index", "--split-index", "--untracked-cache");
      await temp.git("update-index", "--index-version", "4");
      await temp.write({ a: "2\n", "u/v": "1\n" });
    },
    change: async (temp) => {
      await temp.write({ a: "3\n", "u/w": "1\n" });
      await temp.remove("d", "u/v");
    },
  },
  {
    name: "force-added ignored files and intent-to-add",
    options: { files: { ".gitignore": "*.log\n" } },
    prepare: async (temp) => {
      await temp.write({ "kept.log": "1\n", meant: "1\n", "left.log": "untouched\n" });
      await temp.git("add", "-f", "kept.log");
      await temp.git("add", "-N", "meant");
    },
    change: async (temp) => {
      await temp.write({ "kept.log": "2\n" });
      await temp.remove("meant");
    },
  },
];

/** Everything below a folder but git's own, as text to compare: bytes, links, executable bits. */
async function readFiles(top: string, isOutside: (path: string) => boolean) {
  const found: Record<string, string> = {};
  const visit = async (folder: string) => {
    for await (const { name, isDirectory, isSymlink } of Deno.readDir(folder)) {
      const full = join(folder, name);
      const path = relative(top, full);
      if (name === ".git" || isOutside(path)) continue;
      if (isSymlink) found[path] = `-> ${await Deno.readLink(full)}`;
      else if (isDirectory) await visit(full);
      else {
        const { mode } = await Deno.lstat(full);
        const isExecutable = ((mode ?? 0) & 0o100) !== 0;
        found[path] = `${isExecutable ? "x" : "-"} ${(await Deno.readFile(full)).toHex()}`;
      }
    }
  };
  await visit(top);
  return Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** What neither a snapshot nor a restore may touch. */
async function readGit(dir: string): Promise<readonly string[]> {
  const head = await runGit(dir, ["symbolic-ref", "HEAD"]).catch(() => "detached");
  return [
    head,
    await runGit(dir, ["for-each-ref", "refs/heads", "refs/stash"]),
    await runGit(dir, ["ls-files", "-s", "-v"]),
  ];
}

for (const { name, options = {}, prepare, change, worktree, isOutside = () => false } of SHAPES) {
  Deno.test(`takeSnapshot() and restorePaths() bring back the same bytes: ${name}`, async () => {
    await using temp = await createTempRepo(options);
    await prepare?.(temp);
    const dir = worktree?.(temp) ?? temp.dir;
    const repo = await openRepository(dir);
    if (repo === null) throw new Error("no repository");
    try {
      const [before, git] = [await readFiles(dir, isOutside), await readGit(dir)];
      const take = (label: string) =>
        takeSnapshot(repo, { sessionId: SESSION, label, at: new Date() });
      const start = await take("start");
      deepEqual(await readFiles(dir, isOutside), before, "the snapshot changed files");
      await change(temp);
      const [changed, inside] = [
        await readFiles(dir, isOutside),
        await readFiles(dir, () => false),
      ];
      notDeepEqual(changed, before, "the change changed nothing");
      const later = await take("later");
      const restore = (tree: string) => restorePaths(repo, { tree, paths: "all", exact: true });
      await restore(start.tree);
      deepEqual(await readFiles(dir, isOutside), before);
      await restore(later.tree);
      deepEqual(await readFiles(dir, () => false), inside, "the restore cannot be undone");
      await restore(start.tree);
      deepEqual(await readGit(dir), git);
    } finally {
      if (dir !== temp.dir) await Deno.remove(dir, { recursive: true });
    }
  });
}

Deno.test("takeSnapshot() sees all changes where a folder gave way to a link that git ignores", async () => {
  await using temp = await createTempRepo({ files: { "d/f": "1\n", b: "1\n" } });
  const take = () =>
    takeSnapshot(temp.repo, { sessionId: SESSION, label: "x", at: new Date(), maxFileMb: 1 });
  const start = await take();
  await temp.remove("d");
  await temp.write({ ".git/info/exclude": "d\n", b: "2\n" });
  await Deno.symlink("b", join(temp.dir, "d"));
  const later = await take();
  deepEqual(later.unreadable, []);
  const changes = await diffTrees(temp.repo, start.tree, later.tree);
  deepEqual(changes.map(({ kind, path }) => `${kind} ${path}`), ["modified b", "deleted d/f"]);
});

Deno.test("takeSnapshot() follows a force-added file beside a folder that gave way to a link", async () => {
  await using temp = await createTempRepo({ files: { "d/f": "1\n", ".gitignore": "*.log\n" } });
  const take = () => takeSnapshot(temp.repo, { sessionId: SESSION, label: "x", at: new Date() });
  const start = await take();
  await Deno.rename(join(temp.dir, "d"), join(temp.dir, "moved"));
  await Deno.symlink("moved", join(temp.dir, "d"));
  await take();
  await temp.write({ "x.log": "1\n" });
  await temp.git("add", "-f", "x.log");
  const changes = await diffTrees(temp.repo, start.tree, (await take()).tree);
  deepEqual(changes.map(({ path }) => path).sort(), ["d", "moved/f", "x.log"]);
});
