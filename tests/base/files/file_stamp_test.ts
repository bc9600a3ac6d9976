/** When the look of a file is enough to know its content, and what is said of a path where nothing is. */
import { strictEqual as equal } from "node:assert/strict";
import {
  isSameStamp,
  readStampText,
  statIfThere,
  toStamp,
  wasOldAt,
} from "../../../src/base/files/file_stamp.ts";

Deno.test("wasOldAt() waits for a tick of the clock after both times, and longer for whole seconds", () => {
  const rows:
    readonly (readonly [mtimeMs: number, ctimeMs: number, atMs: number, isOld: boolean])[] = [
      [10_001, 10_001, 10_021, false],
      [10_001, 10_001, 10_022, true],
      [1, 10_001, 10_010, false],
      [10_001, 1, 10_010, false],
      [10_000, 1, 12_020, false],
      [10_000, 1, 12_021, true],
      [1, 10_000, 11_020, false],
      [1, 10_000, 11_021, true],
      // No time of change is known.
      [10_001, 0, 10_022, true],
      // The time of the content was set ahead of the clock; the time of that change counts.
      [9_000_000, 10_001, 10_021, false],
      [9_000_000, 10_001, 10_022, true],
      [9_000_000, 9_000_000, 10_022, false],
      [9_000_000, 0, 10_022, false],
    ];
  for (const [mtimeMs, ctimeMs, atMs, isOld] of rows) {
    const stamp = { sizeBytes: 1, inode: 1, mtimeMs, ctimeMs };
    equal(wasOldAt(stamp, atMs), isOld, JSON.stringify([stamp, atMs]));
  }
});

Deno.test("readStampText() changes with the file that a path leads to, and is null where nothing is", async () => {
  const dir = await Deno.makeTempDir();
  try {
    const [file, link] = [`${dir}/a`, `${dir}/link`];
    equal(readStampText(file), null);
    await Deno.writeTextFile(file, "1");
    await Deno.symlink(file, link);
    const [stamp, first] = [toStamp(await Deno.stat(file)), readStampText(link)];
    equal(first, readStampText(file));
    equal(readStampText(link), first);
    await Deno.writeTextFile(file, "12");
    equal(readStampText(link) === first, false);
    equal(isSameStamp(stamp, toStamp(await Deno.stat(file))), false);
    await Deno.remove(file);
    equal(statIfThere(link), null, "a link that leads nowhere");
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});
