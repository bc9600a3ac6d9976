/** States without git on real folders: compared, combined, and put back as far as copies go. */
import {
  deepStrictEqual as deepEqual,
  match,
  rejects,
  strictEqual as equal,
} from "node:assert/strict";
import { dirname, join } from "node:path";
import { walkFiles } from "../../src/backends/walk.ts";
import { isManifestId, ManifestTrees, toCopyName } from "../../src/ledger/manifest_trees.ts";
import { giveUp } from "../support/temp_folder.ts";

const SESSION = "session_20261121_101500_3fa9";
const OPTIONS = { sessionId: SESSION, maxFileMb: 1, known: null } as const;

async function createFolder(files: Readonly<Record<string, string>>) {
  const root = await Deno.makeTempDir({ prefix: "code-intel-manifest-" });
  const backupDir = join(root, ".code-intel/backup");
  const open = () =>
    new ManifestTrees({
      root,
      backupDir,
      listFiles: (maxFiles) => walkFiles(root, { includeLinks: true, maxFiles }),
    });
  const write = async (changed: Readonly<Record<string, string>>) => {
    for (const [path, text] of Object.entries(changed)) {
      await Deno.mkdir(dirname(join(root, path)), { recursive: true });
      await Deno.writeTextFile(join(root, path), text);
    }
  };
  await write(files);
  return {
    root,
    backupDir,
    trees: open(),
    open,
    write,
    read: (path: string) => Deno.readTextFile(join(root, path)),
    remove: (path: string) => Deno.remove(join(root, path), { recursive: true }),
    [Symbol.asyncDispose]: () => giveUp(root),
  };
}

const FILES = { "a.ts": "1\n2\n3\n", "b.ts": "b\n", "run.sh": "#!/bin/sh\n", "gone.ts": "gone\n" };

Deno.test("write() names the same state the same, in every process", async () => {
  await using folder = await createFolder(FILES);
  const first = await folder.trees.write(OPTIONS);
  equal(isManifestId(first), true);
  equal(await folder.open().write(OPTIONS), first);
  await folder.write({ "a.ts": "x\n" });
  equal(await folder.trees.write(OPTIONS) === first, false);
  await folder.write({ "a.ts": FILES["a.ts"] });
  equal(await folder.trees.write(OPTIONS), first);
});

Deno.test("diff() tells each kind of change, with the size as it is now", async () => {
  await using folder = await createFolder(FILES);
  const before = await folder.trees.write(OPTIONS);
  await folder.write({ "a.ts": "new text\n", "new ä.ts": "n" });
  await folder.remove("gone.ts");
  await folder.remove("b.ts");
  await Deno.symlink("/etc/hostname", join(folder.root, "b.ts"));
  await Deno.chmod(join(folder.root, "run.sh"), 0o755);
  const changes = await folder.open().diff(before, await folder.trees.write(OPTIONS));
  deepEqual(changes.map(({ path, kind, sizeBytes }) => [path, kind, sizeBytes]), [
    ["a.ts", "modified", 9],
    ["b.ts", "type", 13],
    ["gone.ts", "deleted", null],
    ["new ä.ts", "added", 1],
    ["run.sh", "modified", 10],
  ]);
});

Deno.test("adopt() and carry() make the states that the ledger and the baseline get", async () => {
  await using folder = await createFolder(FILES);
  const { trees } = folder;
  const start = await trees.write(OPTIONS);
  await folder.write({ "a.ts": "x\n", "b.ts": "y\n" });
  const now = await trees.write(OPTIONS);
  const booked = await trees.adopt({ onto: start, from: now, paths: ["a.ts"] });
  deepEqual((await trees.diff(booked, now)).map(({ path }) => path), ["b.ts"]);
  equal((await trees.carry({ onto: start, from: start, to: booked })).tree, booked);
});

