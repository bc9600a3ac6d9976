/** Which listed files are handed to programs, on a real folder with everything that is no regular file. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { createBackends } from "../../src/backends/detect.ts";
import { listLeftOutNotices, pickRegularFiles } from "../../src/backends/regular_files.ts";
import { listFilesWithRipgrep, searchWithRipgrep } from "../../src/backends/ripgrep.ts";
import { buildArgs, runRipgrep } from "../../src/backends/ripgrep_run.ts";
import { scanText } from "../../src/backends/text_scan.ts";
import type { TextQuery } from "../../src/backends/text_query.ts";
import { testNeeding } from "../support/needs.ts";
import { giveUp } from "../support/temp_folder.ts";

const BACKENDS = createBackends({ env: { get: () => undefined } });
const RG = await BACKENDS.rg();
const QUERY: TextQuery = {
  patterns: ["needle"],
  caseSensitive: true,
  fixed: true,
  wholeWord: false,
  contextLines: 0,
};
/** A search that waits for a pipe would take all of it. */
const TIMEOUT_MS = 120_000;

async function run(program: string, ...args: string[]): Promise<void> {
  equal((await new Deno.Command(program, { args }).output()).code, 0, `${program} ${args}`);
}

interface Place extends AsyncDisposable {
  readonly root: string;
  readonly outside: string;
  /** All names that are listed below the root. */
  readonly files: readonly string[];
}

async function makePlace(): Promise<Place> {
  const base = await Deno.realPath(await Deno.makeTempDir());
  const [root, outside] = [join(base, "project"), join(base, "outside")];
  await Deno.mkdir(join(root, "src"), { recursive: true });
  await Deno.mkdir(outside);
  await Deno.writeTextFile(join(outside, "secret.ts"), "function needle() {}\n");
  await Deno.writeTextFile(join(root, "src/a.ts"), "function needle() {}\n");
  await Deno.writeTextFile(join(root, "src/-"), "needle\n");
  await Deno.writeTextFile(join(root, "src/line\nbreak.txt"), "needle\n");
  await Deno.symlink("/dev/zero", join(root, "src/zero.ts"));
  await Deno.symlink(join(outside, "secret.ts"), join(root, "src/secret.ts"));
  await Deno.symlink(outside, join(root, "lib"));
  await Deno.symlink("loop.ts", join(root, "loop.ts"));
  await Deno.symlink("../src", join(root, "src/again"));
  await run("mkfifo", join(root, "src/pipe.ts"));
  const files = [
    "lib/secret.ts",
    "loop.ts",
    "src/-",
    "src/a.ts",
    "src/again/a.ts",
    "src/line\nbreak.txt",
    "src/pipe.ts",
    "src/secret.ts",
    "src/zero.ts",
  ];
  return {
    root,
    outside,
    files,
    [Symbol.asyncDispose]: () => giveUp(base),
  };
}

const REGULAR = ["src/-", "src/a.ts", "src/line\nbreak.txt"];

testNeeding(
  ["posix"],
  "pickRegularFiles() takes no link, pipe or device, and nothing beyond a linked folder",
  async () => {
    await using place = await makePlace();
    deepEqual(pickRegularFiles(place.root, place.files), { files: REGULAR, leftOut: 6 });
    deepEqual(pickRegularFiles(place.root, ["gone.ts", "no/such/folder.ts"]).leftOut, 0);
    deepEqual(listLeftOutNotices(0), []);
    deepEqual(listLeftOutNotices(2), ["2 links or special files were not searched."]);
  },
);

testNeeding(
  ["posix"],
  "pickRegularFiles() sees at once what took the place of a file or a folder it remembers",
  async () => {
    await using place = await makePlace();
    const { root, outside } = place;
    const old = new Date(Date.now() - 60_000);
    await Deno.utime(join(root, "src"), old, old);
    equal(pickRegularFiles(root, ["src/a.ts"]).leftOut, 0);
    await Deno.remove(join(root, "src/a.ts"));
    await run("mkfifo", join(root, "src/a.ts"));
    equal(pickRegularFiles(root, ["src/a.ts"]).leftOut, 1);
    await Deno.rename(join(root, "src"), join(root, "old"));
    await Deno.symlink(outside, join(root, "src"));
    equal(pickRegularFiles(root, ["src/secret.ts"]).leftOut, 1);
  },
);

testNeeding(
  ["posix", "rg"],
  "a search read a device and files outside of the project, and hung on a pipe",
  async () => {
    await using place = await makePlace();
    const { root, files } = place;
    const scope = { root, files, offset: 0, maxResults: 10, timeoutMs: TIMEOUT_MS };
    for (
      const result of [
        await searchWithRipgrep(RG.path ?? "rg", QUERY, scope),
        await scanText(QUERY, scope),
      ]
    ) {
      ok(result.kind === "found");
      deepEqual(result.matches.map(({ path }) => path), REGULAR);
      equal(result.leftOut, 6);
    }
    deepEqual(await listFilesWithRipgrep(RG.path ?? "rg", QUERY, scope), REGULAR);
  },
);

testNeeding(
  ["posix", "rg"],
  "runRipgrep() goes on without a file that became a pipe before it was opened",
  async () => {
    await using place = await makePlace();
    const { root } = place;
    const scope = { root, files: [], offset: 0, maxResults: 10, timeoutMs: TIMEOUT_MS };
    const started = Date.now();
    const args = [...buildArgs(QUERY), "--files-with-matches"];
    const batch = ["src/a.ts", "src/pipe.ts"];
    const found = await runRipgrep(RG.path ?? "rg", args, { scope, batch });
    equal(new TextDecoder().decode(found.stdout), "./src/a.ts\r\n");
    const none = await runRipgrep(RG.path ?? "rg", args, { scope, batch: ["src/pipe.ts"] });
    equal(none.stdout.length, 0);
    ok(Date.now() - started < TIMEOUT_MS / 2, "the pipe was waited for");
  },
);
