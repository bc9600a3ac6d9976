/** Asks real folders whether they can be written. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { probeDisk } from "../../../src/base/files/own_folder.ts";
import { testNeeding } from "../../support/needs.ts";

Deno.test("probeDisk() finds nothing wrong with a folder that takes a file, and leaves none there", async () => {
  const folder = await Deno.makeTempDir();
  equal(await probeDisk(folder), null);
  equal(await probeDisk(`${folder}/none`), null);
  deepEqual(await Array.fromAsync(Deno.readDir(folder)), []);
});

testNeeding(["mount"], "probeDisk() names a full disk and a read-only one", async () => {
  const folder = await Deno.makeTempDir();
  const module = fileURLToPath(import.meta.resolve("../../../src/base/files/own_folder.ts"));
  const code = `import { probeDisk } from "${module}";
    console.log((await probeDisk("${folder}"))?.says);`;
  const probe = '"$2" eval --no-lock "$3"';
  const script =
    `mount -t tmpfs -o size=16k tmpfs "$1" && ${probe} && mount -o remount,ro "$1" && ${probe}`;
  const own = ["--user", "--map-root-user", "--mount", "sh", "-c", script, "sh"];
  const { stdout } = await new Deno.Command("unshare", {
    args: [...own, folder, Deno.execPath(), code],
  }).output();
  deepEqual(new TextDecoder().decode(stdout).trim().split("\n"), [
    "no space is left on the device",
    "the file system is read-only",
  ]);
});
