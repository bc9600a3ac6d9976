/** The version is written in two places that must agree. */
import { strictEqual as equal } from "node:assert/strict";
import { SQLITE_VEC_VERSION, VERSION } from "../../src/base/version.ts";

Deno.test("VERSION is the version of deno.json", async () => {
  const config = JSON.parse(await Deno.readTextFile("deno.json"));
  equal(VERSION, config.version);
  equal(`npm:sqlite-vec@${SQLITE_VEC_VERSION}`, config.imports["sqlite-vec"]);
});
