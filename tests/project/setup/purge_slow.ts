/** `uninstall --purge` with unfinished sessions, other worktrees and after kills: all that the program made is gone, counted, and nothing of a person's. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { runOnTerminal } from "../../support/server/cli.ts";
import {
  compareFootprints,
  readFolderFootprint,
  readFootprint,
} from "../../support/files/footprint.ts";
import { testNeeding } from "../../support/needs.ts";
import type { Project } from "../../support/session/session_driver.ts";
import { runHosted } from "../../support/server/hosted_cli.ts";
import { startSession } from "../../support/session/hosted_session.ts";
import { createProject } from "../../support/session/session_driver.ts";

testNeeding(
  ["terminal"],
  "uninstall --purge asks a person before it removes an unfinished session",
  async () => {
    await using project = await createProject({ isIndexed: false });
    const run = toRun(project);
    const before = await readFootprint(project.dir);
    await using session = await startSession(project, { intent: "QUESTION" });
    await session.client.close();
    const refused = await run("uninstall", "--purge");
    equal(refused.code, 1);
    match(refused.stderr, /session_\w+ \(active\)[\s\S]*in a terminal and agree/);
    const dry = await run("uninstall", "--purge", "--dry-run");
    match(dry.stdout, /^remove +\d+ files in .*\.code-intel, \d+ bytes$/m);
    const options = { cwd: project.dir, env: project.env };
    const no = await runOnTerminal(["uninstall", "--purge"], { ...options, typed: "n\n" });
    match(no, /Remove unfinished sessions with all their snapshots/);
    ok(await project.repo.exists(".code-intel/sessions"));
    await runOnTerminal(["uninstall", "--purge"], { ...options, typed: "y\n" });
    deepEqual(compareFootprints(before, await readFootprint(project.dir)), []);
  },
);

Deno.test("uninstall --purge keeps what another worktree's sessions need, and names it", async () => {
  await using project = await createProject({ isIndexed: false });
  const { repo } = project;
  await startAndAbandon(project);
  const other = `${project.dir}-other`;
  await repo.git("worktree", "add", "-q", other, "-b", "other");
  try {
    await startAndAbandon(project, other);
    const theirs = await listSessionRefs(project, other);
    ok(theirs.length > 0);
    const done = await toRun(project)("uninstall", "--purge");
    equal(done.code, 0, done.stderr);
    match(
      done.stdout,
      /kept +index, trust, and refs of other sessions: they are shared with .*-other/,
    );
    const left = (await repo.git("for-each-ref", "--format=%(refname)", "refs/code-intel")).split(
      "\n",
    );
    deepEqual(left.sort(), [...theirs].sort());
    equal(await repo.exists(".code-intel"), false);
    const last = await runHosted(["uninstall", "--purge"], { cwd: other, env: project.env });
    equal(last.code, 0, last.stderr);
    equal(await repo.git("for-each-ref", "refs/code-intel"), "");
    equal(await repo.exists(".git/code-intel"), false);
  } finally {
    await Deno.remove(other, { recursive: true });
  }
});

Deno.test("unfinished writes that a kill left survive no uninstall", async () => {
  await using project = await createProject({ isIndexed: false });
  const run = toRun(project);
  const before = await readFootprint(project.dir);
  const home = await Deno.makeTempDir();
  const env = { ...project.env, HOME: home, DENO_DIR: Deno.env.get("DENO_DIR") ?? "" };
  const cli = (...words: string[]) => runHosted(words, { cwd: project.dir, env });
  equal((await cli("init", ".", "--client", "all")).code, 0);
  const mine = ["CLAUDE.md.tmp", "AGENTS.md.0123abcd.tmp.txt", ".claude/notes.0123abcd.tmp"];
  const ours = [
    "CLAUDE.md.0123abcd.tmp",
    ".claude/settings.local.json.89abcdef.tmp",
    ".code-intel/manifest.json.0123abcd.tmp",
    ".code-intel/init_backup/CLAUDE.md.0123abcd.tmp",
    ".agents/skills/code/SKILL.md.0123abcd.tmp",
  ];
  await project.repo.write(Object.fromEntries([...mine, ...ours].map((path) => [path, "x"])));
  await Deno.writeTextFile(join(home, ".claude.json.0123abcd.tmp"), "x");
  equal((await cli("uninstall", ".")).code, 0);
  for (const path of mine) equal(await project.repo.exists(path), true, path);
  await project.repo.remove(...mine);
  await Deno.remove(join(project.dir, ".claude")).catch(() => {});
  await run("uninstall", "--purge");
  deepEqual(compareFootprints(before, await readFootprint(project.dir)), []);
  const names = Object.keys(await readFolderFootprint(home));
  deepEqual(names.filter((path) => path.includes(".claude")), []);
  await Deno.remove(home, { recursive: true });
});

Deno.test("a new user sets a fresh clone up, works, and undoes it: every byte and ref is as before", async () => {
  await using origin = await createProject({ files: FOREIGN, isIndexed: false });
  const [home, parent] = [await Deno.makeTempDir(), await Deno.realPath(await Deno.makeTempDir())];
  const dir = join(parent, 'a clone\'s "place"');
  await origin.repo.git("clone", "-q", origin.dir, dir);
  const clone: Project = { ...origin, dir };
  const env = { ...origin.env, HOME: home, DENO_DIR: Deno.env.get("DENO_DIR") ?? "" };
  const cli = (...words: string[]) => runHosted(words, { cwd: dir, env });
  const [before, homeBefore] = [await readFootprint(dir), await readFolderFootprint(home)];
  for (const isPurged of [false, true]) {
    equal((await cli("init", ".", "--client", "all")).code, 0);
    equal((await cli("index")).code, 0);
    await startAndAbandon(clone);
    const plain = await cli("uninstall", ".");
    equal(plain.code, 0, plain.stdout);
    const left = compareFootprints(before, await readFootprint(dir));
    // Without a purge only what the program knows of the work stays, and git sees none of it.
    deepEqual(
      left.filter((row) => !/ (?:\.code-intel\/|\.git\/.*code-intel|refs$|status$)/.test(row)),
      [],
    );
    if (!isPurged) continue;
    const purged = await cli("uninstall", ".", "--purge");
    equal(purged.code, 0, purged.stdout);
    deepEqual(compareFootprints(before, await readFootprint(dir)), []);
  }
  const atHome = compareFootprints(homeBefore, await readFolderFootprint(home));
  deepEqual(atHome.filter((row) => !/^\+ \.(?:cache|local)\//.test(row)), []);
  for (const folder of [home, parent]) await Deno.remove(folder, { recursive: true });
});

/** A project that has files of both clients already. */
const FOREIGN = {
  "AGENTS.md": "# Rules",
  ".mcp.json": '{ "mcpServers": { "x": { "command": "x" } } // mine\n}\n',
  ".claude/settings.json": '{ "permissions": { "allow": [] } // mine\n}\n',
  ".codex/config.toml": 'model = "m"',
  "src/auth.ts": "export function login(): number {\n  return 1;\n}\n",
  "src/auth.test.js": 'import test from "node:test";\n',
  "package.json": "{}\n",
};

function toRun({ dir, env }: Project) {
  return (...words: string[]) => runHosted(words, { cwd: dir, env });
}

/** A session over stdio as far as its first steps, then given up. */
async function startAndAbandon(project: Project, dir = project.dir): Promise<void> {
  await using session = await startSession(project, { intent: "QUESTION", projectDir: dir });
  await session.client.close();
  const words = ["session", "abandon", "--reason", "enough"];
  const { code, stderr } = await runHosted(words, { cwd: dir, env: project.env });
  equal(code, 0, stderr);
}

async function listSessionRefs(project: Project, dir: string): Promise<readonly string[]> {
  const refs = await project.repo.git("for-each-ref", "--format=%(refname)", "refs/code-intel");
  const paths = Object.keys(await readFolderFootprint(join(dir, ".code-intel/sessions")));
  const ids = paths.flatMap((path) => /session_\d+_\d+_[0-9a-f]{4}/.exec(path)?.[0] ?? []);
  return refs.split("\n").filter((ref) => ids.some((id) => ref.includes(id)));
}
