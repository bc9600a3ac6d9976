/** Whole sessions beside which tools, hooks and the person change things that are no finding. */
import type { Reply, Session, SessionOptions } from "../support/session/session_driver.ts";
import { startSession } from "../support/session/hosted_session.ts";
import { createProject, installHook, SAMPLE_FILES } from "../support/session/session_driver.ts";
import { trustCommand } from "../support/session/trusted_command.ts";
import { FAST } from "./attack.ts";
import { shell } from "./honest.ts";

/** One session, from its start to its end. */
export interface HonestFlow {
  readonly id: string;
  /** Gives the last reply; throws where the server refused anything on the way. */
  run(): Promise<Reply>;
}

interface FlowRow {
  readonly id: string;
  readonly options?: SessionOptions;
  /** Shell line before the session begins. */
  readonly before?: string;
  /** What the project's verification runs, in a shell; absent for none. */
  readonly verify?: string;
  /** What happens at a step, before its payload is sent. */
  readonly at?: Readonly<Record<number, string | ((session: Session) => Promise<unknown>)>>;
  /** A shell line that has to succeed at the end. */
  readonly after?: string;
  /** A git hook. */
  readonly hook?: readonly [name: string, script: string];
}

const GIT = "git -c user.name=a -c user.email=a@b.c";

const ROWS: readonly FlowRow[] = [
  {
    id: "git-gc",
    at: { 13: "git gc -q; git update-server-info", 15: "git pack-refs --all" },
  },
  {
    id: "editor-notes-a-merge-base",
    at: {
      13: "git config branch.main.vscode-merge-base origin/main",
      17: "git config branch.main.description work",
    },
  },
  {
    id: "remote-added",
    at: {
      5: "true",
      13: "git remote add origin https://example.org/a.git",
      18: "git remote remove origin",
    },
  },
  {
    id: "outputs-of-the-baseline",
    verify: "mkdir -p dist src/__pycache__; date > dist/a.js; date > src/__pycache__/a.pyc",
    at: { 13: settleBaseline },
  },
  {
    id: "red-baseline",
    verify:
      "echo TAP version 13; echo 'not ok 1 - old'; grep -q needed src/auth.ts && echo 'ok 2 - name' || echo 'not ok 2 - name'; echo 1..2; exit 1",
    at: { 13: settleBaseline },
  },
  {
    id: "hook-that-formats",
    hook: [
      "pre-commit",
      "sed -i 's/a name is needed/a name is needed!/' src/auth.ts; git add src/auth.ts",
    ],
  },
  {
    id: "ignored-outputs",
    before: `echo build/ > .gitignore; git add .gitignore; ${GIT} commit -qm Ignore`,
    at: { 13: "mkdir build; date > build/a" },
  },
  {
    id: "dirty-files-of-the-person",
    before: "echo '// mine' >> src/view.ts; echo note > note.txt",
    after:
      "grep -q mine src/view.ts && grep -q note note.txt && git status --porcelain | grep -q note.txt",
  },
  {
    id: "stash-of-the-person",
    before: "echo '// mine' >> src/view.ts; git stash -q",
    after: "git stash list | grep -q stash",
  },
  {
    id: "submodule",
    before:
      `git init -q .git/lib; echo a > .git/lib/a; git -C .git/lib add a; ${GIT} -C .git/lib commit -qm A; ${GIT} -c protocol.file.allow=always submodule -q add "$PWD/.git/lib" lib; ${GIT} commit -qm Lib`,
  },
  {
    id: "discarded-and-done-again",
    options: { discard: ["src/auth.ts"] },
    at: { 13: writeWithoutClearing },
  },
  { id: "parked-and-resumed", at: { 14: parkAndResume } },
  {
    id: "crlf-checkout",
    before:
      `git config core.autocrlf true; printf 'a\\r\\n' > win.txt; git add win.txt; ${GIT} commit -qm Win`,
  },
  { id: "nothing-to-do", options: { skipAll: true } },
];

/** Waits for the run on the untouched tree, as an agent that reads first does. */
async function settleBaseline(session: Session): Promise<void> {
  const runs = `.code-intel/sessions/${session.id}.verify.json`;
  await shell(session.dir, `until grep -q '"finishedAt"' '${runs}'; do sleep 0.05; done`);
}

/** Work that a discard reopened needs no second clearance. */
async function writeWithoutClearing(session: Session): Promise<void> {
  if (!session.steps.includes(17)) return;
  const text = SAMPLE_FILES["src/auth.ts"] ?? "";
  const evidence = await session.write(
    "src/auth.ts",
    text.replace("hash(name)", "hash(name.trim())"),
  );
  const [item] = session.reply.next_task.checklist;
  const checklist = [{ item, status: "done", evidence }];
  await session.accept({ task_id: session.reply.next_task.id, checklist });
}

async function parkAndResume(session: Session): Promise<void> {
  if (session.steps.filter((step) => step === 14).length > 1) return;
  await session.accept({ park: true, reason: "tomorrow is another day" });
  await session.must("get_session_status", { session_id: session.id });
}

async function run(row: FlowRow): Promise<Reply> {
  const { id, options = {}, before, verify, at = {}, after, hook } = row;
  await using project = await createProject();
  if (before !== undefined) await shell(project.dir, before);
  if (verify !== undefined) {
    const command = ["sh", "check.sh"];
    await project.repo.commit("Verify", {
      ".code-intel/config.json": JSON.stringify({ verify: [{ name: "check", run: command }] }),
      "check.sh": `${verify}\n`,
    });
    await trustCommand(project, { name: "check", run: command });
  }
  if (hook !== undefined) await installHook(project, hook[0], hook[1]);
  await using session = await startSession(project, { ...FAST, ...options });
  const seen = new Set<string>();
  while (!session.isOver) {
    const place = `${session.step} ${session.steps.length}`;
    const deed = at[session.step];
    if (deed !== undefined && !seen.has(place)) {
      seen.add(place);
      if (typeof deed !== "string") await deed(session);
      else if (session.steps.filter((step) => step === session.step).length < 2) {
        await shell(project.dir, deed);
      }
      if (`${session.step} ${session.steps.length}` !== place) continue;
    }
    if (session.steps.length > 40) throw new Error(`${id} turns in a circle`);
    await session.next();
  }
  if (after !== undefined) await shell(project.dir, after);
  return session.reply;
}

/** All of them. */
export const HONEST_FLOWS: readonly HonestFlow[] = ROWS.map((row) => ({
  id: row.id,
  run: () => run(row),
}));
