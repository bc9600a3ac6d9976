/** The file of licences is what the lock file, the packages and the vendored lists say. */
import { ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { renderLicenses } from "../../tools/licenses/components.ts";
import { runProgram } from "../support/server/cli.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

Deno.test("THIRD_PARTY_LICENSES is up to date (deno task licenses), and the program prints it", async () => {
  const text = await Deno.readTextFile(join(ROOT, "THIRD_PARTY_LICENSES"));
  equal(text, await renderLicenses(ROOT));
  equal((await runProgram(["licenses"])).stdout, text);
});

Deno.test("THIRD_PARTY_LICENSES has a text or a note for each thing that it names", async () => {
  const text = await Deno.readTextFile(join(ROOT, "THIRD_PARTY_LICENSES"));
  const [list = ""] = text.split("\nGrammars:");
  const rows = [...list.matchAll(/^ {2}(\S+) +(.+?) {2,}\S/gm)];
  ok(rows.length > 20);
  for (const [, name, version] of rows) {
    ok(text.includes(`${name} ${version}`), `${name} ${version} has a section`);
  }
});
