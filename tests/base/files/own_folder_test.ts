/** The door to the folders of the program: nothing is written, listed or made through a link. */
import {
  deepStrictEqual as deepEqual,
  rejects,
  strictEqual as equal,
  throws,
} from "node:assert/strict";
import { join } from "node:path";
import {
  appendOwnFile,
  checkOwnFile,
  checkOwnFolder,
  findOwnFolder,
  listOwnFolder,
  makeOwnFolder,
  writeOwnFile,
} from "../../../src/base/files/own_folder.ts";
import { testNeeding } from "../../support/needs.ts";

const IS_UNIX = Deno.build.os !== "windows";
const REFUSED = { code: "own_path_refused" };

Deno.test("findOwnFolder() once took a project in a folder called code-intel for the program's own folder", () => {
  const rows: readonly (readonly [path: string, own: string | null])[] = [
    ["/a/.code-intel/logs/x", "/a/.code-intel"],
    ["/a/.code-intel/backup/.code-intel/x", "/a/.code-intel"],
    ["/a/.git/code-intel/index.db", "/a/.git/code-intel"],
    ["/a/code-intel/.code-intel/config.json", "/a/code-intel/.code-intel"],
    ["/a/code-intel/.code-intel/backup/1/code-intel/x", "/a/code-intel/.code-intel"],
    ["/a/code-intel/.git/code-intel/index.db", "/a/code-intel/.git/code-intel"],
    ["/a/my-code-intel/x", null],
  ];
  for (const [path, own] of rows) if (IS_UNIX) equal(findOwnFolder(path), own);
});

Deno.test("writing and adding make whole files in folders that are folders", () =>
  inPlace(async ({ own }) => {
    await makeOwnFolder(join(own, "logs/deep"));
    await writeOwnFile(join(own, "logs/a"), "one");
    appendOwnFile(join(own, "logs/b"), new TextEncoder().encode("1\n"), { sync: true });
    appendOwnFile(join(own, "logs/b"), new TextEncoder().encode("2\n"));
    equal(await Deno.readTextFile(join(own, "logs/a")), "one");
    equal(await Deno.readTextFile(join(own, "logs/b")), "1\n2\n");
    const names = (await listOwnFolder(join(own, "logs"))).map(({ name }) => name).sort();
    deepEqual(names, ["a", "b", "deep"]);
    deepEqual(await listOwnFolder(join(own, "absent")), []);
  }));

testNeeding(
  ["posix"],
  "a link on the way led writes of the program out of the project",
  () =>
    inPlace(async ({ own, outside }) => {
      await Deno.symlink(outside, join(own, "logs"));
      await Deno.symlink(join(outside, "victim"), join(own, "file"));
      const bytes = new TextEncoder().encode("x");
      for (const path of ["logs/new", "logs/victim", "logs/deep/new", "file"]) {
        const full = join(own, path);
        await rejects(() => writeOwnFile(full, "x"), REFUSED, path);
        throws(() => appendOwnFile(full, bytes), REFUSED, path);
        throws(() => checkOwnFile(full), REFUSED, path);
      }
      await rejects(() => makeOwnFolder(join(own, "logs/deep")), REFUSED);
      await rejects(() => listOwnFolder(join(own, "logs")), REFUSED);
      throws(
        () => checkOwnFolder(join(own, "logs")),
        ({ message, hint }) =>
          /logs": it is a symbolic link/.test(message) &&
          /^Remove it, or put a folder in its place, then send the same call/.test(`${hint}`),
      );
      equal(await Deno.readTextFile(join(outside, "victim")), "mine");
      deepEqual((await Array.fromAsync(Deno.readDir(outside))).length, 1);
    }),
);

testNeeding(
  ["posix"],
  "the folder of the program itself was a link",
  () =>
    inPlace(async ({ dir, outside }) => {
      const linked = join(dir, "other/.code-intel");
      await Deno.mkdir(join(dir, "other"));
      await Deno.symlink(outside, linked);
      await rejects(() => makeOwnFolder(linked), REFUSED);
      await rejects(() => writeOwnFile(join(linked, "x"), "x"), REFUSED);
      // A folder of another name is told by the caller.
      const state = join(dir, "state");
      await Deno.symlink(outside, state);
      await rejects(() => writeOwnFile(join(state, "a/x"), "x", { below: state }), REFUSED);
      // What lies above the folder may be a link: a home folder often is.
      await Deno.symlink(join(dir, "project"), join(dir, "way"));
      await writeOwnFile(join(dir, "way/.code-intel/x"), "x");
    }),
);

testNeeding(
  ["posix"],
  "adding to a pipe does not wait for its reader",
  () =>
    inPlace(async ({ own }) => {
      await new Deno.Command("mkfifo", { args: [join(own, "pipe")] }).output();
      throws(() => appendOwnFile(join(own, "pipe"), new Uint8Array(1)), REFUSED);
    }),
);

interface Place {
  readonly dir: string;
  readonly own: string;
  readonly outside: string;
}

async function inPlace(work: (place: Place) => Promise<void>): Promise<void> {
  const dir = await Deno.realPath(await Deno.makeTempDir());
  const place = { dir, own: join(dir, "project/.code-intel"), outside: join(dir, "outside") };
  try {
    await Deno.mkdir(place.own, { recursive: true });
    await Deno.mkdir(place.outside);
    await Deno.writeTextFile(join(place.outside, "victim"), "mine");
    await work(place);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}
