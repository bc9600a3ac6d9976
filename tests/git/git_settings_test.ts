/** A repository whose configuration names programs at every place that git knows: none of them may start. */
import { listProjectFiles } from "../../src/git/trees/file_lists.ts";
import { pruneSnapshots } from "../../src/git/snapshots/snapshot_list.ts";
import {
  deepStrictEqual as deepEqual,
  match,
  rejects,
  strictEqual as equal,
} from "node:assert/strict";
import { join } from "node:path";
import { buildEnvironment, parseHookNames } from "../../src/git/git_settings.ts";
import {
  createTaskBranch,
  deleteBranch,
  leaveTaskBranch,
  listTaskBranches,
} from "../../src/git/branches/branches.ts";
import { makeCommit } from "../../src/git/branches/commit.ts";
import { switchBranch } from "../../src/git/branches/switch_files.ts";
import { takeSnapshot } from "../../src/git/snapshots/snapshots.ts";
import type { Repository } from "../../src/git/repository.ts";
import { openRepository } from "../../src/git/repository.ts";
import { hashGuardedFiles } from "../../src/git/snapshots/guarded_files.ts";
import { restorePaths } from "../../src/git/snapshots/restore.ts";
import { changedLines } from "../../src/git/trees/changed_lines.ts";
import { diffText } from "../../src/git/trees/changes.ts";
import { buildCommitTree } from "../../src/git/trees/commit_tree.ts";
import type { TempRepo } from "./support.ts";
import { createTempRepo, SESSION, TASK } from "./support.ts";

const HOOKS = [
  "reference-transaction",
  "post-index-change",
  "post-checkout",
  "pre-auto-gc",
  "pre-commit",
  "post-commit",
];

/** Settings that name a program, all of them where `git config` may stand in a copied folder. */
const PROGRAMS = [
  "core.fsmonitor",
  "core.sshCommand",
  "core.gitProxy",
  "core.pager",
  "core.editor",
  "core.askPass",
  "core.alternateRefsCommand",
  "sequence.editor",
  "diff.external",
  "diff.evil.textconv",
  "diff.evil.command",
  "merge.evil.driver",
  "gpg.program",
  "gpg.ssh.program",
  "gpg.ssh.defaultKeyCommand",
  "credential.helper",
  "pager.diff",
  "alias.ls-files",
  "alias.diff-tree",
  "trailer.x.command",
  "uploadpack.packObjectsHook",
];

interface Hostile {
  readonly temp: TempRepo;
  /** What ran since the last look. */
  ran(): Promise<readonly string[]>;
}

async function makeHostile(): Promise<Hostile> {
  const temp = await createTempRepo({
    files: { "a.txt": "1\n", "b.evil": "1\n", ".gitattributes": "*.evil diff=evil merge=evil\n" },
  });
  const log = join(temp.dir, ".git", "ran");
  const script = async (name: string) => {
    const path = `.git/evil/${name}`;
    await temp.write({ [path]: `#!/bin/sh\necho ${name} >> '${log}'\n` });
    await Deno.chmod(join(temp.dir, path), 0o755);
    return join(temp.dir, path);
  };
  for (const hook of HOOKS) await script(hook);
  await temp.git("config", "core.hooksPath", join(temp.dir, ".git", "evil"));
  for (const key of PROGRAMS) await temp.git("config", key, await script(key));
  await temp.git("config", "commit.gpgSign", "false");
  await temp.git("config", "log.showSignature", "true");
  await temp.git("config", "submodule.recurse", "true");
  await Deno.remove(log).catch(() => {});
  const ran = async () => {
    const text = await Deno.readTextFile(log).catch(() => "");
    await Deno.remove(log).catch(() => {});
    return [...new Set(text.split("\n").filter((line) => line !== ""))].sort();
  };
  return { temp, ran };
}

async function snapshot(repo: Repository): Promise<string> {
  return (await takeSnapshot(repo, { sessionId: SESSION, label: "x", at: new Date() })).tree;
}

Deno.test("no program of the repository's configuration ran, yet core.hooksPath did at every snapshot", async () => {
  const { temp, ran } = await makeHostile();
  await using _temp = temp;
  const repo = await openRepository(temp.dir);
  if (repo === null) throw new Error("no repository");
  const before = await snapshot(repo);
  await temp.write({ "a.txt": "2\n", "b.evil": "2\n", "new.evil": "3\n" });
  const after = await snapshot(repo);
  match(await diffText(repo, before, after, ["a.txt", "b.evil"]), /\+2/);
  equal((await changedLines(repo, before, after)).size, 3);
  await listProjectFiles(repo);
  await hashGuardedFiles(repo);
  await restorePaths(repo, { tree: before, paths: ["b.evil"], exact: true });
  const task = await createTaskBranch(repo, { sessionId: SESSION, base: "main" });
  equal(task.kind, "created");
  await listTaskBranches(repo);
  await leaveTaskBranch(repo, { taskBranch: TASK, base: "main" });
  await switchBranch(repo, "main");
  await deleteBranch(repo, TASK);
  await pruneSnapshots(repo, { before: new Date(Date.now() + 1e6), keepSessions: [] });
  deepEqual(await ran(), []);
});

