/** The program's own git directory: nothing of the project, the person or a copied folder steers it. */
import {
  deepStrictEqual as deepEqual,
  match,
  rejects,
  strictEqual as equal,
} from "node:assert/strict";
import { dirname, join } from "node:path";
import { SYSTEM_CLOCK } from "../../src/base/clock.ts";
import { writeWorktreeTree } from "../../src/git/index/private_index.ts";
import {
  checkWatched,
  createPrivateRepository,
  prunePrivate,
} from "../../src/git/private_repository.ts";
import { restorePaths } from "../../src/git/snapshots/restore.ts";
import { keepSessionTrees, takeSnapshot } from "../../src/git/snapshots/snapshots.ts";
import { diffTrees, listTree, readBlobText } from "../../src/git/trees/changes.ts";
import { giveUp } from "../support/temp_folder.ts";

const SESSION = "session_20260131_142530_9f3a";
const GIT = ".code-intel/backup/git";

async function createPlain(files: Readonly<Record<string, string>> = {}) {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "code-intel-private-" }));
  const write = async (changed: Readonly<Record<string, string>>) => {
    for (const [path, text] of Object.entries(changed)) {
      await Deno.mkdir(dirname(join(root, path)), { recursive: true });
      await Deno.writeTextFile(join(root, path), text);
    }
  };
  await write(files);
  const create = () =>
    createPrivateRepository(
      { projectRoot: root, codeIntelDir: join(root, ".code-intel") },
      SYSTEM_CLOCK,
    );
  const repo = await create().open();
  const look = async () => (await writeWorktreeTree(repo, { sessionId: SESSION })).tree;
  const list = async () => (await listTree(repo, await look())).map(({ path }) => path);
  return { root, write, create, repo, look, list, [Symbol.asyncDispose]: () => giveUp(root) };
}

Deno.test("createPrivateRepository() finds nothing before it is opened, and leaves no .git", async () => {
  await using folder = await createPlain({ "a.ts": "a\n" });
  await Deno.remove(join(folder.root, ".code-intel"), { recursive: true });
  equal(await folder.create().find(), null);
  const repo = await folder.create().open();
  equal(repo.isPrivate, true);
  equal((await folder.create().find())?.gitDir, repo.gitDir);
  equal(await Deno.lstat(join(folder.root, ".git")).catch(() => null), null);
});

Deno.test("a private tree has what nobody ignores, the rules in .code-intel too, and no own working file", async () => {
  await using folder = await createPlain({
    ".gitignore": "*.log\n",
    "a.ts": "a\n",
    "x.log": "x\n",
    "node_modules/m/index.js": "m\n",
    ".code-intel/config.json": "{}\n",
    ".code-intel/sessions/s.json": "{}\n",
    ".code-intel/manifest.json": "{}\n",
    ".hg/store": "h\n",
  });
  deepEqual(await folder.list(), [".code-intel/config.json", ".gitignore", "a.ts"]);
});

Deno.test("no attribute or filter of the project changes what a private tree holds", async () => {
  await using folder = await createPlain({
    ".gitattributes":
      "* text=auto eol=crlf filter=evil ident\n*.ts -diff working-tree-encoding=UTF-16\n",
    "a.ts": "one\r\ntwo\n$Id$\n",
  });
  const { repo, root, write, look } = folder;
  const before = await look();
  equal(await readBlobText(repo, before, "a.ts"), "one\r\ntwo\n$Id$\n");
  await write({ "a.ts": "other\n" });
  const now = await look();
  deepEqual((await diffTrees(repo, before, now)).map(({ path }) => path), ["a.ts"]);
  await restorePaths(repo, { tree: before, paths: ["a.ts"], exact: true });
  equal(await Deno.readTextFile(join(root, "a.ts")), "one\r\ntwo\n$Id$\n");
});

