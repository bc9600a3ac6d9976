/** A set-up that one person commits and another clones: nothing is missing there, and all of it can be undone. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { applyRemoval, planRemoval } from "../../src/project/setup/uninstall.ts";
import { applySetup, planSetup } from "../../src/project/setup/init.ts";
import { checkSetup } from "../../src/project/setup/setup_check.ts";
import type { TempRepo } from "../support/temp_repo.ts";
import { createTempRepo } from "../support/temp_repo.ts";

const FILES = {
  "CLAUDE.md": "# Rules",
  "AGENTS.md": "# Rules\n",
  ".mcp.json": '{\n  "mcpServers": {} // ours\n}\n',
  ".codex/config.toml": 'model = "m"\n',
  "src/a.ts": "export const a = 1;\n",
};
const ISOLATED = ["commit.gpgSign=false", "user.name=P", "user.email=p@example.org"];

for (const autocrlf of ["true", "false"]) {
  Deno.test(`a clone with core.autocrlf=${autocrlf} finds the whole set-up, unedited, and uninstall leaves no trace`, async () => {
    await using origin = await createTempRepo({ files: FILES });
    const base = await origin.git("rev-parse", "HEAD");
    await setUp(origin.dir);
    await origin.commit("Set up");
    const root = await clone(origin, autocrlf);
    try {
      const rows = await checkSetup({
        projectRoot: root,
        codeIntelDir: join(root, ".code-intel"),
        home: null,
        path: "",
      });
      deepEqual(rows.filter(({ detail }) => /Missing|Edited|Cannot be/.test(detail)), []);
      const again = await setUp(root);
      deepEqual(again.filter(({ action }) => action !== "unchanged"), []);
      equal(await git(root, "status", "--porcelain"), "");
      const removal = await planRemoval({ root, home: null, isPurge: false });
      const done = removal === null ? [] : await applyRemoval(removal);
      deepEqual(done.filter(({ action }) => action !== "remove" && action !== "clean"), []);
      await git(root, "add", "-A");
      equal(await git(root, "diff", "--cached", "--stat", base), "");
      const left = await git(root, "status", "--porcelain", "--ignored");
      deepEqual(left.split("\n").filter((line) => line.startsWith("!!")), []);
    } finally {
      await Deno.remove(root, { recursive: true });
    }
  });
}

Deno.test("a set-up from source leaves no word of its machine in what a clone gets", async () => {
  const home = await Deno.makeTempDir();
  await using origin = await createTempRepo({ files: FILES });
  const command = { words: ["/opt/deno", "run", "/x/src/main.ts"], isLocal: true };
  await setUp(origin.dir, { home, command });
  await origin.write({ ".gitignore": ".claude/settings.local.json\n" });
  await origin.commit("Set up");
  const root = await clone(origin, "false");
  try {
    const codeIntelDir = join(root, ".code-intel");
    const rows = await checkSetup({ projectRoot: root, codeIntelDir, home, path: "" });
    // The entry of a set-up from source lies with the user, for the folder of the origin alone.
    deepEqual(
      rows.filter(({ status }) => status !== "ok").map(({ detail }) => detail.split(":")[0]),
      ["Claude Code does not know the server"],
    );
    const removal = await planRemoval({ root: origin.dir, home, isPurge: false });
    if (removal !== null) await applyRemoval(removal);
    deepEqual(await Array.fromAsync(Deno.readDir(home)), []);
  } finally {
    for (const folder of [root, home]) await Deno.remove(folder, { recursive: true });
  }
});

async function setUp(
  root: string,
  rest: {
    readonly home: string | null;
    readonly command: { readonly words: readonly string[]; readonly isLocal: boolean };
  } = { home: null, command: { words: ["code-intel"], isLocal: false } },
) {
  const plan = await planSetup({ root, clients: ["claude", "codex"], choices: {}, ...rest });
  return await applySetup(plan);
}

async function clone({ dir }: TempRepo, autocrlf: string): Promise<string> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "code-intel-clone-" }));
  await git(root, "-c", `core.autocrlf=${autocrlf}`, "clone", "-q", dir, ".");
  await git(root, "config", "core.autocrlf", autocrlf);
  return root;
}

async function git(cwd: string, ...args: readonly string[]): Promise<string> {
  const config = ISOLATED.flatMap((pair) => ["-c", pair]);
  const command = new Deno.Command("git", { args: [...config, ...args], cwd });
  const { success, stdout, stderr } = await command.output();
  const text = new TextDecoder();
  if (!success) throw new Error(text.decode(stderr));
  return text.decode(stdout).trimEnd();
}
