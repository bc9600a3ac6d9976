/** Hooks that run after a commit or a merge: what they move and change is told, and the reply names the real tip. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import type { Answer, Project } from "../project_fixture.ts";
import { COMMON, createProject, expectOk, toLines } from "../project_fixture.ts";

async function worked(project: Project): Promise<void> {
  expectOk(await project.start());
  await project.plan("Change a");
  const edited = toLines(10).replace("line 5\n", "five\n");
  expectOk(await project.work({ "src/a.ts": edited }, ["src/a.ts:5"]));
  await project.must({ summary: "complete" });
}

const COMMIT = { ...COMMON, reviewed_files: [], rest: "keep", commit_message: "Change a" };

async function toMerge(project: Project): Promise<void> {
  await worked(project);
  await project.must(COMMIT);
}

/** A project with a hook that was there before its session. */
async function createHooked(
  name: string,
  body: string,
  walk: (project: Project) => Promise<void>,
): Promise<Project> {
  const project = await createProject();
  const path = join(project.root, ".git/hooks", name);
  await Deno.mkdir(join(project.root, ".git/hooks"), { recursive: true });
  await Deno.writeTextFile(path, `#!/bin/sh\n${body}\n`);
  await Deno.chmod(path, 0o755);
  await walk(project);
  return project;
}

/** A hook that commits one file more, once: its own commit starts it again. */
const MORE =
  "[ -e side.txt ] && exit 0; echo side > side.txt; git add side.txt; git commit -qm 'Side of the hook'";

const AMEND =
  "[ -e side.txt ] && exit 0; echo side > side.txt; git add side.txt; git commit -q --amend --no-edit";

/** What the hooks of the commit do, and what the reply says of it. */
const AFTER_COMMIT: readonly (readonly [what: string, hook: string, body: string])[] = [
  ["adds a commit", "post-commit", MORE],
  ["amends the commit", "post-commit", AMEND],
  [
    "moves the branch as it is moved",
    "reference-transaction",
    `[ "$1" = committed ] || exit 0; [ -e .git/once ] && exit 0; touch .git/once
git update-ref refs/heads/$(git branch --show-current) $(git commit-tree -p HEAD -m Side HEAD^{tree})`,
  ],
];

for (const [what, hook, body] of AFTER_COMMIT) {
  Deno.test(`a ${hook} hook that ${what} is told, and the reply names the tip`, async () => {
    await using project = await createHooked(hook, body, worked);
    const reply = await project.must(COMMIT);
    const tip = await project.repo.git("rev-parse", "HEAD");
    deepEqual([reply.phase, reply.commit, reply.moved_by_hooks.to], ["MERGE", tip, tip]);
    match(reply.hooks_note, /neither reviewed nor verified/);
    deepEqual((await project.state()).workspace.commits, [tip]);
    const merged = await project.must({ summary: "merge" });
    equal(merged.commit, await project.repo.git("rev-parse", "main"));
    await project.repo.git("merge-base", "--is-ancestor", tip, "main");
    equal(await project.repo.git("status", "--porcelain"), "");
  });
}

Deno.test("a post-commit hook that changes files is told of, and one that does nothing is not", async () => {
  await using project = await createHooked("post-commit", "echo built > built.txt", worked);
  const reply = await project.must(COMMIT);
  deepEqual([reply.left_by_hooks, reply.left_by_hooks_total], [["built.txt"], 1]);
  equal(reply.moved_by_hooks, undefined);
  await using quiet = await createHooked("post-commit", "true", worked);
  equal((await quiet.must(COMMIT)).hooks_note, undefined);
});

/** What the hooks of the merge do; each is told. */
const AFTER_MERGE: readonly {
  readonly what: string;
  readonly hook: string;
  readonly body: string;
  readonly expect: (reply: Answer, tip: string) => void;
}[] = [
  {
    what: "adds a commit",
    hook: "post-merge",
    body: MORE,
    expect: (reply, tip) => {
      deepEqual([reply.merged, reply.commit, reply.moved_by_hooks.to], [true, tip, tip]);
      deepEqual(reply.left_by_hooks, ["side.txt"]);
    },
  },
  {
    what: "takes the merge back",
    hook: "post-merge",
    body: "git reset -q --hard HEAD~1",
    expect: (reply, tip) => {
      deepEqual([reply.merged, reply.commit, reply.moved_by_hooks.to], [false, tip, tip]);
      // Neither the end of the session nor what is learned says that the work is in the base.
      equal(reply.end, "failed");
      match(reply.not_in_base, /the work is not in it.*`git merge refs\/code-intel\/branches\//);
    },
  },
  {
    what: "changes files",
    hook: "post-merge",
    body: "echo formatted >> src/b.ts",
    expect: (reply, tip) => deepEqual([reply.commit, reply.left_by_hooks], [tip, ["src/b.ts"]]),
  },
  {
    what: "leaves for another branch",
    hook: "post-merge",
    body: "git checkout -q -b elsewhere",
    expect: (reply) => equal(reply.head_after_hooks, "elsewhere"),
  },
  {
    what: "puts a commit on the merge as the branch moves",
    hook: "reference-transaction",
    body: `[ "$1" = committed ] || exit 0; grep -q refs/heads/main || exit 0
[ -e .git/once ] && exit 0; touch .git/once
echo side > .git/side; blob=$(git hash-object -w .git/side)
tree=$( (git ls-tree main; printf '100644 blob %s\\tside.txt\\n' $blob) | git mktree)
git update-ref refs/heads/main $(git commit-tree -p main -m Side $tree)`,
    expect: (reply, tip) => deepEqual([reply.merged, reply.commit], [true, tip]),
  },
];

for (const { what, hook, body, expect } of AFTER_MERGE) {
  Deno.test(`a ${hook} hook that ${what} after the merge is told`, async () => {
    await using project = await createHooked(hook, body, toMerge);
    const reply = await project.must({ summary: "merge" });
    expect(reply, await project.repo.git("rev-parse", "main"));
    match(reply.hooks_note, /Tell the person/);
    // Nothing stands in the index that the person's next commit would take out of HEAD.
    equal(await project.repo.git("diff", "--cached", "--name-only"), "");
  });
}

Deno.test("a merge that a reference-transaction hook takes back at once is not called merged", async () => {
  const body = `[ "$1" = committed ] || exit 0; [ -e .git/once ] && exit 0
grep -q refs/heads/main && touch .git/once && git update-ref refs/heads/main main~1; exit 0`;
  await using project = await createHooked("reference-transaction", body, toMerge);
  const reply = await project.submit({ summary: "merge" });
  deepEqual([reply.ok, reply.error], [false, "base_moved"]);
  equal(await project.repo.git("status", "--porcelain"), "");
});
