/** What is unpacked is there once, whole, and by its own name. */
import {
  deepStrictEqual as deepEqual,
  ok,
  rejects,
  strictEqual as equal,
} from "node:assert/strict";
import { basename, join } from "node:path";
import { CodeIntelError } from "../../../src/base/errors.ts";
import { unpackFile } from "../../../src/index/vectors/sqlite_vec.ts";
import { inTempFolder } from "../../support/temp_folder.ts";

const BYTES = new TextEncoder().encode("an extension");

Deno.test("unpackFile() writes a file once, and again when it was damaged", () =>
  inTempFolder(async (folder) => {
    const path = await unpackFile("vec0.so", BYTES, join(folder, "cache"));
    equal(basename(path), "vec0.so");
    deepEqual(await Deno.readFile(path), BYTES);
    const first = (await Deno.stat(path)).ino;
    equal(await unpackFile("vec0.so", BYTES, join(folder, "cache")), path);
    equal((await Deno.stat(path)).ino, first, "a whole file is left alone");
    await Deno.writeTextFile(path, "damaged");
    equal(await unpackFile("vec0.so", BYTES, join(folder, "cache")), path);
    deepEqual(await Deno.readFile(path), BYTES);
  }));

Deno.test("unpackFile() gives other contents another place, and many at once one", () =>
  inTempFolder(async (folder) => {
    const other = new TextEncoder().encode("of another version");
    const paths = await Promise.all(
      [BYTES, BYTES, BYTES, BYTES, other].map((bytes) => unpackFile("vec0.so", bytes, folder)),
    );
    equal(new Set(paths).size, 2);
    deepEqual(await Deno.readFile(paths[0] ?? ""), BYTES);
    deepEqual(await Deno.readFile(paths[4] ?? ""), other);
    const names = await Array.fromAsync(Deno.readDir(join(paths[0] ?? "", "..")));
    equal(names.length, 1, "no temporary file is left");
  }));

Deno.test("unpackFile() says in one sentence why it cannot", () =>
  inTempFolder(async (folder) => {
    await Deno.writeTextFile(join(folder, "file"), "");
    await rejects(
      unpackFile("vec0.so", BYTES, join(folder, "file", "cache")),
      (error) => error instanceof CodeIntelError && error.message.includes("make the folder"),
    );
    ok(await Deno.stat(join(folder, "file")));
  }));