Deno.test("changedLines() compares with the copy, and calls a file without one changed wholly", async () => {
  await using folder = await createFolder({ ...FILES, "bin": "\u0000a", "old.ts": "o\n" });
  const { trees } = folder;
  const before = await trees.write(OPTIONS);
  await trees.copyPresent(SESSION, ["a.ts"]);
  await folder.write({ "a.ts": "1\nzwei\n3\nvier\n", "b.ts": "b\nc\n", "bin": "\u0000b" });
  await folder.remove("old.ts");
  await folder.write({ "moved.ts": "o\n", "fresh.ts": "f\n" });
  await Deno.chmod(join(folder.root, "run.sh"), 0o755);
  const after = await trees.write(OPTIONS);
  const found = await trees.changedLines(before, after);
  deepEqual(
    [...found].map(([path, { change, ranges, isBinary }]) => [
      path,
      change.kind,
      ranges.map(({ start, end }) => `${start}-${end}`).join(),
      isBinary,
    ]),
    [
      ["a.ts", "modified", "2-2,4-4", false],
      ["b.ts", "modified", "1-2", false],
      ["bin", "modified", "", true],
      ["fresh.ts", "added", "1-1", false],
      ["moved.ts", "renamed", "", false],
      ["run.sh", "modified", "", false],
    ],
  );
  const withMode = [...found].filter(([, { change }]) => change.modeChanged);
  deepEqual(withMode.map(([path]) => path), ["run.sh"]);
  equal(found.get("moved.ts")?.change.from, "old.ts");
  deepEqual([...(await trees.changedLines(before, after, ["a.ts", "x"])).keys()], ["a.ts"]);
});

Deno.test("readText() gives a version that was kept, after the disk went on", async () => {
  await using folder = await createFolder(FILES);
  const { trees } = folder;
  const tree = await trees.write(OPTIONS);
  await trees.keepVersions({ tree, paths: ["a.ts", "missing"] });
  await folder.write({ "a.ts": "x\n", "b.ts": "x\n" });
  equal(await folder.open().readText(tree, "a.ts"), FILES["a.ts"]);
  equal(await trees.readText(tree, "b.ts"), null);
  equal(await trees.readText(tree, "missing"), null);
});

Deno.test("keepVersions() keeps nothing that was written since the look", async () => {
  await using folder = await createFolder(FILES);
  const tree = await folder.trees.write(OPTIONS);
  await folder.write({ "a.ts": "later\n" });
  await folder.trees.keepVersions({ tree, paths: ["a.ts"] });
  await folder.write({ "a.ts": "latest\n" });
  equal(await folder.trees.readText(tree, "a.ts"), null);
});

Deno.test("putBack() writes what has a copy, removes what is new, and mends links and bits", async () => {
  await using folder = await createFolder(FILES);
  const { trees, root } = folder;
  await Deno.symlink("a.ts", join(root, "link"));
  const tree = await trees.write(OPTIONS);
  const paths = ["a.ts", "gone.ts", "link", "run.sh", "new.ts"];
  await trees.copyPresent(SESSION, ["a.ts", "gone.ts"]);
  await folder.write({ "a.ts": "x\n", "new.ts": "n\n" });
  await folder.remove("gone.ts");
  await folder.remove("link");
  await Deno.symlink("b.ts", join(root, "link"));
  await Deno.chmod(join(root, "run.sh"), 0o755);
  deepEqual(await trees.findUnrestorable({ tree, paths, maxFileMb: 1 }), []);
  await trees.putBack({ tree, paths });
  equal(await folder.open().write(OPTIONS), tree);
  await trees.putBack({ tree, paths });
  equal(await folder.read("a.ts"), FILES["a.ts"], "the same call can be repeated");
});

