/** Manifests of real folders: what counts as a change whatever was done to the times, and the limits. */
import {
  deepStrictEqual as deepEqual,
  ok,
  rejects,
  strictEqual as equal,
} from "node:assert/strict";
import { join } from "node:path";
import { walkFiles } from "../../src/backends/walk.ts";
import { CodeIntelError } from "../../src/base/errors.ts";
import type { ScannerOptions } from "../../src/ledger/file_scan.ts";
import { FileScanner } from "../../src/ledger/file_scan.ts";
import type { Manifest } from "../../src/ledger/manifest.ts";
import { giveUp } from "../support/temp_folder.ts";

async function createFolder(files: Readonly<Record<string, string>>) {
  const root = await Deno.makeTempDir({ prefix: "code-intel-scan-" });
  const write = async (path: string, text: string) => {
    await Deno.mkdir(join(root, path, ".."), { recursive: true });
    await Deno.writeTextFile(join(root, path), text);
  };
  for (const [path, text] of Object.entries(files)) await write(path, text);
  return {
    root,
    write,
    scanner: (options: Partial<ScannerOptions> = {}) =>
      new FileScanner({
        root,
        listFiles: (maxFiles) =>
          walkFiles(root, { includeLinks: true, enter: [".code-intel"], maxFiles }),
        ...options,
      }),
    [Symbol.asyncDispose]: () => giveUp(root),
  };
}

const OPTIONS = { maxFileMb: 50, known: null } as const;

function namesOf(manifest: Manifest): readonly string[] {
  return [...manifest.keys()].sort();
}

Deno.test("scan() takes files, links and the rules of .code-intel, not what is ignored or working", async () => {
  await using folder = await createFolder({
    "a.ts": "a\n",
    "src/b.ts": "b\n",
    ".gitignore": "*.log\n",
    "x.log": "x",
    "node_modules/m.js": "m",
    ".code-intel/config.json": "{}",
    ".code-intel/sessions/s.json": "{}",
  });
  await Deno.symlink("a.ts", join(folder.root, "link"));
  const manifest = await folder.scanner().scan(OPTIONS);
  deepEqual(namesOf(manifest), [
    ".code-intel/config.json",
    ".gitignore",
    "a.ts",
    "link",
    "src/b.ts",
  ]);
  deepEqual(manifest.get("link"), { kind: "link", sizeBytes: 4, content: "a.ts" });
});

Deno.test("scan() sees an edit with the size and the times of the old content", async () => {
  await using folder = await createFolder({ "a.ts": "a\n" });
  const scanner = folder.scanner();
  const path = join(folder.root, "a.ts");
  const old = new Date("2020-01-01T00:00:00Z");
  await Deno.utime(path, old, old);
  const before = await scanner.scan(OPTIONS);
  await folder.write("a.ts", "x\n");
  await Deno.utime(path, old, old);
  const now = await scanner.scan(OPTIONS);
  ok(before.get("a.ts")?.content !== now.get("a.ts")?.content);
});

Deno.test("scan() says the same of a file that was only touched", async () => {
  await using folder = await createFolder({ "a.ts": "a\n" });
  const scanner = folder.scanner();
  const before = await scanner.scan(OPTIONS);
  const later = new Date(Date.now() + 60_000);
  await Deno.utime(join(folder.root, "a.ts"), later, later);
  deepEqual(await scanner.scan(OPTIONS), before);
});

Deno.test("scan() goes on to look at a known file that a rule ignores by now, and not behind a link", async () => {
  await using folder = await createFolder({ "a.ts": "a\n", "src/b.ts": "b\n" });
  const scanner = folder.scanner();
  const known = await scanner.scan(OPTIONS);
  await folder.write(".gitignore", "a.ts\n");
  await Deno.rename(join(folder.root, "src"), join(folder.root, "other"));
  await Deno.symlink("other", join(folder.root, "src"));
  deepEqual(namesOf(await scanner.scan({ ...OPTIONS, known })), [
    ".gitignore",
    "a.ts",
    "other/b.ts",
    "src",
  ]);
});

Deno.test("scan() records a file over the limit without its content, and still sees it change", async () => {
  await using folder = await createFolder({ "big.bin": "x".repeat(1024 * 1024 + 1) });
  const scanner = folder.scanner();
  const before = (await scanner.scan({ ...OPTIONS, maxFileMb: 1 })).get("big.bin");
  equal(before?.kind, "large");
  await folder.write("big.bin", "y".repeat(1024 * 1024 + 1));
  // Two writes within one tick of the file system's clock have one time.
  await Deno.utime(join(folder.root, "big.bin"), new Date(), new Date(Date.now() + 5_000));
  const now = (await scanner.scan({ ...OPTIONS, maxFileMb: 1 })).get("big.bin");
  ok(before?.content !== now?.content);
});

Deno.test("scan() sees by its content that a file was changed which is too long to be read at once", async () => {
  const size = 1024 * 1024 + 1;
  await using folder = await createFolder({ "long.txt": "x".repeat(size) });
  const path = join(folder.root, "long.txt");
  const old = new Date("2020-01-01T00:00:00Z");
  const look = async () => {
    await Deno.utime(path, old, old);
    return (await folder.scanner().scan(OPTIONS)).get("long.txt");
  };
  const before = await look();
  deepEqual([before?.kind, before?.sizeBytes], ["file", size]);
  deepEqual(await look(), before);
  await folder.write("long.txt", `${"x".repeat(size - 1)}y`);
  const now = await look();
  deepEqual([now?.kind, now?.sizeBytes], ["file", size]);
  ok(before?.content !== now?.content);
});

Deno.test("scan() refuses more files or bytes than the limits, and names the fullest folder", async () => {
  await using folder = await createFolder({ "a.ts": "a", "data/x/1": "1", "data/x/2": "2" });
  await rejects(
    folder.scanner({ maxFiles: 2 }).scan(OPTIONS),
    (error: unknown) =>
      error instanceof CodeIntelError && error.code === "manifest_failed" &&
      /more than 2 files, most below "data\/x"/.test(error.message) &&
      /git init/.test(String(error.hint)),
  );
  await rejects(folder.scanner({ maxTotalBytes: 2 }).scan(OPTIONS), /more than 0 MiB/);
  equal((await folder.scanner({ maxFiles: 3, maxTotalBytes: 3 }).scan(OPTIONS)).size, 3);
});
