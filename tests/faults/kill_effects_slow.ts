/**
 * `kill -9` while the server creates a branch, discards, commits or merges: slow git hooks and filters
 * hold the effect open. What git began may end later or fail; the next process completes or repeats
 * the effect exactly once.
 */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { startProcess } from "../support/session/hosted_session.ts";
import type { Project, Session, SessionOptions } from "../support/session/session_driver.ts";
import {
  createProject,
  installHook,
  listTaskBranches,
  openServer,
} from "../support/session/session_driver.ts";
import { createProjectAt, resume } from "../support/session/walked_project.ts";
import { expectMergedOnce } from "./merged_once.ts";

/** Seconds that a slow hook holds its effect; the new process meets it still running. */
const HELD_S = 0.4;
const LONGEST_WAIT_MS = 15_000;

interface Case {
  readonly name: string;
  /** The step whose payload starts the effect. */
  readonly step: number;
  /** The hook that is slow; none runs where a branch is created or deleted: there git itself is slow. */
  readonly hook?: string;
  /** Shell condition for the one run of the hook that is slow; of git, on which side of its work it is. */
  readonly when: string;
  /** Exit status of that run: 0 lets git end later, 1 makes it fail. */
  readonly code: 0 | 1;
}

const MOVES_TASK = `[ "$1" = prepared ] && grep -q ' refs/heads/llm_task_'`;
const MOVES_MAIN = `[ "$1" = prepared ] && grep -q ' refs/heads/main$'`;
const MOVED_MAIN = `[ "$1" = committed ] && grep -q ' refs/heads/main$'`;

const CASES: readonly Case[] = [
  { name: "create branch, git ends later", step: 12, when: "before", code: 0 },
  { name: "create branch, git fails", step: 12, when: "before", code: 1 },
  { name: "create branch, done already", step: 12, when: "after", code: 0 },
  { name: "commit, in pre-commit", step: 18, hook: "pre-commit", when: "true", code: 0 },
  { name: "commit, in commit-msg", step: 18, hook: "commit-msg", when: "true", code: 0 },
  {
    name: "commit, git ends later",
    step: 18,
    hook: "reference-transaction",
    when: MOVES_TASK,
    code: 0,
  },
  { name: "commit, git fails", step: 18, hook: "reference-transaction", when: MOVES_TASK, code: 1 },
  { name: "commit, in post-commit", step: 18, hook: "post-commit", when: "true", code: 0 },
  {
    name: "merge, git ends later",
    step: 19,
    hook: "reference-transaction",
    when: MOVES_MAIN,
    code: 0,
  },
  { name: "merge, git fails", step: 19, hook: "reference-transaction", when: MOVES_MAIN, code: 1 },
  {
    name: "merge, done already",
    step: 19,
    hook: "reference-transaction",
    when: MOVED_MAIN,
    code: 0,
  },
  { name: "merge, in post-merge", step: 19, hook: "post-merge", when: "true", code: 0 },
  { name: "merge, while the branch is deleted", step: 19, when: "before", code: 0 },
];

for (const row of CASES) {
  const { name, step, hook, code } = row;
  // Where the branch is only made, coming later shows nothing that the commit does not show.
  const isHeldByGit = code === 0 && step > 12 &&
    (hook ?? "reference-transaction") === "reference-transaction";
  const meetings = isHeldByGit ? ["at once", "after git has ended"] : ["at once"];
  for (const meeting of meetings) {
    Deno.test(`killed during ${name}: a new process that comes ${meeting} ends with one commit and one merge`, async () => {
      await using made = await createProjectAt(step, { before: withHooks });
      const before = await made.repo.git("merge-base", "main", "HEAD");
      const project = hook === undefined ? await withSlowGit(made, row) : made;
      await using session = await resume(project, { open: openServer });
      const payload = await session.prepare();
      await project.repo.write({ ".git/armed": toSlow(row) });
      await killDuring(session, payload, meeting === "at once" ? 0 : (HELD_S + 0.3) * 1000);
      await finish(session);
      await expectStillMergedOnce(project, before);
    });
  }
}

