/** Files that steer git and are no files. */
import { match, rejects } from "node:assert/strict";
import { join } from "node:path";
import { CodeIntelError } from "../../src/base/errors.ts";
import { openRepository } from "../../src/git/mod.ts";
import { testNeeding } from "../support/needs.ts";
import { createTempRepo } from "./support.ts";

testNeeding(
  ["posix"],
  "a pipe as .gitignore once made every call wait until its limit",
  async () => {
    for (
      const path of [".gitignore", ".gitattributes", ".git/info/exclude", ".git/info/attributes"]
    ) {
      await using temp = await createTempRepo({ files: { "a.txt": "a\n" } });
      const pipe = join(temp.dir, path);
      await Deno.remove(pipe).catch(() => {});
      await Deno.mkdir(join(temp.dir, ".git/info"), { recursive: true });
      await new Deno.Command("mkfifo", { args: [pipe] }).output();
      await rejects(openRepository(temp.dir), (failure) => {
        if (!(failure instanceof CodeIntelError)) return false;
        match(failure.message, new RegExp(path.replace(".git/", "")));
        return failure.code === "control_file_unusable";
      });
    }
  },
);