Deno.test("settings that somebody wrote into the directory are replaced, and never used", async () => {
  await using folder = await createPlain({ "a.ts": "a\n" });
  const { root, repo, create, write } = folder;
  const config = await Deno.readTextFile(join(root, GIT, "config"));
  await write({
    [`${GIT}/config`]: `${config}[core]\n\tfsmonitor = touch ${root}/pwned\n\tworktree = /\n`,
    [`${GIT}/info/exclude`]: "*\n",
    [`${GIT}/hooks/post-index-change`]: `#!/bin/sh\ntouch ${root}/pwned\n`,
  });
  await Deno.chmod(join(root, GIT, "hooks/post-index-change"), 0o755);
  equal((await create().find())?.worktree, root);
  equal(await Deno.readTextFile(join(root, GIT, "config")), config);
  await takeSnapshot(repo, { sessionId: SESSION, label: "x", at: new Date() });
  equal(await Deno.lstat(join(root, "pwned")).catch(() => null), null);
});

Deno.test("a directory that leads elsewhere is refused by name", async () => {
  for (
    const make of [
      (dir: string) => Deno.writeTextFile(join(dir, "commondir"), "/elsewhere\n"),
      (dir: string) => Deno.symlink("/elsewhere", join(dir, "refs/code-intel")),
    ]
  ) {
    await using folder = await createPlain({ "a.ts": "a\n" });
    await make(join(folder.root, GIT));
    await rejects(folder.create().open(), { code: "own_path_refused" });
  }
});

Deno.test("a rule that begins to ignore hides no watched file, even with a new index", async () => {
  await using folder = await createPlain({ "a.ts": "a\n", "b.ts": "b\n" });
  const { repo, root, write, look, list } = folder;
  await keepSessionTrees(repo, SESSION, { ledger: await look() });
  await write({ ".gitignore": "a.ts\n", "a.ts": "changed\n" });
  deepEqual(await list(), [".gitignore", "a.ts", "b.ts"]);
  await Deno.remove(join(root, GIT, "code-intel", `${SESSION}.index`));
  deepEqual(await list(), [".gitignore", "a.ts", "b.ts"]);
});

Deno.test("a repository that is made beside it changes nothing of the private trees", async () => {
  await using folder = await createPlain({ "a.ts": "a\n", "inner/b.ts": "b\n" });
  const before = await folder.look();
  for (const dir of [".", "inner"]) {
    const cwd = join(folder.root, dir);
    const done = await new Deno.Command("git", { args: ["init", "-q"], cwd }).output();
    equal(done.success, true);
  }
  await Deno.remove(join(folder.root, "inner/.git"), { recursive: true });
  equal(await folder.look(), before);
});

Deno.test("checkWatched() refuses too many files and too many bytes, and names where most are", () => {
  const paths = Array.from({ length: 20_001 }, (_, at) => `data/raw/part/${at}.txt`);
  const said = (action: () => void) => {
    try {
      action();
      return "";
    } catch (failure) {
      return String((failure as Error).message);
    }
  };
  match(said(() => checkWatched(paths, 0)), /more than 20,?000 files, most below "data\/raw"/);
  match(said(() => checkWatched(["a"], 2 ** 31)), /more than 1024 MiB, most below "\."/);
  equal(said(() => checkWatched(paths.slice(1), 0)), "");
});

Deno.test("prunePrivate() removes the directory only when no session names a state", async () => {
  await using folder = await createPlain({ "a.ts": "a\n" });
  const { root, repo } = folder;
  await takeSnapshot(repo, { sessionId: SESSION, label: "start", at: new Date() });
  await prunePrivate(repo);
  const refs = await repo.git.text(["for-each-ref", "--format=%(refname)"]);
  match(refs, new RegExp(`refs/code-intel/${SESSION}/0001`));
  await repo.git.bytes(["update-ref", "-d", refs.trim()]);
  await prunePrivate(repo);
  equal(await Deno.lstat(join(root, GIT)).catch(() => null), null);
});
