/** The folder of the project: its working files never reach a commit by accident. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { GITIGNORE, prepareCodeIntelFolder } from "../../src/session/archive.ts";

async function git(cwd: string, ...args: string[]): Promise<string> {
  const { stdout } = await new Deno.Command("git", { cwd, args }).output();
  return new TextDecoder().decode(stdout);
}

Deno.test("R29: git sees no working file, but agreements, prompts and configuration", async () => {
  const root = await Deno.makeTempDir();
  try {
    await git(root, "init", "-q");
    const folder = join(root, ".code-intel");
    await prepareCodeIntelFolder(folder);
    equal(await git(root, "status", "--porcelain", "-uall"), "", "the first write leaves it clean");
    const files = [
      "sessions/session_20260131_142530_9f3a.json",
      "sessions/.lock",
      "backup/a/.env",
      "logs/decisions.jsonl",
      "cache/symbols.json",
      "index.db",
      "index.db-wal",
      "config.json.1a2b3c4d.tmp",
      "config.json",
      "context.yml",
      "phase_contract.yml",
      "agreements/login.md",
      "review_prompts/quality_review.md",
      "verifiers/index.md",
    ];
    for (const file of files) {
      await Deno.mkdir(join(folder, file, ".."), { recursive: true });
      await Deno.writeTextFile(join(folder, file), "");
    }
    const list = async () =>
      (await git(root, "ls-files", "--others", "--exclude-standard")).trim().split("\n").sort();
    const shared = [
      ".code-intel/config.json",
      ".code-intel/context.yml",
      ".code-intel/phase_contract.yml",
      ".code-intel/review_prompts/quality_review.md",
      ".code-intel/verifiers/index.md",
    ];
    deepEqual(
      await list(),
      shared,
      "what sessions learn is no dirt where nobody set the project up",
    );
    await Deno.writeTextFile(join(folder, ".gitignore"), GITIGNORE);
    const ofTeam = [".code-intel/.gitignore", ".code-intel/agreements/login.md"];
    deepEqual(await list(), [...ofTeam, ...shared]);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("prepareCodeIntelFolder() leaves an ignore file that exists as it is", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(join(folder, ".gitignore"), "mine\n");
    await prepareCodeIntelFolder(folder);
    equal(await Deno.readTextFile(join(folder, ".gitignore")), "mine\n");
    equal((await Deno.stat(join(folder, "sessions"))).isDirectory, true);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
