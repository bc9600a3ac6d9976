/** Finding the real programs, and treating others as missing. */
import { match, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { createBackends } from "../../src/backends/detect.ts";
import { testNeeding } from "../support/needs.ts";

testNeeding(["rg"], "createBackends() finds ripgrep with its version", async () => {
  const rg = await createBackends({ env: { get: () => undefined } }).rg();
  ok(rg.available, rg.reason);
  match(rg.version ?? "", /^\d+\./);
});

Deno.test("createBackends() treats `none` as missing and says why", async () => {
  const rg = await createBackends({ env: { get: () => "none" } }).rg();
  equal(rg.available, false);
  match(rg.reason ?? "", /turned off/);
});

Deno.test("createBackends() does not take another program for ripgrep", async () => {
  const env = { get: () => Deno.execPath() };
  equal((await createBackends({ env }).rg()).available, false);
});

Deno.test("createBackends() refuses a relative override and a missing program", async () => {
  const at = (path: string) => createBackends({ env: { get: () => path } }).rg();
  match((await at("./rg")).reason ?? "", /relative/);
  match((await at(join("/nowhere", "rg"))).reason ?? "", /not found/);
});
