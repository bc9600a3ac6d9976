/** A pack in an executable: its files come out as they went in, and another build is told. */
import {
  deepStrictEqual as deepEqual,
  rejects,
  strictEqual as equal,
  throws,
} from "node:assert/strict";
import { FileRange, openPacked } from "../../../src/base/files/file_pack.ts";
import { join } from "node:path";
import { CodeIntelError } from "../../../src/base/errors.ts";
import { insertPack, packFiles } from "../../../tools/compile/pack.ts";
import { inTempFolder } from "../../support/temp_folder.ts";

Deno.test("FileRange reads a file and a part of it from any place, and says where it ends", async () => {
  const path = await Deno.makeTempFile();
  try {
    await Deno.writeFile(path, Uint8Array.of(0, 1, 2, 3, 4, 5));
    const whole = await FileRange.open(path);
    equal(whole.byteLength, 6);
    using part = whole.toPart(2, 3);
    deepEqual([...part.read()], [2, 3, 4]);
    const into = new Uint8Array(2);
    part.readInto(into, 1);
    deepEqual([...into], [3, 4]);
    throws(() => part.readInto(new Uint8Array(9), 0), RangeError);
  } finally {
    await Deno.remove(path);
  }
  await rejects(FileRange.open(path), Deno.errors.NotFound);
});

Deno.test("FileRange.readAndClose() closes the file, also when it ends too early", async () => {
  const path = await Deno.makeTempFile();
  try {
    await Deno.writeFile(path, Uint8Array.of(0, 1, 2));
    const whole = await FileRange.open(path);
    deepEqual([...whole.readAndClose()], [0, 1, 2]);
    throws(() => whole.read(), Deno.errors.BadResource);
    const longer = (await FileRange.open(path)).toPart(0, 9);
    throws(() => longer.readAndClose(), RangeError);
    throws(() => longer.read(), Deno.errors.BadResource);
  } finally {
    await Deno.remove(path);
  }
});

const MAGIC = new TextEncoder().encode("d3n0l4nd");

/** A file as Deno compiles it: the runtime, then its section, whose last eight bytes are its length. */
function toExecutable(runtimeBytes: number): Uint8Array {
  const section = new Uint8Array(100);
  section.set(MAGIC, 0);
  section.set(MAGIC, 100 - 24);
  new DataView(section.buffer).setBigUint64(92, 100n, true);
  return new Uint8Array([...new Uint8Array(runtimeBytes).fill(7), ...section]);
}

Deno.test("openPacked() opens each file of the pack, whatever the runtime before it", () =>
  inTempFolder(async (folder) => {
    const contents = { "a/one.txt": "one", "two.bin": "", "three.txt": "three\n" };
    const files = await Promise.all(
      Object.entries(contents).map(async ([name, text], at) => {
        const path = join(folder, String(at));
        await Deno.writeTextFile(path, text);
        return { name, path };
      }),
    );
    const { bytes, list } = await packFiles(files);
    for (const runtimeBytes of [0, 1000]) {
      const before = toExecutable(runtimeBytes);
      const path = join(folder, "program");
      await Deno.writeFile(path, insertPack(before, bytes));
      for (const [name, text] of Object.entries(contents)) {
        using found = await openPacked(path, list, name);
        equal(found === null ? null : new TextDecoder().decode(found.read()), text, name);
      }
      equal(await openPacked(path, list, "toString"), null);
      const after = await Deno.readFile(path);
      deepEqual(after.subarray(0, runtimeBytes), before.subarray(0, runtimeBytes));
      deepEqual(after.subarray(-100), before.subarray(-100));
    }
  }));

Deno.test("openPacked() says so when the executable was replaced by another build", () =>
  inTempFolder(async (folder) => {
    const path = join(folder, "one");
    await Deno.writeTextFile(path, "text");
    const { bytes, list } = await packFiles([{ name: "one", path }]);
    const program = join(folder, "program");
    await Deno.writeFile(program, insertPack(toExecutable(10), bytes));
    const other = { ...list, id: "f".repeat(32) };
    for (const [file, pack] of [[program, other], [path, list]] as const) {
      await rejects(
        openPacked(file, pack, "one"),
        (error) =>
          error instanceof CodeIntelError && /start it again/.test(String(error.hint ?? "")),
      );
    }
  }));
