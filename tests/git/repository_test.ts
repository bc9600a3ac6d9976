/** Holds `src/git/repository.ts` to its promises, on real repositories. */
import { listProjectFiles } from "../../src/git/trees/file_lists.ts";
import {
  deepStrictEqual as deepEqual,
  match,
  ok,
  rejects,
  strictEqual as equal,
} from "node:assert/strict";
import { join } from "node:path";
import { CodeIntelError } from "../../src/base/errors.ts";
import { findCheckout, openRepository, readHead, readTip } from "../../src/git/repository.ts";
import { testNeeding } from "../support/needs.ts";
import { createTempRepo, runGit } from "../support/temp_repo.ts";

Deno.test("openRepository() finds the worktree from a folder inside, and is null outside", async () => {
  await using temp = await createTempRepo({ files: { "deep/er/a": "1\n" } });
  const repo = await openRepository(join(temp.dir, "deep", "er"));
  equal(repo?.worktree, temp.dir);
  equal(repo?.gitDir, join(temp.dir, ".git"));
  equal(repo?.commonDir, join(temp.dir, ".git"));
  equal(repo?.objectFormat, "sha1");
  equal(await openRepository(join(temp.dir, ".git")), null);
  const outside = await Deno.makeTempDir();
  equal(await openRepository(outside), null);
  await Deno.remove(outside);
});

Deno.test("a repository that git cannot open was once taken for none", async () => {
  const breaks: readonly (readonly [said: RegExp, path: string, text: string])[] = [
    [/bad config line/, ".git/config", "garbage[\n"],
    [/not a git repository/, ".git/HEAD", "junk\n"],
    [/repo version/, ".git/config", "[core]\n\trepositoryformatversion = 9\n"],
    [/invalid gitfile format/, "inner/.git", "junk\n"],
  ];
  for (const [said, path, text] of breaks) {
    await using temp = await createTempRepo({ files: { "inner/a": "1\n" } });
    await temp.write({ [path]: text });
    const dir = path.startsWith("inner") ? join(temp.dir, "inner") : temp.dir;
    await rejects(openRepository(dir), (failure) => {
      if (!(failure instanceof CodeIntelError)) return false;
      match(failure.message, said);
      const hint = String(failure.hint);
      ok(hint.startsWith(`Mend "${join(dir, ".git")}" until \`git status\``), hint);
      return failure.code === "git_failed";
    });
  }
});

Deno.test("a damaged repository inside another one was once passed over for the outer one", async () => {
  await using temp = await createTempRepo({ files: { "inner/a": "1\n" } });
  const inner = join(temp.dir, "inner");
  await temp.git("init", "-q", inner);
  await temp.write({ "inner/.git/HEAD": "junk\n" });
  await rejects(openRepository(inner), /git finds it damaged/);
});

Deno.test("openRepository() is not led away by inherited variables of an outer git", async () => {
  await using temp = await createTempRepo();
  await using other = await createTempRepo();
  const code = `import { openRepository } from ${
    JSON.stringify(import.meta.resolve("../../src/git/repository.ts"))
  };
    const repo = await openRepository(${JSON.stringify(temp.dir)});
    console.log(repo.worktree, await repo.git.line(["ls-files"]));`;
  const output = await new Deno.Command(Deno.execPath(), {
    args: ["eval", "--no-lock", code],
    cwd: temp.dir,
    env: {
      GIT_DIR: join(other.dir, ".git"),
      GIT_INDEX_FILE: "/nonexistent",
      GIT_WORK_TREE: other.dir,
    },
  }).output();
  equal(new TextDecoder().decode(output.stdout), `${temp.dir} README.md\n`);
});

testNeeding(
  ["posix"],
  "openRepository() works with git 2.38 and refuses what is older",
  async () => {
    await using temp = await createTempRepo();
    const code = `import { openRepository } from ${
      JSON.stringify(import.meta.resolve("../../src/git/repository.ts"))
    };
    const said = await openRepository(${JSON.stringify(temp.dir)}).then(
      (repo) => repo.worktree,
      (error) => [error.code, error.message, error.hint].join("|"),
    );
    console.log(said);`;
    const folder = await Deno.makeTempDir();
    const said = [];
    for (const version of ["2.38.0", "2.37.7"]) {
      // Only the version is made up; all else is answered by the git of this machine.
      const script = `#!/bin/sh
case "$*" in *version) echo "git version ${version}" ;; *) PATH="$REAL_PATH" exec git "$@" ;; esac
`;
      await Deno.writeTextFile(join(folder, "git"), script, { mode: 0o755 });
      const path = Deno.env.get("PATH") ?? "";
      const { stdout } = await new Deno.Command(Deno.execPath(), {
        args: ["eval", "--no-lock", code],
        env: { PATH: `${folder}:${path}`, REAL_PATH: path },
      }).output();
      said.push(new TextDecoder().decode(stdout).trim());
    }
    await Deno.remove(folder, { recursive: true });
    deepEqual(said, [
      temp.dir,
      "git_too_old|Cannot use git version 2.37.7: version 2.38 or newer is needed|Update git, then run `code-intel doctor`.",
    ]);
  },
);

