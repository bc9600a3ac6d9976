/** Files that cannot be indexed are left out with a reason; odd encodings are read. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { createFileRules } from "../../../src/index/scan/scanner.ts";
import { readStableFile } from "../../../src/index/scan/file_reader.ts";
import { createTempRepo } from "../../support/temp_repo.ts";
import { openTestIndex } from "../support.ts";

Deno.test("leaveOut() says by which rule a file is left out", () => {
  const { leaveOut, notices } = createFileRules({
    sourceDirs: ["./src/", "lib", "deep/er"],
    excludePatterns: ["*.gen.ts", "src/old/"],
    ignoreText: "# a comment\n\nvendor/\n*.snap\n!keep.snap\n/src/top.ts\nsrc/**/data \n[z-a]\n",
  });
  const rows: readonly (readonly [path: string, expected: string | null])[] = [
    ["src/a.ts", null],
    ["deep/er/a.ts", null],
    ["deep/a.ts", "not below source_dirs"],
    ["srcs/a.ts", "not below source_dirs"],
    ["README.md", "not below source_dirs, and no source"],
    ["package.json", "not below source_dirs, and no source"],
    [".claude/skills/code/run.ts", "not below source_dirs, and no source"],
    ["src/a.gen.ts", "exclude_patterns"],
    ["src/old/a.ts", "exclude_patterns"],
    ["src/old", null],
    ["src/vendor/a.ts", ".code-intelignore"],
    ["src/vendor", null],
    ["src/a.snap", ".code-intelignore"],
    ["src/keep.snap", null],
    ["src/top.ts", ".code-intelignore"],
    ["src/x/y/data", ".code-intelignore"],
    ["src/x/data/a.ts", ".code-intelignore"],
    [".code-intel/config.json", "the program's own folder"],
  ];
  for (const [path, expected] of rows) equal(leaveOut(path), expected, path);
  deepEqual(notices.length, 1);
});

const bytes = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));

Deno.test("what cannot be indexed is listed with its reason, and the rest is indexed", async () => {
  await using repo = await createTempRepo({ files: { "a.ts": "function good() {}\n" } });
  await repo.write({
    "data.bin": new Uint8Array([0, 1, 2]),
    "large.ts": "x".repeat(1024 * 1024 + 1),
    "one_line.js": "a=1;".repeat(5_000),
    "secret.ts": "function secret() {}\n",
  });
  await Deno.symlink("a.ts", `${repo.dir}/link.ts`);
  await Deno.symlink("loop.ts", `${repo.dir}/loop.ts`);
  await Deno.symlink("/nowhere", `${repo.dir}/dangling.ts`);
  await Deno.chmod(`${repo.dir}/secret.ts`, 0o000);
  await using test = openTestIndex(repo.repo);
  const report = await test.index.sync();
  const isRoot = Deno.uid() === 0;
  equal(report.isComplete, true);
  const skipped = await test.index.read((view) => view.listSkipped());
  const expected: readonly (readonly [string, string])[] = [
    ["dangling.ts", "a symbolic link that leads nowhere or in a circle"],
    ["data.bin", "binary"],
    ["large.ts", "larger than 1048576 bytes"],
    ["link.ts", "a symbolic link; what it leads to is indexed where it lies"],
    ["loop.ts", "a symbolic link that leads nowhere or in a circle"],
    ["one_line.js", "minified (its lines are too long)"],
    ...(isRoot ? [] : [["secret.ts", "cannot be read: permission denied"] as const]),
  ];
  deepEqual(skipped.map(({ path, reason }) => [path, reason]), expected);
  // Rights that come back are seen by the time of their change.
  await Deno.chmod(`${repo.dir}/secret.ts`, 0o600);
  await test.index.ensureFresh();
  equal((await test.index.read((view) => view.findSymbols({ name: "secret" }))).total, 1);
});

Deno.test("UTF-8 with and without a mark, UTF-16 and Latin-1 are read", async () => {
  const source = "function größe() {}\n";
  const utf16 = new Uint8Array(2 + source.length * 2);
  utf16.set([0xff, 0xfe]);
  [...source].forEach((char, at) => {
    utf16[2 + at * 2] = char.charCodeAt(0) & 0xff;
    utf16[3 + at * 2] = char.charCodeAt(0) >> 8;
  });
  await using repo = await createTempRepo();
  await repo.write({
    "bom.ts": `\ufeff${source}`,
    "latin1.ts": bytes(source),
    "plain.ts": source,
    "utf16.ts": utf16,
  });
  await using test = openTestIndex(repo.repo);
  await test.index.sync();
  const found = await test.index.read((view) => view.searchText({ text: "größe" }));
  deepEqual(found.flatMap(({ paths }) => paths).sort(), [
    "bom.ts",
    "latin1.ts",
    "plain.ts",
    "utf16.ts",
  ]);
});

