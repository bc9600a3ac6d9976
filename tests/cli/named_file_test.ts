/** Files that a person names on the command line. */
import { match, strictEqual as equal, throws } from "node:assert/strict";
import { join } from "node:path";
import { CodeIntelError } from "../../src/base/errors.ts";
import { readNamedFile } from "../../src/cli/answer.ts";
import { testNeeding } from "../support/needs.ts";
import { runProgram } from "../support/server/cli.ts";
import { createTempRepo } from "../support/temp_repo.ts";

testNeeding(
  ["posix"],
  "session submit --file once read a device without end, and hung on a pipe",
  async () => {
    const dir = await Deno.makeTempDir();
    const [pipe, large, file] = ["pipe", "large", "file"].map((name) => join(dir, name));
    if (pipe === undefined || large === undefined || file === undefined) return;
    await new Deno.Command("mkfifo", { args: [pipe] }).output();
    await Deno.writeTextFile(large, "");
    await Deno.truncate(large, 1024 ** 3);
    await Deno.writeTextFile(file, "{}");
    equal(readNamedFile(file), "{}");
    const rows: readonly (readonly [path: string, said: RegExp])[] = [
      ["/dev/zero", /it is a device/],
      [pipe, /it is a pipe/],
      [dir, /it is a folder/],
      [large, /1073741824 bytes, and at most/],
      [join(dir, "absent"), /no such file/],
    ];
    for (const [path, said] of rows) {
      throws(() => readNamedFile(path), (failure) => {
        if (!(failure instanceof CodeIntelError)) return false;
        match(failure.message, said);
        match(String(failure.hint), /standard input/);
        return failure.code === "io_failed";
      });
    }
    await Deno.remove(dir, { recursive: true });
  },
);

testNeeding(["posix"], "each option that names a file goes through the same door", async () => {
  await using temp = await createTempRepo();
  for (const words of [["session", "submit", "--file"], ["doctor", "--vectors"]]) {
    const { code, stderr } = await runProgram([...words, "/dev/zero"], { cwd: temp.dir });
    equal(code, 2, stderr);
    match(stderr, /Cannot read "\/dev\/zero": it is a device/);
  }
});
