/** What `doctor` says of a set-up: files that are gone, edited ones, and a program that clients cannot find. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { applySetup, planSetup } from "../../../src/project/setup/init.ts";
import type { SetupFinding } from "../../../src/project/setup/setup_check.ts";
import { checkSetup } from "../../../src/project/setup/setup_check.ts";

const COMMAND = { words: ["code-intel"], isLocal: false };

/** Sets both clients up in a folder of its own and hands it to the action with its checker. */
async function inSetUp(
  action: (
    root: string,
    check: (path?: string) => Promise<readonly SetupFinding[]>,
  ) => Promise<void>,
): Promise<void> {
  const root = await Deno.makeTempDir();
  try {
    const clients = ["claude", "codex"] as const;
    const plan = await planSetup({ root, home: null, command: COMMAND, clients, choices: {} });
    await applySetup(plan);
    const codeIntelDir = join(root, ".code-intel");
    await action(
      root,
      (path = "") => checkSetup({ projectRoot: root, codeIntelDir, home: null, path }),
    );
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

Deno.test("checkSetup() warns where shared files name a program that is not on PATH", () =>
  inSetUp(async (root, check) => {
    const find = async (path: string) => (await check(path)).at(-1);
    const missing = await find("/no/such/folder");
    equal(missing?.status, "warn");
    match(
      missing?.detail ?? "",
      /^\.mcp\.json, \.codex\/config\.toml: clients start code-intel, which is not on PATH/,
    );
    const bin = join(root, "bin");
    await Deno.mkdir(bin);
    const name = Deno.build.os === "windows" ? "code-intel.exe" : "code-intel";
    await Deno.writeTextFile(join(bin, name), "");
    const found = await find(
      ["/no/such/folder", bin].join(Deno.build.os === "windows" ? ";" : ":"),
    );
    deepEqual([found?.status, found?.detail], ["ok", `Clients start ${join(bin, name)}`]);
  }));

Deno.test("checkSetup() names what is gone, and what a person edited", () =>
  inSetUp(async (root, check) => {
    deepEqual((await check()).filter(({ detail }) => /Missing|Edited/.test(detail)), []);
    await Deno.remove(join(root, ".mcp.json"));
    await Deno.writeTextFile(join(root, ".code-intel/task_planning.md"), "mine\n");
    const details = (await check()).map(({ status, detail }) => `${status} ${detail}`);
    match(details[0] ?? "", /^warn Missing, or without the entry that init wrote: \.mcp\.json$/);
    match(details[1] ?? "", /^ok Edited by you: .*task_planning\.md/);
  }));

Deno.test("checkSetup() says how to begin where init was not run", async () => {
  const root = await Deno.makeTempDir();
  const input = {
    projectRoot: root,
    codeIntelDir: join(root, ".code-intel"),
    home: null,
    path: "",
  };
  const rows = await checkSetup(input);
  deepEqual(rows.map(({ status }) => status), ["ok"]);
  match(rows[0]?.fix ?? "", /code-intel init/);
  await Deno.remove(root);
});