Deno.test("readHead() tells branch, unborn branch and detached HEAD", async () => {
  await using temp = await createTempRepo({ files: null, branch: "feature/x" });
  deepEqual(await readHead(temp.repo), { kind: "branch", branch: "feature/x", commit: null });
  const commit = await temp.commit("First", { a: "1\n" });
  deepEqual(await readHead(temp.repo), { kind: "branch", branch: "feature/x", commit });
  equal(await readTip(temp.repo, "feature/x"), commit);
  equal(await readTip(temp.repo, "--all"), null);
  // A branch, a tag and a file of the names that git would guess among.
  await temp.git("update-ref", "refs/heads/HEAD", "HEAD");
  await temp.git("update-ref", "refs/tags/feature/x", "HEAD");
  await temp.write({ HEAD: "no ref\n" });
  deepEqual(await readHead(temp.repo), { kind: "branch", branch: "feature/x", commit });
  await temp.git("checkout", "-q", "--detach");
  deepEqual(await readHead(temp.repo), { kind: "detached", commit });
});

Deno.test("findCheckout() names the worktree of a branch", async () => {
  await using temp = await createTempRepo();
  const place = join(temp.dir, "inner");
  await temp.git("worktree", "add", "-q", "-b", "side", place);
  equal(await findCheckout(temp.repo, "side"), place);
  equal(await findCheckout(temp.repo, "main"), temp.dir);
  equal(await findCheckout(temp.repo, "none"), null);
});

Deno.test("listProjectFiles() lists what exists and is not ignored, without nested repositories", async () => {
  await using temp = await createTempRepo({
    files: { "a.ts": "1\n", "gone.ts": "1\n", ".gitignore": "*.log\n", "sub/ü\n.ts": "1\n" },
  });
  await temp.write({ "new file.ts": "1\n", "x.log": "1\n", "nested/x": "1\n", "staged.ts": "1\n" });
  await runGit(join(temp.dir, "nested"), ["init", "-q"]);
  await temp.git("add", "staged.ts");
  await temp.remove("gone.ts");
  deepEqual(await listProjectFiles(temp.repo), [
    ".gitignore",
    "a.ts",
    "new file.ts",
    "staged.ts",
    "sub/ü\n.ts",
  ]);
  deepEqual(await listProjectFiles(temp.repo, { under: "sub" }), ["sub/ü\n.ts"]);
  const all = await listProjectFiles(temp.repo, { hasRepositories: true });
  deepEqual(all.filter((path) => path.startsWith("nested")), ["nested/"]);
});

Deno.test("a repository of another account: the hint is the command that trusts it, and git's lines stay lines", async () => {
  await using temp = await createTempRepo();
  const { code, hint, lines } = await openAsAnotherAccount(temp.dir);
  equal(code, "git_failed");
  match(hint, new RegExp(`\`git config --global --add safe\\.directory ${temp.dir}\``));
  const command = `git config --global --add safe.directory ${temp.dir}`;
  equal(lines.some((line) => line.trim() === command), true, lines.join("|"));
});

/** In a process of its own: variables belong to all tests that run at the same time. */
async function openAsAnotherAccount(dir: string): Promise<{
  readonly code: string;
  readonly hint: string;
  readonly lines: readonly string[];
}> {
  const toUrl = (path: string) => JSON.stringify(import.meta.resolve(`../../src/${path}`));
  const script = `import { openRepository } from ${toUrl("git/repository.ts")};
import { splitFailure } from ${toUrl("cli/fold.ts")};
const failure = await openRepository(${JSON.stringify(dir)}).then(() => null, (thrown) => thrown);
const { code, hint, message } = failure;
console.log(JSON.stringify({ code, hint: String(hint), lines: splitFailure(code, message) }));`;
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", "--no-lock", script],
    env: {
      GIT_TEST_ASSUME_DIFFERENT_OWNER: "1",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_SYSTEM: "/dev/null",
    },
  }).output();
  return JSON.parse(new TextDecoder().decode(stdout));
}
