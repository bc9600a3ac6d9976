/** Parts of files, read from any place. */
import {
  deepStrictEqual as deepEqual,
  rejects,
  strictEqual as equal,
  throws,
} from "node:assert/strict";
import { FileRange } from "../../../src/base/files/file_pack.ts";

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