Deno.test("killed during a discard: a new process completes it and the rest is committed", async () => {
  await using project = await createProject();
  const { repo, dir } = project;
  const marker = join(dir, ".git/reached");
  await repo.git("config", "filter.slow.clean", "cat");
  const smudge =
    `cat; if [ -e '${dir}/.git/armed' ] && [ ! -e '${marker}' ]; then touch '${marker}'; sleep ${HELD_S}; fi`;
  await repo.git("config", "filter.slow.smudge", `sh -c "${smudge}"`);
  const before = await repo.commit("Filtered", { ".gitattributes": "src/view.ts filter=slow\n" });
  const options: SessionOptions = { discard: ["src/view.ts", "src/new.ts"] };
  await using session = await startProcess(project, options);
  await session.until(13);
  await session.leave("src/view.ts", "export const shown = 'probe';\n");
  await session.leave("src/new.ts", "probe\n");
  await session.until(17);
  await repo.write({ ".git/armed": "" });
  await killDuring(session, await session.prepare(), 0);
  deepEqual([session.step, session.reply.ok], [15, true]);
  equal(await repo.git("status", "-s"), " M src/auth.ts");
  equal(await repo.exists("src/new.ts"), false);
  equal((await session.until("end")).merged, true);
  await expectStillMergedOnce(project, before);
});

/** The hook that is slow once and says so by a file; without one git itself. */
type SlowRun = Pick<Case, "hook" | "when" | "code">;

/**
 * Hooks that do what the file says that arms them. They are there before the
 * session: one that comes later is a finding of the ledger.
 */
async function withHooks(project: Project): Promise<void> {
  const armed = '"$(dirname "$0")/../armed"';
  for (const hook of new Set(CASES.flatMap((row) => row.hook ?? []))) {
    await installHook(project, hook, `[ ! -e ${armed} ] || . ${armed}\nexit 0`);
  }
}

/** The lines of shell that the hook runs, or git before or after its work. */
function toSlow({ hook = "git", when, code }: SlowRun): string {
  const reached = '"$(dirname "$0")/../reached"';
  const condition = hook === "git" ? "true" : when;
  return [
    `if [ "$(basename "$0")" = ${hook} ] && [ ! -e ${reached} ]; then`,
    `  if ${condition}; then touch ${reached}; sleep ${HELD_S}; exit ${code}; fi`,
    "fi\n",
  ].join("\n");
}

/** The project with a git on the server's PATH that is slow once, while it creates or deletes the task branch. */
async function withSlowGit<T extends Project>(project: T, { when }: SlowRun): Promise<T> {
  const folder = join(project.dir, ".git/slow");
  const path = Deno.env.get("PATH") ?? "";
  const wait = `(. '${join(project.dir, ".git/armed")}') || exit 1`;
  const lines = [
    "#!/bin/sh",
    `PATH='${path}'`,
    'case " $* " in *" update-ref "*"--stdin "*) ;; *) exec git "$@" ;; esac',
    // What git is told stands on its standard input.
    'told=$(mktemp) && cat > "$told" && exec < "$told"',
    `grep -q '^\\(create\\|update\\|delete\\) refs/heads/llm_task_' "$told" || exec git "$@"`,
    ...(when === "before" ? [wait, 'exec git "$@"'] : ['git "$@" || exit', wait]),
  ];
  await Deno.mkdir(folder);
  await Deno.writeTextFile(join(folder, "git"), `${lines.join("\n")}\n`, { mode: 0o755 });
  return { ...project, env: { ...project.env, PATH: `${folder}:${path}` } };
}

/** Sends a payload, kills the server once the effect is under way, and starts another one. */
async function killDuring(
  session: Session,
  payload: Readonly<Record<string, unknown>>,
  pauseMs: number,
): Promise<void> {
  const params = { name: "submit_phase", arguments: { data: session.toData(payload) } };
  await session.client.sendRaw(
    JSON.stringify({ jsonrpc: "2.0", id: "held", method: "tools/call", params }),
  );
  const marker = join(session.project.dir, ".git", "reached");
  const endsAt = Date.now() + LONGEST_WAIT_MS;
  while (await Deno.stat(marker).catch(() => null) === null) {
    ok(Date.now() < endsAt, "the effect was never under way");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await session.client.kill();
  await new Promise((resolve) => setTimeout(resolve, pauseMs));
  await session.revive();
}

/** Goes on to the end; what a repository that is busy refuses is sent again, as its hint says. */
async function finish(session: Session): Promise<void> {
  const refusals: string[] = [];
  for (let payloads = 0; payloads < 20; payloads++) {
    const status = await session.call("get_session_status");
    if (status.error === "no_active_session") return;
    const reply = await session.submit(await session.prepare());
    if (reply.session_complete === true) return;
    if (reply.ok !== true) {
      refusals.push(`${reply.error}: ${reply.message}`);
      ok(refusals.length <= 3, refusals.join("\n"));
      await new Promise((resolve) => setTimeout(resolve, HELD_S * 1000));
    }
  }
}

async function expectStillMergedOnce(project: Project, before: string): Promise<void> {
  // Nothing that git still does may change the result afterwards.
  await new Promise((resolve) => setTimeout(resolve, HELD_S * 1000));
  await expectMergedOnce(project, before);
  equal(await listTaskBranches(project), "");
}