Deno.test("a submodule and a repository inside are left out with a reason, and found gone when they go", async () => {
  await using inner = await createTempRepo({ files: { "inner.ts": "function inner() {}\n" } });
  await using repo = await createTempRepo({ files: { "a.ts": "function outer() {}\n" } });
  await repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", inner.dir, "sub");
  await repo.git("clone", "-q", inner.dir, "nested");
  await using test = openTestIndex(repo.repo);
  await test.index.sync();
  deepEqual(await test.index.read((view) => view.listFiles().map(({ path }) => path)), [
    ".gitmodules",
    "a.ts",
  ]);
  const reason = "a submodule or a repository of its own; its files are not part of this one";
  const readSkipped = () => test.index.read((view) => view.listSkipped());
  deepEqual(await readSkipped(), [{ path: "nested", reason }, { path: "sub", reason }]);
  equal((await test.index.ensureFresh()).pendingTotal, 0);
  test.wait(2_000);
  await test.index.sync();
  await repo.write({ "sub/more.ts": "function more() {}\n" });
  equal((await test.index.sync()).read, 0, "what changes inside is none of the index's affairs");
  await repo.remove("nested");
  await repo.git("rm", "-qf", "sub");
  await test.index.sync();
  deepEqual(await readSkipped(), []);
});

Deno.test("a file that changes while it is read is whole in every answer, and right in the end", async () => {
  await using repo = await createTempRepo({ files: { "a.ts": "function still() {}\n" } });
  await using test = openTestIndex(repo.repo);
  const line = "function first() {}";
  // Written in pieces, so that a read in between finds half of it.
  const script = `i=0; while [ $i -lt 400 ]; do i=$((i+1)); : > moving.ts; ` +
    `for j in 1 2 3 4 5 6 7 8; do echo "${line}" >> moving.ts; done; ` +
    `echo "function last$i() {}" >> moving.ts; done`;
  const writer = new Deno.Command("sh", { args: ["-c", script], cwd: repo.dir }).spawn();
  let isOver = false;
  const over = writer.status.then(() => isOver = true);
  while (!isOver) {
    await test.index.sync();
    const found = await test.index.read((view) => view.listSymbols("moving.ts"));
    equal(found.every(({ name }) => name === "first" || /^last\d+$/.test(name)), true);
  }
  await over;
  await test.index.ensureFresh();
  const names = (await test.index.read((view) => view.listSymbols("moving.ts"))).map((one) =>
    one.name
  );
  deepEqual(names, [...Array(8).fill("first"), "last400"]);
});

Deno.test("a path that cannot be looked at is left out with its reason", async () => {
  await using repo = await createTempRepo({ files: { "a.ts": "function good() {}\n" } });
  const long = `${"x".repeat(300)}.ts`;
  const listFiles = () => Promise.resolve(["a.ts", long]);
  await using test = openTestIndex(repo.repo, { options: { listFiles } });
  const report = await test.index.sync();
  deepEqual([report.isComplete, report.counts.files], [true, 1]);
  const [skipped] = await test.index.read((view) => view.listSkipped());
  deepEqual([skipped?.path, /^cannot be read: /.test(skipped?.reason ?? "")], [long, true]);
});

Deno.test("files of a folder that gave way to a link outside were read into the index", async () => {
  await using repo = await createTempRepo({
    files: { "a.ts": "function good() {}\n", "kept/b.ts": "function inside() {}\n" },
  });
  const outside = await Deno.makeTempDir();
  await Deno.writeTextFile(`${outside}/b.ts`, "function secret() {}\n");
  await Deno.remove(`${repo.dir}/kept`, { recursive: true });
  await Deno.symlink(outside, `${repo.dir}/kept`);
  await using test = openTestIndex(repo.repo);
  await test.index.sync();
  equal((await test.index.read((view) => view.findSymbols({ name: "secret" }))).total, 0);
  const skipped = await test.index.read((view) => view.listSkipped());
  equal(
    skipped.find(({ path }) => path === "kept/b.ts")?.reason,
    "beyond a symbolic link of a folder",
  );
  await Deno.remove(outside, { recursive: true });
});

Deno.test("readStableFile() says what a path is that holds no file", async () => {
  const dir = await Deno.makeTempDir();
  try {
    equal(readStableFile(`${dir}/none`, { within: dir, nowMs: Date.now }).kind, "gone");
    equal(readStableFile(dir, { within: dir, nowMs: Date.now }).kind, "restless");
    await Deno.writeTextFile(`${dir}/a`, "text");
    const read = readStableFile(`${dir}/a`, { within: dir, nowMs: () => 5 });
    equal(read.kind === "read" && read.hashedAtMs, 5);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});
