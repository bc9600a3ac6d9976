/** Git hooks of the repository that change a commit or a merge once it was reviewed, verified and made. */
import type { Reply, Session } from "../support/session/session_driver.ts";
import { installHook } from "../support/session/session_driver.ts";
import type { Attack, Ground } from "./attack.ts";
import { FAST, finish, held, passed } from "./attack.ts";
import { configure, trust } from "./verification_attacks.ts";

const CHECK = "grep -q shown src/view.ts && grep -q 'name is needed' src/auth.ts\n";
const ONCE = "[ -e .git/once ] && exit 0; touch .git/once";
const EVIL = `${ONCE}; echo x > src/evil.ts; git add src/evil.ts`;

/** A session at step 17 whose work passed the check, in a repository with a hook. */
async function toHooked(ground: Ground, hook: string, body: string): Promise<Session> {
  await configure(ground, { files: { "check.sh": CHECK, ".gitignore": "dist/\n" } });
  await trust(ground);
  await installHook(ground.project, hook, body);
  return await ground.to(17, FAST);
}

/** What was replied at both steps and what stands in the repository at the end. */
interface Seen {
  readonly committed: Reply;
  readonly merged: Reply;
  /** Messages of the base's tip and of the tip that it merged. */
  readonly base: string;
  readonly work: string;
}

async function walk(ground: Ground, session: Session): Promise<Seen> {
  const committed = await session.submit(await session.prepare());
  const work = await ground.sh("git log -1 --format=%B");
  const merged = await session.until("end");
  return { committed, merged, work, base: await ground.sh("git log -1 --format=%B main") };
}

/** The hook does nothing to what is committed, so all is said as without one. */
function quiet(hook: string, body: string): Attack["honest"] {
  return async (ground) => {
    const session = await toHooked(ground, hook, body);
    const seen = await walk(ground, session);
    const said = Object.keys({ ...seen.committed, ...seen.merged });
    const isQuiet = /^Code-Intel-Verified: yes$/m.test(seen.work) && seen.merged.merged === true &&
      !said.some((name) => /hook/.test(name)) && !seen.base.includes("By-Hooks");
    return passed(isQuiet, seen);
  };
}

interface Row {
  readonly id: string;
  readonly tries: string;
  readonly hook: string;
  readonly body: string;
  readonly isHeld: (seen: Seen) => boolean;
  readonly honest: string;
}

const PRINTS = "echo 'all is well'; echo 'and more' >&2";
const IGNORED = "mkdir -p dist; date > dist/built.txt";

/** The tip says nothing of a verification that it did not have, and both replies and the merge name the file. */
function isTold({ committed, merged, work, base }: Seen): boolean {
  return committed.verified === "yes, tree differs" && merged.verified === "yes, tree differs" &&
    [committed, merged].every((reply) => reply.changed_by_hooks?.join() === "src/evil.ts") &&
    /^Code-Intel-Verified: yes, tree differs$/m.test(work) && !/Verified: yes$/m.test(work) &&
    /^Code-Intel-Changed-By-Hooks: src\/evil\.ts/m.test(base);
}

const ROWS: readonly Row[] = [
  {
    id: "hook-amends-the-commit",
    tries: "has a post-commit hook put a file into the verified commit by amending it",
    hook: "post-commit",
    body: `${EVIL}; git commit -q --amend --no-edit`,
    isHeld: isTold,
    honest: PRINTS,
  },
  {
    id: "hook-amends-and-claims",
    tries: "has a post-commit hook amend the commit and write its own trailers",
    hook: "post-commit",
    body: `${EVIL}; git commit -q --amend -m Work -m 'Code-Intel-Verified: yes'`,
    isHeld: isTold,
    honest: IGNORED,
  },
  {
    id: "hook-copies-the-message",
    tries: "has a post-commit hook put a commit on the verified one with the same message",
    hook: "post-commit",
    body: `${EVIL}; git commit -q -C HEAD`,
    isHeld: isTold,
    honest: "git status --porcelain > dist.log; rm dist.log",
  },
  {
    id: "hook-swaps-the-tip",
    tries: "has a reference-transaction hook swap the commit for one with another file",
    hook: "reference-transaction",
    body: `[ "$1" = committed ] || exit 0; grep -q refs/heads/llm_task_ || exit 0; ${ONCE}
echo x > .git/evil; blob=$(git hash-object -w .git/evil)
src=$( (git ls-tree HEAD:src; printf '100644 blob %s\\tevil.ts\\n' $blob) | git mktree)
tree=$(git ls-tree HEAD | sed "s/tree [0-9a-f]*\\tsrc$/tree $src\\tsrc/" | git mktree)
git update-ref refs/heads/$(git branch --show-current) $(git log -1 --format=%B | git commit-tree -p HEAD~1 $tree)`,
    isHeld: isTold,
    honest: `[ "$1" = committed ] && echo moved >&2; exit 0`,
  },
  {
    id: "hook-amends-the-merge",
    tries: "has a post-merge hook put a file into the merge of verified work",
    hook: "post-merge",
    body: `${EVIL}; git commit -q --amend --no-edit`,
    isHeld: ({ merged, base }) =>
      merged.verified === "yes, tree differs" && merged.moved_by_hooks?.to === merged.commit &&
      merged.changed_by_hooks?.join() === "src/evil.ts" && !base.includes("Verified"),
    honest: PRINTS,
  },
  {
    id: "hook-takes-the-merge-back",
    tries: "has a post-merge hook take the merge out of the base, so that it is only called merged",
    hook: "post-merge",
    body: "git reset -q --hard HEAD~1",
    isHeld: ({ merged }) => merged.merged === false && merged.end === "failed",
    honest: IGNORED,
  },
];

const FOUND = "changed_by_hooks";

function toAttack({ id, tries, hook, body, isHeld, honest }: Row): Attack {
  return {
    id,
    tries,
    found: [FOUND],
    at: "submit_phase@19",
    async attack(ground) {
      const seen = await walk(ground, await toHooked(ground, hook, body));
      return held(FOUND, isHeld(seen), seen);
    },
    honest: quiet(hook, honest),
  };
}

const TAKEN_BACK: Attack = {
  id: "hook-takes-the-commit-back",
  tries: "has a post-commit hook take the commit back, so that it is only called committed",
  found: ["hook_broken"],
  at: "submit_phase@17",
  async attack(ground) {
    const body = "git reset -q --soft HEAD~1";
    const session = await toHooked(ground, "post-commit", body);
    const reply = await session.submit(await session.prepare());
    return held("hook_broken", reply.cause === "hook_broken" && reply.committed !== true, reply);
  },
  async honest(ground) {
    // The person mends the hook, and the same step goes on.
    const body = "[ -e .git/mended ] || git reset -q --soft HEAD~1";
    const session = await toHooked(ground, "post-commit", body);
    await session.submit(await session.prepare());
    await ground.sh(": > .git/mended");
    await session.accept({ user_decision: "continue", user_reason: "the hook is mended" });
    return await finish(session);
  },
};

/** All attacks of this theme. */
export const HOOK_ATTACKS: readonly Attack[] = [...ROWS.map(toAttack), TAKEN_BACK];
