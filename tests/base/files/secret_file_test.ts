/** Files that are made once: whole from the first moment, of one text, also without hard links. */
import { deepStrictEqual as deepEqual, rejects, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { createSecretFile } from "../../../src/base/files/seal.ts";
import { inTempFolder } from "../../support/temp_folder.ts";

async function list(folder: string): Promise<readonly string[]> {
  return (await Array.fromAsync(Deno.readDir(folder), ({ name }) => name)).sort();
}

Deno.test("createSecretFile() lets one of many writers win, and leaves nothing beside the file", () =>
  inTempFolder(async (folder) => {
    const path = join(folder, "state", "key");
    await Promise.all(Array.from({ length: 8 }, (_, at) => createSecretFile(path, `text ${at}\n`)));
    const text = await Deno.readTextFile(path);
    equal(/^text \d\n$/.test(text), true);
    await createSecretFile(path, "another\n");
    equal(await Deno.readTextFile(path), text);
    deepEqual(await list(join(folder, "state")), ["key"]);
    if (Deno.build.os !== "windows") equal(((await Deno.stat(path)).mode ?? 0) & 0o777, 0o600);
  }));

Deno.test("createSecretFile() failed for the token where the file system has no hard links", () =>
  inTempFolder(async (folder) => {
    const path = join(folder, "key");
    const { link } = Deno;
    Deno.link = () => Promise.reject(new Error("Operation not permitted (os error 1)"));
    try {
      await createSecretFile(path, "one\n");
      await createSecretFile(path, "two\n");
    } finally {
      Deno.link = link;
    }
    equal(await Deno.readTextFile(path), "one\n");
    deepEqual(await list(folder), ["key"]);
  }));

Deno.test("createSecretFile() says what the system says where nothing can be written", () =>
  inTempFolder(async (folder) => {
    const path = join(folder, "key");
    await Deno.mkdir(path);
    await rejects(createSecretFile(path, "one\n"), /key/);
  }));
