/** A folder that holds far more files than a project, with git or without: once a question into it had no answer in 90 s. */
import { match, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { LIMITS } from "../../src/base/settings/limits.ts";
import { runProgram } from "../support/server/cli.ts";
import { startClient } from "../support/server/mcp_client.ts";
import { runGit } from "../support/temp_repo.ts";

const FOLDERS = 60;
const FILES_EACH = 1_000;

Deno.test("a folder of 60,000 files is answered by near files, and the reply says what was not looked at", async () => {
  await askLarge({ hasGit: false });
});

Deno.test("a repository of 60,000 untracked files is answered by a part of them, and the reply says so", async () => {
  await askLarge({ hasGit: true });
});

async function askLarge({ hasGit }: { readonly hasGit: boolean }): Promise<void> {
  const dir = await Deno.realPath(await Deno.makeTempDir({ prefix: "code-intel-large-" }));
  const state = await Deno.makeTempDir({ prefix: "code-intel-state-" });
  try {
    fill(dir);
    if (hasGit) await runGit(dir, ["init", "-q"]);
    ok(FOLDERS * FILES_EACH > LIMITS.plainFiles.value);
    const env = { CODE_INTEL_STATE_DIR: state, GIT_CONFIG_GLOBAL: "/dev/null" };
    // A busy machine may come to the bound of time first.
    const cut = /Only \d+ (?:of \d+ untracked )?files (?:were looked at|could be listed)/;
    for (
      const [words, found] of [[["def", "here"], /^a\.py:1/m], [
        ["text", "here"],
        /^a\.py:1/m,
      ]] as const
    ) {
      const { stdout, stderr } = await runProgram(words, { cwd: dir, env });
      match(stdout, found, stderr);
      match(`${stdout}${stderr}`.replaceAll(/\n */g, " "), cut);
    }
    const client = await startClient({ projectDir: dir, env });
    const reply = await client.call("find_definitions", { name: "not_there" });
    match(JSON.stringify(reply), cut);
    await client.close();
    equal(await Deno.stat(join(dir, ".code-intel")).catch(() => null), null);
  } finally {
    await Deno.remove(dir, { recursive: true });
    await Deno.remove(state, { recursive: true });
  }
}

/** At one go: waiting for each of so many files would take ten times as long. */
function fill(dir: string): void {
  Deno.writeTextFileSync(join(dir, "a.py"), "def here(): return 1\n");
  for (let at = 0; at < FOLDERS; at++) {
    const folder = join(dir, `t${at}`);
    Deno.mkdirSync(folder);
    for (let file = 0; file < FILES_EACH; file++) {
      Deno.writeTextFileSync(join(folder, `f${file}.txt`), "");
    }
  }
}
