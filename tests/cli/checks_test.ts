/** What doctor finds, check by check. */
import { deepEqual, equal, match, rejects } from "node:assert/strict";
import { toCheckReport } from "../../src/cli/checks.ts";

Deno.test("toCheckReport() takes a folder without git as a notice with a way on", async () => {
  const checks = await toCheckReport(await Deno.makeTempDir());
  deepEqual(checks.map(({ name }) => name), [
    "program",
    "project",
    "git",
    "rg",
    "ctags",
    "configuration",
    "sessions",
  ]);
  const git = checks.find(({ name }) => name === "git");
  equal(git?.level, "notice");
  match(git?.hint ?? "", /git init/);
});

Deno.test("toCheckReport() names a session file that cannot be read and runs the other checks", async () => {
  const dir = await Deno.makeTempDir();
  await Deno.mkdir(`${dir}/.code-intel/sessions`, { recursive: true });
  await Deno.writeTextFile(
    `${dir}/.code-intel/sessions/session_20261121_101500_3fa9.json`,
    "{ damaged",
  );
  const checks = await toCheckReport(dir);
  deepEqual(checks.filter(({ level }) => level === "broken").map(({ name }) => name), [
    "sessions",
  ]);
});

Deno.test("toCheckReport() refuses a folder that does not exist", async () => {
  await rejects(toCheckReport("/no/such/folder"), { code: "io_failed" });
});