Deno.test("makeCommit() runs the hooks of the project, those of refs too", async () => {
  const { temp, ran } = await makeHostile();
  await using _temp = temp;
  const repo = await openRepository(temp.dir);
  if (repo === null) throw new Error("no repository");
  const headCommit = (await repo.git.line(["rev-parse", "HEAD"])).trim();
  const baselineTree = await snapshot(repo);
  await temp.write({ "a.txt": "2\n" });
  const currentTree = await snapshot(repo);
  const built = await buildCommitTree(repo, {
    headCommit,
    baselineTree,
    currentTree,
    paths: ["a.txt"],
  });
  deepEqual(await ran(), []);
  const made = await makeCommit(repo, {
    branch: "main",
    message: "Change a\n",
    tree: built.tree,
    parents: [headCommit],
    expectedHead: headCommit,
    acceptHookChanges: false,
    sessionId: SESSION,
  });
  equal(made.kind, "made");
  deepEqual(await ran(), ["post-commit", "pre-commit", "reference-transaction"]);
});

Deno.test("openRepository() took any folder above for the worktree that core.worktree names", async () => {
  await using temp = await createTempRepo();
  for (const worktree of ["/", join(temp.dir, "..")]) {
    await temp.git("config", "core.worktree", worktree);
    await rejects(openRepository(temp.dir), /core\.worktree names/);
  }
  await temp.git("config", "core.worktree", temp.dir);
  equal((await openRepository(temp.dir))?.worktree, temp.dir);
});

Deno.test("openRepository() takes linked worktrees, submodules and folders with a .git file", async () => {
  await using temp = await createTempRepo();
  const other = await Deno.realPath(await Deno.makeTempDir());
  await temp.git("worktree", "add", "-q", join(other, "linked"), "-b", "linked");
  equal((await openRepository(join(other, "linked")))?.worktree, join(other, "linked"));
  await temp.git("init", "-q", `--separate-git-dir=${join(other, "store")}`, join(other, "apart"));
  equal((await openRepository(join(other, "apart")))?.worktree, join(other, "apart"));
  await temp.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", temp.dir, "sub");
  equal((await openRepository(join(temp.dir, "sub")))?.worktree, join(temp.dir, "sub"));
  await Deno.remove(other, { recursive: true });
});

Deno.test("a partial clone started the program that its remote names, to fetch what it lacks", async () => {
  await using temp = await createTempRepo({ files: { "a.txt": "1\n" } });
  await temp.commit("Second", { "a.txt": "2\n" });
  for (const key of ["uploadpack.allowFilter", "uploadpack.allowAnySHA1InWant"]) {
    await temp.git("config", key, "true");
  }
  const place = await Deno.realPath(await Deno.makeTempDir());
  const clone = join(place, "clone");
  await temp.git("clone", "-q", "--filter=blob:none", `file://${temp.dir}`, clone);
  const evil = join(place, "upload");
  await Deno.writeTextFile(evil, `#!/bin/sh\ntouch '${place}/ran'\nexec git-upload-pack "$@"\n`);
  await Deno.chmod(evil, 0o755);
  await temp.git("-C", clone, "config", "remote.origin.uploadpack", evil);
  const repo = await openRepository(clone);
  await rejects(
    diffText(repo as Repository, "HEAD~1", "HEAD", ["a.txt"]),
    (error: Error & { hint?: string }) => /git fetch --refetch/.test(error.hint ?? ""),
  );
  await rejects(Deno.stat(join(place, "ran")), Deno.errors.NotFound);
  await Deno.remove(place, { recursive: true });
});

Deno.test("parseHookNames() reads the names of configured hooks, which buildEnvironment() switches off", () => {
  const keys = ["hook.lint.command", "hook.lint.event", "hook.a.b=c.command", "hook.jobs"];
  deepEqual(parseHookNames(keys), ["lint", "a.b=c"]);
  const env = buildEnvironment({ configuredHooks: ["a.b=c"] });
  const keysOf = Object.entries(env).filter(([name]) => name.startsWith("GIT_CONFIG_KEY_"));
  equal(env["GIT_CONFIG_COUNT"], `${keysOf.length}`);
  deepEqual(keysOf[0]?.[1], "hook.a.b=c.enabled");
  match(JSON.stringify(keysOf), /hook\.reference-transaction\.enabled/);
  equal(
    buildEnvironment({ hooks: "of_ref", configuredHooks: ["x"] })["GIT_CONFIG_COUNT"],
    undefined,
  );
});
