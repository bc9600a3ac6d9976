/** Who waits on a pipe. */
import { ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { openWaitedPipe } from "../../../src/base/files/waited_pipe.ts";
import { testNeeding } from "../../support/needs.ts";

testNeeding(
  ["posix"],
  "openWaitedPipe() finds a pipe that is read, and no other file",
  async () => {
    const dir = await Deno.makeTempDir();
    const [pipe, file] = [join(dir, "pipe"), join(dir, "file")];
    await new Deno.Command("mkfifo", { args: [pipe] }).output();
    await Deno.writeTextFile(file, "");
    for (const path of [pipe, file, dir, join(dir, "absent")]) equal(openWaitedPipe(path), null);
    const reader = new Deno.Command("cat", { args: [pipe], stdout: "null" }).spawn();
    let found = openWaitedPipe(pipe);
    while (found === null) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      found = openWaitedPipe(pipe);
    }
    equal(found.path, pipe);
    found.close();
    ok((await reader.status).success);
    await Deno.remove(dir, { recursive: true });
  },
);
