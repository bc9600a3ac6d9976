/** Hooks that run after a commit or a merge: what they move and change is told, and the reply names the real tip. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import type { Answer, Project } from "../project_fixture.ts";
import type { SessionState } from "../../../src/phase/state.ts";
import { COMMON, createProject, expectOk, expectRefused, toLines } from "../project_fixture.ts";

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

/** What the hooks of the commit do, and the files of the tip that nobody has reviewed. */
const AFTER_COMMIT: readonly {
  readonly what: string;
  readonly hook: string;
  readonly body: string;
  readonly changed: readonly string[] | undefined;
}[] = [
  { what: "adds a commit", hook: "post-commit", body: MORE, changed: ["side.txt"] },
  { what: "amends the commit", hook: "post-commit", body: AMEND, changed: ["side.txt"] },
  {
    what: "amends the commit and claims more for it",
    hook: "post-commit",
    body: `${
      AMEND.replace(
        "--no-edit",
        "--author 'Bot <bot@example.test>' -m Better -m 'Code-Intel-Verified: yes'",
      )
    }`,
    changed: ["side.txt"],
  },
  {
    what: "adds a commit that copies the words of the session's",
    hook: "post-commit",
    body: MORE.replace("-m 'Side of the hook'", "-C HEAD"),
    changed: ["side.txt"],
  },
  {
    what: "amends the words of the commit alone",
    hook: "post-commit",
    body: `[ -e .git/once ] && exit 0; touch .git/once
git log -1 --format=%B > .git/words; echo 'Change-Id: 1' >> .git/words; git commit -q --amend -F .git/words`,
    changed: undefined,
  },
  {
    what: "moves the branch as it is moved",
    hook: "reference-transaction",
    body: `[ "$1" = committed ] || exit 0; [ -e .git/once ] && exit 0; touch .git/once
git update-ref refs/heads/$(git branch --show-current) $(git commit-tree -p HEAD -m Side HEAD^{tree})`,
    changed: undefined,
  },
];

for (const { what, hook, body, changed } of AFTER_COMMIT) {
  Deno.test(`a ${hook} hook that ${what} is told, and all that is said is about the tip`, async () => {
    await using project = await createHooked(hook, body, async (one) => {
      await worked(one);
      await pass(one);
    });
    const reply = await project.must(COMMIT);
    const tip = await project.repo.git("rev-parse", "HEAD");
    deepEqual([reply.phase, reply.commit, reply.moved_by_hooks.to], ["MERGE", tip, tip]);
    match(reply.hooks_note, /neither reviewed nor verified/);
    const { sessionId, workspace } = await project.state();
    deepEqual(workspace.commits, [tip]);
    const said = changed === undefined ? "yes" : "yes, tree differs";
    deepEqual([reply.verified, reply.changed_by_hooks], [said, changed]);
    deepEqual([reply.left_by_hooks, reply.message_note], [undefined, undefined]);
    const words = await project.repo.git("log", "-1", "--format=%B");
    deepEqual(words.split("\n").filter((line) => line.startsWith("Code-Intel-")), [
      `Code-Intel-Session: ${sessionId}`,
      `Code-Intel-Verified: ${said}`,
    ]);
    const author = await project.repo.git("log", "-1", "--format=%an");
    equal(author === "Bot", body.includes("Bot"));
    const merged = await project.must({ summary: "merge" });
    equal(merged.commit, await project.repo.git("rev-parse", "main"));
    await project.repo.git("merge-base", "--is-ancestor", tip, "main");
    equal(await project.repo.git("status", "--porcelain"), "");
    // The merge brings it to the base, so it says so too.
    deepEqual([merged.verified, merged.changed_by_hooks], [changed && said, changed]);
    const ofMerge = await project.repo.git("log", "-1", "--format=%B", "main");
    equal(ofMerge.includes("Code-Intel-Changed-By-Hooks: side.txt"), changed !== undefined);
    deepEqual((await readEnded(project, sessionId)).workspace.statement?.verified, said);
  });
}

/** Makes the verification one that passed in a run of the server. */
async function pass(project: Project): Promise<void> {
  const found = await project.store.findActive();
  if (found?.kind !== "loaded") throw new Error("no session");
  const { state, revision: expectedRevision } = found.checkpoint;
  const result = { at: "1", passed: true, verifier: "v", details: "", failedTasks: [] };
  const verification = { ...result, source: "server" } as const;
  await project.store.save({ state: { ...state, verification } }, { expectedRevision });
}

async function readEnded(project: Project, id: string): Promise<SessionState> {
  const archived = await project.store.readArchived(id);
  if (archived.kind !== "read") throw new Error(archived.kind);
  return archived.checkpoint.state;
}

