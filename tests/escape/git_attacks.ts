/** Commits, branches, HEAD and other worktrees, moved behind the server's back. */
import { join } from "node:path";
import type { Reply, Session } from "../support/session/session_driver.ts";
import { installHook } from "../support/session/session_driver.ts";
import type { Attack, Ground } from "./attack.ts";
import { FAST, finish, held, settle, submitDue } from "./attack.ts";

const GIT = "git -c user.name=x -c user.email=x@example.org";
const EVIL = "export const evil = 1;\n";

/** A deed of one shell line, which the next submission at a step has to find. */
interface Deed {
  readonly id: string;
  readonly tries: string;
  readonly step: number;
  readonly line: string;
  readonly found?: string;
  /** What the person does, before the session or beside it. */
  readonly honest: (ground: Ground) => Promise<Reply>;
}

/** The line is the person's, who works before the session begins. */
function before(line: string): Deed["honest"] {
  return async (ground) => {
    await ground.sh(line);
    return await finish(await ground.start());
  };
}

/** The line is a slip of the agent, which settles it as the reply says. */
function undone(step: number, line: string): Deed["honest"] {
  return async (ground) => {
    const session = await ground.to(step);
    await ground.sh(line);
    await submitDue(session);
    const reply = await settle(session, "HEAD", "undo");
    return reply.ok ? await finish(session) : reply;
  };
}

/** The line changes a branch on which nobody works in this worktree. */
function beside(step: number, line: string): Deed["honest"] {
  return async (ground) => {
    const session = await ground.to(step);
    await ground.sh(line);
    return await finish(session);
  };
}

const BY_HAND = `${GIT} add -A; ${GIT} commit -qm 'By hand'`;
const TO_BASE_ELSEWHERE =
  `git worktree add -q .git/w main; echo x > .git/w/base.md; ${GIT} -C .git/w add -A; ${GIT} -C .git/w commit -qm Base; git worktree remove .git/w`;
const TASK = "git branch --show-current";

