/** Listing files where there is no git. */
import { deepStrictEqual as deepEqual, match } from "node:assert/strict";
import { join } from "node:path";
import { describeCut, walkFiles } from "../../src/backends/regular_files.ts";

async function withFolder(files: readonly string[], run: (dir: string) => Promise<void>) {
  const dir = await Deno.makeTempDir({ prefix: "code-intel-walk-" });
  try {
    for (const line of files) {
      const [path = "", content = ""] = line.split("=");
      const full = join(dir, path);
      await Deno.mkdir(join(full, ".."), { recursive: true });
      await Deno.writeTextFile(full, content.replaceAll("|", "\n"));
    }
    await run(dir);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

Deno.test("R44: walkFiles() obeys .gitignore of every folder, negation included", async () => {
  const files = [
    ".gitignore=*.log|/out/|!keep.log",
    "a.log=",
    "keep.log=",
    "out/x.js=",
    "sub/out/y.js=",
    "sub/.gitignore=secret.*",
    "sub/secret.env=",
    "secret.env=",
  ];
  await withFolder(files, async (dir) => {
    deepEqual(await walkFiles(dir), [
      ".gitignore",
      "keep.log",
      "secret.env",
      "sub/.gitignore",
      "sub/out/y.js",
    ]);
    deepEqual((await walkFiles(dir, { includeIgnored: true })).length, 8);
  });
});

Deno.test("R43: walkFiles() never enters .git, nor package stores unless asked", async () => {
  await withFolder([".git/config=", "node_modules/a/i.js=", "build/x.py="], async (dir) => {
    deepEqual(await walkFiles(dir), ["build/x.py"]);
    deepEqual(await walkFiles(dir, { includeIgnored: true }), [
      "build/x.py",
      "node_modules/a/i.js",
    ]);
  });
});

Deno.test("walkFiles() follows no links, so loops end and nothing outside is listed", async () => {
  await withFolder(["a/b.txt="], async (dir) => {
    await Deno.symlink(dir, join(dir, "a", "loop"));
    await Deno.symlink("/etc/hostname", join(dir, "link.txt"));
    deepEqual(await walkFiles(dir), ["a/b.txt"]);
  });
});

Deno.test("walkFiles() takes near folders first where a bound ends it, and tells what it had come to", async () => {
  const files = ["a/deep/1.py=", "a/deep/2.py=", "a/x.py=", "b/y.py=", "top.py="];
  await withFolder(files, async (dir) => {
    const cuts: unknown[] = [];
    const onCut = (cut: unknown) => cuts.push(cut);
    deepEqual(await walkFiles(dir, { maxFiles: 2, onCut }), ["a/x.py", "b/y.py", "top.py"]);
    deepEqual(await walkFiles(dir, { maxMs: -1, onCut }), ["top.py"]);
    deepEqual(await walkFiles(dir, { maxFiles: 5, maxMs: 60_000, onCut }), [
      "a/deep/1.py",
      "a/deep/2.py",
      "a/x.py",
      "b/y.py",
      "top.py",
    ]);
    deepEqual(cuts, [{ files: 3, isLate: false }, { files: 1, isLate: true }]);
  });
});

Deno.test("describeCut() says what was not looked at, and nothing of a walk that came to its end", () => {
  deepEqual(describeCut(null), []);
  match(
    describeCut({ files: 3, isLate: false }).join(),
    /^Only 3 files were looked at.*smaller folder/,
  );
  match(
    describeCut({ files: 1, isLate: true }).join(),
    /^Only 1 file could be listed within \d+ ms/,
  );
  match(
    describeCut({ files: 2, untracked: 7, isLate: false }).join(),
    /^Only 2 of 7 untracked files were looked at.*\.gitignore/,
  );
});
