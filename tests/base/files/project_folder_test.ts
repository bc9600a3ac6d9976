/** What somebody can name as the project. */
import { match, rejects, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { CodeIntelError } from "../../../src/base/errors.ts";
import { openProjectFolder, resolveLinkAbove } from "../../../src/base/files/project_folder.ts";
import { testNeeding } from "../../support/needs.ts";

testNeeding(
  ["posix"],
  "openProjectFolder() opens folders, and names what else was given",
  async () => {
    const dir = await Deno.realPath(await Deno.makeTempDir());
    const [file, pipe, link] = [join(dir, "file"), join(dir, "pipe"), join(dir, "link")];
    await Deno.writeTextFile(file, "");
    await new Deno.Command("mkfifo", { args: [pipe] }).output();
    await Deno.symlink(dir, link);
    equal(await openProjectFolder(link), dir);
    const rows: readonly (readonly [path: string, said: RegExp])[] = [
      [file, /it is a file, not a folder/],
      [pipe, /it is a pipe/],
      ["/dev/zero", /it is a device/],
      [join(dir, "absent"), /no such folder/],
      [join(file, "below"), /no such folder/],
    ];
    for (const [path, said] of rows) {
      await rejects(openProjectFolder(path), (failure) => {
        if (!(failure instanceof CodeIntelError)) return false;
        match(failure.message, said);
        match(String(failure.hint), /--project DIR/);
        return failure.code === "io_failed";
      });
    }
    await Deno.remove(dir, { recursive: true });
  },
);

testNeeding(
  ["posix"],
  "resolveLinkAbove() knows a folder by the links that lead to it",
  async () => {
    const dir = await Deno.realPath(await Deno.makeTempDir());
    const [root, link, within] = [join(dir, "root"), join(dir, "link"), join(dir, "within")];
    await Deno.mkdir(join(root, "src"), { recursive: true });
    await Deno.symlink(root, link);
    await Deno.symlink(join(root, "src"), within);
    const rows: readonly (readonly [given: string, expected: string])[] = [
      ["src/a.ts", "src/a.ts"],
      [link, root],
      [join(link, "src"), join(root, "src")],
      [join(link, "new/a.ts"), join(root, "new/a.ts")],
      [join(within, "a.ts"), join(root, "src/a.ts")],
      [`${link}/../root/a.ts`, `${link}/../root/a.ts`],
      [join(dir, "other/a.ts"), join(dir, "other/a.ts")],
    ];
    for (const [given, expected] of rows) equal(resolveLinkAbove(root, given), expected, given);
    await Deno.remove(dir, { recursive: true });
  },
);