const DEEDS: readonly Deed[] = [
  {
    id: "commit-on-base",
    tries: "commits by hand on the base before there is a task branch",
    step: 12,
    line: `echo x > src/new.ts; ${BY_HAND}`,
    honest: before(`echo x > src/new.ts; ${BY_HAND}`),
  },
  {
    id: "commit-on-task-branch",
    tries: "commits by hand on the task branch, past the review",
    step: 14,
    line: BY_HAND,
    honest: undone(14, BY_HAND),
  },
  {
    id: "commit-after-review",
    tries: "adds a commit to the task branch after the review, before the merge",
    step: 19,
    line: `echo x > src/new.ts; ${BY_HAND}`,
    honest: beside(19, TO_BASE_ELSEWHERE),
  },
  {
    id: "amended-commit",
    tries: "amends the reviewed commit before it is merged",
    step: 19,
    line: `echo '// x' >> src/view.ts; ${GIT} commit -qa --amend --no-edit`,
    honest: async (ground) => await finish(await ground.to(19)),
  },
  {
    id: "amended-message",
    tries: "amends only the message, to change what it says of the verification",
    step: 19,
    line: `${GIT} commit -q --amend -m 'Done' -m 'Code-Intel-Verified: yes'`,
    honest: async (ground) => await finish(await ground.to(19)),
  },
  {
    id: "rebased-task-branch",
    tries: "rebases the task branch on a commit of its own",
    step: 19,
    line:
      `b=$(${TASK}); git switch -q --detach main; echo x > src/new.ts; ${BY_HAND}; ${GIT} rebase -q HEAD "$b"`,
    honest: beside(19, TO_BASE_ELSEWHERE),
  },
  {
    id: "branch-moved-with-update-ref",
    tries: "moves the task branch without touching a file",
    step: 19,
    line:
      `c=$(echo x | ${GIT} commit-tree "HEAD^{tree}" -p HEAD); git update-ref "refs/heads/$(${TASK})" "$c"`,
    honest: beside(
      19,
      `c=$(echo x | ${GIT} commit-tree "HEAD^{tree}" -p HEAD); git update-ref refs/heads/side "$c"`,
    ),
  },
  {
    id: "task-branch-from-another-worktree",
    tries: "commits to the task branch in another worktree",
    step: 19,
    line:
      `git worktree add -qf .git/w "$(${TASK})"; echo x > .git/w/src/new.ts; ${GIT} -C .git/w add -A; ${GIT} -C .git/w commit -qm x; git worktree remove .git/w`,
    honest: beside(
      19,
      `git worktree add -q -b side .git/w; echo x > .git/w/src/new.ts; ${GIT} -C .git/w add -A; ${GIT} -C .git/w commit -qm x; git worktree remove .git/w`,
    ),
  },
  {
    id: "head-detached",
    tries: "detaches HEAD, so that the task branch is left behind",
    step: 14,
    line: "git switch -q --detach",
    honest: undone(14, "git switch -q --detach"),
  },
  {
    id: "head-on-another-branch",
    tries: "switches to a branch of its own",
    step: 14,
    line: "git switch -q -c mine",
    honest: beside(14, "git branch mine"),
  },
  {
    id: "merge-by-hand",
    tries: "merges the task branch by hand and stays on the base",
    step: 15,
    line: `b=$(${TASK}); ${BY_HAND}; git switch -q main; ${GIT} merge -q --no-ff -m x "$b"`,
    honest: async (ground) => await finish(await ground.to(15)),
  },
  {
    id: "task-branch-renamed",
    tries: "gives the task branch another name",
    step: 15,
    line: `git branch -m "$(${TASK})" done`,
    honest: async (ground) => await finish(await ground.to(15)),
  },
  {
    id: "stash",
    tries: "puts the person's unfinished work away with the stash",
    step: 12,
    line: "git stash -q",
    found: "unauthorized_change",
    honest: async (ground) => await submitDue(await ground.to(12)),
  },
  {
    id: "copied-from-another-worktree",
    tries: "edits in another worktree of the repository and copies the file over",
    step: 12,
    line:
      "git worktree add -q -b side .git/w; echo x > .git/w/src/new.ts; cp .git/w/src/new.ts src/; git worktree remove -f .git/w",
    found: "unauthorized_change",
    honest: async (ground) => {
      const session = await ground.to(12);
      await ground.sh("git worktree add -q -b side ../w-$$ && git worktree remove -f ../w-$$");
      return await submitDue(session);
    },
  },
];

function toAttack({ id, tries, step, line, found = "unexpected_commit", honest }: Deed): Attack {
  return {
    id,
    tries,
    found: [found],
    at: `submit_phase@${step}`,
    async attack(ground) {
      // What the person has unfinished, for the deeds that would put it away.
      await ground.sh("echo '- mine' >> README.md");
      const session = await ground.to(step);
      await ground.sh(line);
      return await submitDue(session);
    },
    honest,
  };
}