/** Hooks that leave no way to mend what the message of the tip says. */
const STUBBORN: readonly (readonly [what: string, hook: string, body: string])[] = [
  [
    "amends the commit and lets no branch move any more",
    "post-commit",
    `${AMEND}; printf '#!/bin/sh\nexit 1\n' > .git/hooks/reference-transaction; chmod +x .git/hooks/*`,
  ],
  [
    "changes each commit that the branch gets",
    "reference-transaction",
    `[ "$1" = committed ] && [ -z "$INNER" ] && grep -q refs/heads/llm_task_ || exit 0
echo side > .git/side; blob=$(git hash-object -w .git/side)
tree=$( (git ls-tree HEAD; printf '100644 blob %s\tside.txt\n' $blob) | sort -uk4 | git mktree)
commit=$( (git log -1 --format=%B; date +%N) | git commit-tree -p HEAD~1 $tree)
INNER=1 git update-ref refs/heads/$(git branch --show-current) $commit`,
  ],
];

for (const [what, hook, body] of STUBBORN) {
  Deno.test(`of a ${hook} hook that ${what} the reply says what the message does not`, async () => {
    await using project = await createHooked(hook, body, async (one) => {
      await worked(one);
      await pass(one);
    });
    const reply = await project.must(COMMIT);
    deepEqual([reply.verified, reply.changed_by_hooks], ["yes, tree differs", ["side.txt"]]);
    equal(reply.commit, await project.repo.git("rev-parse", "HEAD"));
    match(reply.message_note, /says something else of its verification/);
  });
}

Deno.test("a post-commit hook that takes the commit back is told, and step 17 stays", async () => {
  const body = "[ -e .git/mended ] || git reset -q --soft HEAD~1";
  await using project = await createHooked("post-commit", body, worked);
  const reply = expectOk(await project.submit(COMMIT));
  deepEqual([reply.user_escalation, reply.cause, reply.committed], [
    true,
    "hook_broken",
    undefined,
  ]);
  match(JSON.stringify(reply), /moved .* where the work is not.*kept as the commit/);
  deepEqual((await project.state()).workspace.commits, []);
  await project.repo.write({ ".git/mended": "" });
  await project.must({ user_decision: "continue", user_reason: "mended" });
  equal((await project.must(COMMIT)).phase, "MERGE");
});

Deno.test("a reference-transaction hook that refuses is named with its words, and the step stays", async () => {
  const body = `[ "$1" = prepared ] || exit 0; [ -e .git/open ] && exit 0
grep -q "$(cat .git/shut)" && { echo 'branches are frozen' >&2; exit 1; }; exit 0`;
  await using project = await createHooked("reference-transaction", body, async (one) => {
    await one.repo.write({ ".git/shut": "nothing" });
    await worked(one);
  });
  const branch = await project.repo.git("branch", "--show-current");
  await project.repo.write({ ".git/shut": `refs/heads/${branch}` });
  const asked = expectOk(await project.submit(COMMIT));
  deepEqual([asked.user_escalation, asked.cause], [true, "hook_broken"]);
  match(
    JSON.stringify(asked),
    /The git hook reference-transaction refused: branches are frozen(?!.*aborted by)/,
  );
  await project.repo.write({ ".git/shut": "refs/heads/main" });
  await project.must({ user_decision: "continue", user_reason: "it is open" });
  equal((await project.must(COMMIT)).phase, "MERGE");
  const tip = await project.repo.git("rev-parse", "HEAD");
  const refused = expectRefused(await project.submit({ summary: "merge" }), "git_ref_refused");
  const [{ message, hint }] = refused.problems;
  equal(message, "The git hook reference-transaction refused: branches are frozen");
  match(hint, new RegExp(`Nothing was merged, and the work is safe on ${branch}`));
  equal(await project.repo.git("rev-parse", "HEAD"), tip);
  await project.repo.write({ ".git/open": "" });
  equal((await project.must({ summary: "merge" })).merged, true);
});

Deno.test("a post-commit hook that changes files is told of, and one that does nothing is not", async () => {
  // The variable tells a hook that a session commits, whose work is proven already.
  const body = 'echo built > "built$CODE_INTEL_COMMIT.txt"';
  await using project = await createHooked("post-commit", body, worked);
  const reply = await project.must(COMMIT);
  deepEqual([reply.left_by_hooks, reply.left_by_hooks_total], [["built1.txt"], 1]);
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
      // The hook committed the file itself, so nothing is left on the disk.
      deepEqual([reply.changed_by_hooks, reply.left_by_hooks], [["side.txt"], undefined]);
    },
  },
  {
    what: "amends the merge",
    hook: "post-merge",
    body: AMEND,
    expect: (reply, tip) => {
      deepEqual([reply.merged, reply.commit], [true, tip]);
      deepEqual([reply.verified, reply.changed_by_hooks], ["no", ["side.txt"]]);
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
