/** Files that steer git and are no files. */
import { match, ok, rejects, strictEqual as equal, throws } from "node:assert/strict";
import { dirname, join } from "node:path";
import { CodeIntelError } from "../../src/base/errors.ts";
import { openRepository } from "../../src/git/repository.ts";
import { checkFolders } from "../../src/git/steering_files.ts";
import { testNeeding } from "../support/needs.ts";
import type { TempRepo } from "./support.ts";
import { createTempRepo } from "./support.ts";

/** Puts a pipe that nobody writes to in the place of a file. */
async function plantPipe(temp: TempRepo, path: string): Promise<void> {
  const pipe = join(temp.dir, path);
  await Deno.remove(pipe).catch(() => {});
  await Deno.mkdir(dirname(pipe), { recursive: true });
  await new Deno.Command("mkfifo", { args: [pipe] }).output();
}

function refuses(pattern: RegExp): (failure: unknown) => boolean {
  return (failure) => {
    if (!(failure instanceof CodeIntelError)) return false;
    match(failure.message, pattern);
    return failure.code === "control_file_unusable" && failure.hint !== "";
  };
}

testNeeding(["posix"], "a pipe where git reads a file once made every call wait", async () => {
  const places = [
    ".gitignore",
    ".gitattributes",
    ".git/info/exclude",
    ".git/info/attributes",
    ".git/HEAD",
    ".git/config",
    ".git/packed-refs",
    ".git/index",
    ".git/refs/heads/deep/er",
  ];
  for (const path of places) {
    await using temp = await createTempRepo({ files: { "a.txt": "a\n" } });
    await plantPipe(temp, path);
    await rejects(openRepository(temp.dir), refuses(new RegExp(`${path}": it is a pipe`)));
  }
});

testNeeding(
  ["posix"],
  "settings of the repository that name a device once took all memory",
  async () => {
    const rows: readonly (readonly [key: string, value: string])[] = [
      ["core.attributesFile", "/dev/zero"],
      ["core.excludesFile", ".git/pipe"],
      ["include.path", "pipe"],
      ["includeIf.gitdir:/x.path", "pipe"],
      ["diff.orderFile", "/dev/zero"],
    ];
    for (const [key, value] of rows) {
      await using temp = await createTempRepo({ files: { "a.txt": "a\n" } });
      await plantPipe(temp, ".git/pipe");
      // git itself would wait at its next start, so that the file is written by hand.
      const [, section = "", below, name = ""] = /^([^.]+)(?:\.(.*))?\.([^.]+)$/.exec(key) ?? [];
      const header = below === undefined ? `[${section}]` : `[${section} "${below}"]`;
      const config = join(temp.dir, ".git/config");
      await Deno.writeTextFile(config, `${header}\n\t${name} = ${value}\n`, { append: true });
      const expected = new RegExp(`named by ${key}.*(?:pipe|device)`, "i");
      await rejects(openRepository(temp.dir), refuses(expected));
    }
  },
);

testNeeding(["posix"], "a device behind two files of settings is found", async () => {
  await using temp = await createTempRepo();
  await temp.write({ ".git/one": "[include] path = two\n" });
  await temp.write({ ".git/two": "[core]\nattributesFile = /dev/zero\n" });
  await temp.git("config", "include.path", "one");
  await rejects(openRepository(temp.dir), refuses(/\.git\/two": it is a device/));
});

testNeeding(
  ["posix"],
  "settings that name no file, or one that is absent, are in order",
  async () => {
    await using temp = await createTempRepo();
    await temp.git("config", "core.excludesFile", "/dev/null");
    await temp.git("config", "core.attributesFile", "~/absent");
    await temp.git("config", "core.hooksPath", "hooks");
    await temp.git("config", "include.path", "absent");
    ok(await openRepository(temp.dir) !== null);
  },
);

testNeeding(["posix"], "checkFolders() names a pipe in a folder of listed files", async () => {
  await using temp = await createTempRepo({ files: { "a/b.txt": "a\n" } });
  equal(checkFolders(temp.dir, ["a/b.txt", "c"]), undefined);
  await plantPipe(temp, "a/.gitattributes");
  throws(() => checkFolders(temp.dir, ["a/b.txt", "c"]), refuses(/a\/\.gitattributes/));
});

Deno.test("a file of settings beyond its bound is refused", async () => {
  await using temp = await createTempRepo();
  await Deno.truncate(join(temp.dir, ".git/config"), 64 * 1024 ** 2);
  await rejects(openRepository(temp.dir), refuses(/config": it has 67108864 bytes/));
});
