/**
 * A disk that is full, or read-only, at each step of a session: one code for each cause whoever was refused, with the next
 * step; what only reads goes on answering, and nothing is lost.
 */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { testNeeding } from "../support/needs.ts";
import type { RefusedCall, WalkEnd } from "./refusing_disk_walk.ts";

const WALK = fileURLToPath(new URL("refusing_disk_walk.ts", import.meta.url));
const SIZE = "24m";

testNeeding(
  ["mount"],
  "a full disk was a bug of code-intel, a failure of git or a refused branch, as it came: each step says what it is, and the session ends merged",
  async () => {
    const { calls, end } = await walk();
    const asked = new Set(calls.map(({ step, disk }) => `${step} ${disk}`));
    ok(asked.has("17 full") && asked.has("19 read-only"), [...asked].join(", "));
    for (const row of calls) {
      const shown = JSON.stringify(row);
      // What reads is answered whatever the disk says.
      if (row.call !== "submit_phase") equal(row.ok, true, shown);
      if (row.ok) continue;
      equal(row.error, row.disk === "full" ? "disk_full" : "io_failed", shown);
      match(row.message ?? "", /no space is left|the file system is read-only/, shown);
      match(row.hint ?? "", /Free some space|Mount it for writing/, shown);
    }
    deepEqual([end.merged, end.status, end.left], [true, "", []]);
  },
);

async function walk(): Promise<{ readonly calls: readonly RefusedCall[]; readonly end: WalkEnd }> {
  const mount = await Deno.makeTempDir({ prefix: "code-intel-small-" });
  const run = ["run", "--quiet", "--no-check", "--allow-all", WALK, mount];
  const script = `mount -t tmpfs -o size=${SIZE} tmpfs "$1" && shift && exec "$@"`;
  const own = ["--user", "--map-root-user", "--mount", "sh", "-c", script, "sh", mount];
  const { stdout, stderr } = await new Deno.Command("unshare", {
    args: [...own, Deno.execPath(), ...run],
    env: { TMPDIR: mount },
  }).output();
  const lines = new TextDecoder().decode(stdout).trim().split("\n");
  const last = lines.pop() ?? "";
  ok(last.startsWith('{"end"'), `${last}\n${new TextDecoder().decode(stderr)}`);
  await Deno.remove(mount);
  return { calls: lines.map((line) => JSON.parse(line)), end: JSON.parse(last) };
}