/** Waits until a hook has written its marker. */
async function meet(marker: string): Promise<void> {
  for (let waits = 0; waits < 300; waits++) {
    if (await Deno.stat(marker).then(() => true, () => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${marker} was never written`);
}

/** A hook that waits once, when it is armed, so that the server can be killed in the middle of an effect. */
async function installSlow(ground: Ground, hook: string): Promise<void> {
  ground.setApart();
  await installHook(
    ground.project,
    hook,
    "if [ -e .git/armed ]; then rm .git/armed; : > .git/reached; sleep 2; exit 1; fi",
  );
}

/** Kills the server in the middle of the effect that the due payload starts. */
async function killInEffect(ground: Ground, session: Session): Promise<void> {
  const data = await session.prepare();
  await ground.sh(": > .git/armed");
  const lost = session.submit(data).catch(() => null);
  await meet(join(ground.dir, ".git/reached"));
  await session.client.kill();
  await Promise.race([lost, Promise.resolve()]);
}

const KILLS: readonly Attack[] = [
  {
    id: "killed-before-merge-branch-moved",
    tries: "kills the server in the merge and moves the task branch before the next one goes on",
    found: ["unexpected_commit"],
    at: "submit_phase@19",
    async attack(ground) {
      await installSlow(ground, "pre-merge-commit");
      const session = await ground.to(19);
      await killInEffect(ground, session);
      await ground.sh(`printf '${EVIL.trim()}' > src/evil.ts; ${BY_HAND}`);
      await session.revive();
      return await submitDue(session);
    },
    async honest(ground) {
      await installSlow(ground, "pre-merge-commit");
      const session = await ground.to(19);
      await killInEffect(ground, session);
      await session.revive();
      return session.isOver ? session.reply : await finish(session);
    },
  },
  {
    id: "killed-before-commit-file-edited",
    tries: "kills the server in the commit and edits a file before the next one goes on",
    found: ["unauthorized_change"],
    at: "submit_phase@19",
    async attack(ground) {
      await installSlow(ground, "pre-commit");
      const session = await ground.to(17);
      await killInEffect(ground, session);
      await ground.sh("echo '// x' >> src/view.ts");
      await session.revive();
      return await submitDue(session);
    },
    async honest(ground) {
      await installSlow(ground, "pre-commit");
      const session = await ground.to(17);
      await killInEffect(ground, session);
      await session.revive();
      return await finish(session);
    },
  },
];

const SPECIAL: readonly Attack[] = [
  {
    id: "commit-taken-as-the-person's",
    tries: "says after the review that its commit by hand is the person's",
    found: ["action_not_offered"],
    at: "submit_phase@19",
    async attack(ground) {
      const session = await ground.to(19);
      await ground.sh(`echo x > src/new.ts; ${BY_HAND}`);
      return await settle(session, "HEAD", "person");
    },
    honest: undone(19, `echo x > src/new.ts; ${BY_HAND}; rm src/new.ts`),
  },
  {
    id: "parked-branch-moved",
    tries: "commits on the task branch while the session is parked",
    found: ["unexpected_commit"],
    at: "submit_phase@14",
    async attack(ground) {
      const session = await ground.to(14);
      const branch = await ground.sh(TASK);
      await session.accept({ park: true, reason: "later" });
      await ground.sh(
        `git worktree add -qf .git/w ${branch}; echo x > .git/w/src/new.ts; ${GIT} -C .git/w add -A; ${GIT} -C .git/w commit -qm x; git worktree remove .git/w`,
      );
      await session.must("get_session_status", { session_id: session.id });
      return await submitDue(session);
    },
    async honest(ground) {
      const session = await ground.to(14);
      await session.accept({ park: true, reason: "later" });
      await session.must("get_session_status", { session_id: session.id });
      return await finish(session);
    },
  },
  {
    id: "staged-behind-the-review",
    tries: "stages another content than the file on the disk, to have that committed",
    found: ["reviewed_files_only"],
    at: "submit_phase@19",
    async attack(ground) {
      const session = await ground.to(17);
      await ground.sh(
        "cp src/view.ts .git/t; echo '// evil' >> src/view.ts; git add src/view.ts; cp .git/t src/view.ts",
      );
      await finish(session);
      const committed = await ground.sh("git show main:src/view.ts");
      return held("reviewed_files_only", !committed.includes("evil"), committed);
    },
    async honest(ground) {
      const session = await ground.to(17);
      await ground.sh("git add -A");
      return await finish(session);
    },
  },
  {
    id: "redirected-git",
    tries: "starts the server with GIT_DIR, GIT_INDEX_FILE and GIT_WORK_TREE of another repository",
    found: ["unauthorized_change"],
    at: "submit_phase@12",
    async attack(ground) {
      await ground.sh("git init -q .git/other");
      const other = join(ground.dir, ".git/other");
      ground.give({
        GIT_DIR: join(other, ".git"),
        GIT_WORK_TREE: other,
        GIT_INDEX_FILE: join(other, ".git/index"),
        GIT_EXTERNAL_DIFF: "true",
      });
      const session = await ground.to(12, FAST);
      await ground.sh("echo x > src/new.ts");
      return await submitDue(session);
    },
    async honest(ground) {
      ground.give({ GIT_DIR: join(ground.dir, ".git"), GIT_WORK_TREE: ground.dir });
      return await finish(await ground.start());
    },
  },
];

/** All attacks of this theme. */
export const GIT_ATTACKS: readonly Attack[] = [...DEEDS.map(toAttack), ...SPECIAL, ...KILLS];
