/** The door through which files are opened: what it opens, it closes. */
import { rejects, strictEqual as equal, throws } from "node:assert/strict";
import { join } from "node:path";
import { closeAfter, openFile, withFile } from "../../../src/base/files/open_file.ts";

async function inFolder(action: (path: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(join(folder, "a"), "text");
    await action(join(folder, "a"));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** A closed file cannot be read any more. */
function expectClosed(file: Deno.FsFile): void {
  throws(() => file.statSync(), Deno.errors.BadResource);
}

Deno.test("withFile() gives what the work gives and closes the file", () =>
  inFolder(async (path) => {
    const { file, size } = await withFile(path, { read: true }, async (file) => {
      return { file, size: (await file.stat()).size };
    });
    equal(size, 4);
    expectClosed(file);
  }));

Deno.test("withFile() closes the file when the work fails, now or later", () =>
  inFolder(async (path) => {
    const seen: Deno.FsFile[] = [];
    const works: readonly ((file: Deno.FsFile) => void | Promise<void>)[] = [
      () => {
        throw new Error("now");
      },
      () => Promise.reject(new Error("later")),
    ];
    for (const work of works) {
      const failing = withFile(path, { read: true }, (file) => {
        seen.push(file);
        return work(file);
      });
      await rejects(failing, /now|later/);
    }
    equal(seen.length, 2);
    seen.forEach(expectClosed);
  }));

Deno.test("withFile() fails as the system does where there is nothing to open", () =>
  inFolder(async (path) => {
    await rejects(withFile(`${path}.none`, { read: true }, () => {}), Deno.errors.NotFound);
  }));

Deno.test("closeAfter() closes a file that was opened before", () =>
  inFolder(async (path) => {
    const file = await openFile(path);
    equal(await closeAfter(file, (open) => open.readSync(new Uint8Array(8))), 4);
    expectClosed(file);
  }));
