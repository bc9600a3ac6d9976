/** Where git keeps a repository, nobody works: what it is and where to work is said in one sentence. */
import {
  deepStrictEqual as deepEqual,
  match,
  rejects,
  strictEqual as equal,
} from "node:assert/strict";
import { join } from "node:path";
import {
  findGitStore,
  isGitStore,
  listWorktreeFolders,
  makeGitStoreError,
} from "../../src/place/git_store.ts";
import { createTempRepo } from "../support/temp_repo.ts";
import { findProjectRoot } from "../../src/place/project_root.ts";

Deno.test("listWorktreeFolders() names the folder in every other worktree, from the first one and from others", async () => {
  await using temp = await createTempRepo({ files: { "app/a": "1\n" } });
  deepEqual(listWorktreeFolders(temp.dir), []);
  const side = join(temp.dir, ".git/side");
  await temp.git("worktree", "add", "-q", side, "-b", "side");
  deepEqual(listWorktreeFolders(join(temp.dir, "app")), [join(side, "app")]);
  deepEqual(listWorktreeFolders(side), [temp.dir]);
});

async function makeBare() {
  const temp = await createTempRepo({ files: { "src/a.ts": "1\n" } });
  const bare = join(temp.dir, "..", `${temp.dir.split("/").at(-1)}-bare.git`);
  await temp.git("clone", "-q", "--bare", temp.dir, bare);
  const remove = () => Deno.remove(bare, { recursive: true });
  return { temp, bare, remove };
}

Deno.test("findGitStore() finds a bare repository from any folder in it, and its worktrees are none", async () => {
  const { temp, bare, remove } = await makeBare();
  deepEqual(findGitStore(join(bare, "hooks")), { path: bare, worktree: null });
  equal(isGitStore(bare), true);
  match(
    makeGitStoreError({ path: bare, worktree: null }).message,
    /bare repository.* and no worktree$/,
  );
  match(
    String(makeGitStoreError({ path: bare, worktree: null }).hint),
    /git -C \S+-bare\.git worktree add/,
  );
  const work = `${temp.dir}-work`;
  await temp.git("-C", bare, "worktree", "add", "-q", work, "-b", "work");
  equal(findGitStore(join(work, "src")), null);
  equal(await findProjectRoot(join(work, "src")), work);
  const { message, hint } = makeGitStoreError({ path: bare, worktree: null });
  equal(message.endsWith(`; its worktrees are "${work}"`), true, message);
  equal(hint, `Start in a worktree, or name it: --project ${work}.`);
  await remove();
  await Deno.remove(work, { recursive: true });
});

Deno.test("findProjectRoot() refuses a bare repository, named or not, also one that a `.git` leads to", async () => {
  const { bare, remove } = await makeBare();
  const top = await Deno.realPath(await Deno.makeTempDir({ prefix: "code-intel-top-" }));
  await Deno.rename(bare, join(top, ".bare"));
  await Deno.writeTextFile(join(top, ".git"), "gitdir: ./.bare\n");
  await Deno.mkdir(join(top, "notes"));
  for (const dir of [top, join(top, "notes"), join(top, ".bare/hooks")]) {
    for (const isNamed of [false, true]) {
      await rejects(findProjectRoot(dir, { isNamed }), {
        code: "not_a_project",
        message:
          `"${top}/.bare" is a bare repository, which has no files to work on and no worktree`,
      }, dir);
    }
  }
  await remove().catch(() => {});
  await Deno.remove(top, { recursive: true });
});

Deno.test("findProjectRoot() says of a worktree marked as bare how its files come back", async () => {
  await using temp = await createTempRepo({ files: { "src/a.ts": "1\n" } });
  await temp.git("config", "core.bare", "true");
  await rejects(findProjectRoot(join(temp.dir, "src")), (failure: Error & { hint?: string }) => {
    match(failure.message, /\.git" is a bare repository/);
    match(String(failure.hint), /`git -C \S+\/\.git config core\.bare false`/);
    return true;
  });
  await temp.git("config", "core.bare", "false");
  equal(await findProjectRoot(join(temp.dir, "src")), temp.dir);
});

Deno.test("findProjectRoot() takes the `.git` of a worktree for the worktree, and refuses it where it is named", async () => {
  await using temp = await createTempRepo();
  const hooks = join(temp.dir, ".git/objects");
  equal(await findProjectRoot(hooks), temp.dir);
  await rejects(findProjectRoot(hooks, { isNamed: true }), {
    code: "not_a_project",
    message: `"${temp.dir}/.git" is the git folder of "${temp.dir}"`,
    hint: `Start in that worktree, or name it: --project ${temp.dir}.`,
  });
});