Deno.test("putBack() puts a file where a folder or a link stands now, and leaves alone what the link leads to", async () => {
  await using folder = await createFolder(FILES);
  const tree = await folder.trees.write(OPTIONS);
  const paths = ["a.ts", "b.ts"];
  await folder.trees.keepVersions({ tree, paths });
  await folder.remove("a.ts");
  await Deno.mkdir(join(folder.root, "a.ts"));
  await folder.write({ "target.ts": "target\n" });
  await folder.remove("b.ts");
  await Deno.symlink("target.ts", join(folder.root, "b.ts"));
  await folder.open().putBack({ tree, paths });
  deepEqual([await folder.read("a.ts"), await folder.read("b.ts")], [FILES["a.ts"], "b\n"]);
  equal((await Deno.lstat(join(folder.root, "b.ts"))).isSymlink, false);
  equal(await folder.read("target.ts"), "target\n");
});

Deno.test("findUnrestorable() names what has no copy, and what is too large to be kept before", async () => {
  await using folder = await createFolder(FILES);
  const { trees } = folder;
  const tree = await trees.write(OPTIONS);
  await folder.write({ "b.ts": "x\n", "large": "x".repeat(1024 * 1024 + 1) });
  const paths = ["b.ts", "large"];
  deepEqual(await trees.findUnrestorable({ tree, paths, maxFileMb: 1 }), [
    { path: "b.ts", reason: "no_copy" },
    { path: "large", reason: "too_large" },
  ]);
  await rejects(trees.putBack({ tree, paths: ["b.ts"] }), /no copy of it was kept/);
  equal(await folder.read("b.ts"), "x\n");
});

Deno.test("a copy that somebody edited counts as none", async () => {
  await using folder = await createFolder(FILES);
  const { trees, backupDir } = folder;
  const tree = await trees.write(OPTIONS);
  await trees.copyPresent(SESSION, ["a.ts"]);
  await Deno.writeTextFile(join(backupDir, SESSION, "a.ts"), "forged\n");
  await folder.write({ "a.ts": "x\n" });
  const found = await trees.findUnrestorable({ tree, paths: ["a.ts"], maxFileMb: 1 });
  deepEqual(found, [{ path: "a.ts", reason: "no_copy" }]);
});

Deno.test("putBack() never writes through a link that took the place of a folder", async () => {
  await using folder = await createFolder({ "src/a.ts": "a\n" });
  const { trees, root } = folder;
  const tree = await trees.write(OPTIONS);
  await trees.copyPresent(SESSION, ["src/a.ts"]);
  const elsewhere = await Deno.makeTempDir();
  await folder.remove("src");
  await Deno.symlink(elsewhere, join(root, "src"));
  await rejects(trees.putBack({ tree, paths: ["src/a.ts"] }), /a link stands for its folder/);
  deepEqual(await Array.fromAsync(Deno.readDir(elsewhere)), []);
  await trees.putBack({ tree, paths: ["src/a.ts", "src"] });
  equal(await folder.open().write(OPTIONS), tree);
  await Deno.remove(elsewhere, { recursive: true });
});

Deno.test("copyPresent() keeps the first copy of a path under a name, and says what it has", async () => {
  await using folder = await createFolder(FILES);
  deepEqual(await folder.trees.copyPresent(SESSION, ["a.ts", "missing"]), ["a.ts"]);
  await folder.write({ "a.ts": "later\n" });
  await folder.trees.copyPresent(SESSION, ["a.ts"]);
  equal(await folder.read(`.code-intel/backup/${SESSION}/a.ts`), FILES["a.ts"]);
  match(toCopyName(SESSION, new Date(0)), /^session_\d+_\d+_3fa9_before_19700101T000000000Z$/);
});

Deno.test("a state whose manifest is gone or changed is manifest_failed, with the way on", async () => {
  await using folder = await createFolder(FILES);
  const tree = await folder.trees.write(OPTIONS);
  await folder.remove(".code-intel/backup/objects");
  await rejects(folder.open().diff(tree, "manifest:00"), { code: "manifest_failed" });
  await rejects(folder.open().write({ ...OPTIONS, known: tree }), { code: "manifest_failed" });
});
