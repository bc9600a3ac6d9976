/**
 * Whatever a shell changes where the step does not allow it is found by the next submission, after a kill too, with ways out.
 */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { SYSTEM_CLOCK } from "../../src/base/clock.ts";
import { createSeal } from "../../src/base/files/seal.ts";
import { TrustStore } from "../../src/evidence/runs/trust.ts";
import { findRepositoryKey } from "../../src/evidence/runs/trust.ts";
import type { Project, Reply, Session } from "../support/session/session_driver.ts";
import { startSession } from "../support/session/hosted_session.ts";
import {
  createProject,
  openServer as openProcess,
  SAMPLE_EDITS,
  SAMPLE_FILES,
} from "../support/session/session_driver.ts";
import { createProjectAt, resume } from "../support/session/walked_project.ts";

/** Does something as an agent with a shell would. */
async function shell(project: Project, line: string): Promise<void> {
  const command = new Deno.Command("sh", {
    args: ["-ec", line],
    cwd: project.dir,
    env: { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
  });
  const { success, stderr } = await command.output();
  ok(success, `${line}: ${new TextDecoder().decode(stderr)}`);
}

/** Submits the right payload of the step; the ledger has to refuse it with these codes. */
async function expectFound(session: Session, ...codes: readonly string[]): Promise<Reply> {
  const reply = await session.submit(await session.prepare());
  equal(reply.ok, false, JSON.stringify(reply));
  deepEqual(reply.problems.map(({ code }: Reply) => code), codes, JSON.stringify(reply.problems));
  equal(reply.error, codes[0]);
  equal(reply.unsettled_total, codes.length);
  for (const { hint } of reply.problems) match(hint, /change_resolution/);
  return reply;
}

/** Sends resolutions without a payload. */
const settle = (session: Session, rows: readonly unknown[]): Promise<Reply> =>
  session.call("submit_phase", { data: { change_resolution: rows } });

/** The same for all that a reply lists. */
function settleAll(session: Session, { problems }: Reply, action: string): Promise<Reply> {
  return settle(session, problems.map(({ path }: Reply) => ({ path, action, reason: "so" })));
}

function resolve(session: Session, path: string, action: string, more: object = {}) {
  return settle(session, [{ path, action, reason: "so", ...more }]);
}

/** A walk through all steps: each failed one leads to the next, and the way reaches the intervention. */
const ALL_STEPS = {
  gateLevel: "full",
  // The first one is taken by the submission that the ledger refuses.
  verifications: [false, false, false, false, true],
  answers: [true, true, true],
} as const;

async function leaveStale({ repo }: Project): Promise<void> {
  await repo.git("branch", "llm_task_session_20260101_120000_abcd_from_main");
}

Deno.test("in each phase a change by the shell is found, listed and put back, and the flow goes on", async () => {
  await using project = await createProject();
  await leaveStale(project);
  await using session = await startSession(project, ALL_STEPS);
  const seen: number[] = [];
  for (let payloads = 0; !session.isOver && payloads < 60; payloads++) {
    const { step } = session;
    if (!seen.includes(step)) {
      seen.push(step);
      const before = await project.repo.read("src/view.ts");
      await shell(project, "sed -i 's/shown/stolen/' src/view.ts");
      const reply = await expectFound(session, "unauthorized_change");
      equal(reply.step, step);
      const [problem] = reply.problems;
      equal(problem.path, "src/view.ts");
      match(problem.message, /src\/view\.ts was modified .*\(\d+ bytes\)/);
      match(problem.hint, /restore \| person/);
      const settled = await resolve(session, "src/view.ts", "restore");
      deepEqual([settled.ok, settled.step], [true, step], JSON.stringify(settled));
      equal(await project.repo.read("src/view.ts"), before);
      match(settled.bring_back[0], /^code-intel restore session_\S+ --to \d+ src\/view\.ts$/);
      const number = / --to (\d+) /.exec(settled.bring_back[0])?.[1]?.padStart(4, "0");
      const ref = `refs/code-intel/${session.id}/${number}:src/view.ts`;
      match(await project.repo.git("show", ref), /stolen/);
    }
    await session.next();
  }
  deepEqual(seen.toSorted((a, b) => a - b), Array.from({ length: 18 }, (_, at) => at + 2));
  equal(session.reply.merged, true);
  equal(await project.repo.git("show", "main:src/view.ts"), SAMPLE_FILES["src/view.ts"]?.trim());
});

/** What a shell can do to a file, and how it is told. */
const DEEDS: readonly { readonly line: string; readonly told: readonly RegExp[] }[] = [
  { line: "echo x >> src/hash.ts", told: [/src\/hash\.ts was modified/] },
  { line: "rm src/hash.ts", told: [/src\/hash\.ts was deleted/] },
  {
    line: "git mv src/hash.ts src/moved.ts",
    told: [/src\/hash\.ts was deleted/, /src\/moved\.ts was added/],
  },
  { line: "chmod +x src/hash.ts", told: [/src\/hash\.ts was modified/] },
  { line: "ln -sf view.ts src/hash.ts", told: [/src\/hash\.ts was type/] },
  { line: "ln -s ../.git/config src/link", told: [/src\/link was added/] },
  {
    line: "git update-index --assume-unchanged src/hash.ts && echo x >> src/hash.ts",
    told: [/src\/hash\.ts was modified/],
  },
  {
    line:
      "touch -r src/hash.ts .git/t && sed -i 's/#/+/' src/hash.ts && touch -r .git/t src/hash.ts",
    told: [/src\/hash\.ts was modified/],
  },
  { line: "mkdir -p a/b && printf 'x' > 'a/b/ü \"x\".ts'", told: [/a\/b\/ü "x"\.ts was added/] },
  {
    line: "git stash -q 2>/dev/null; echo x > src/new.ts && git add src/new.ts",
    told: [/src\/new\.ts was added/],
  },
  {
    line:
      "git worktree add -q ../w-$$ -b side && echo x > ../w-$$/src/other.ts && cp ../w-$$/src/other.ts src/ && git worktree remove -f ../w-$$",
    told: [/src\/other\.ts was added/],
  },
];

Deno.test("what a shell does to a file is found at the next submission, and put back", async (t) => {
  await using project = await createProjectAt(5);
  await using session = await resume(project);
  const before = await project.repo.git("ls-files", "-s");
  for (const { line, told } of DEEDS) {
    await t.step(line, async () => {
      await shell(project, line);
      const reply = await expectFound(session, ...told.map(() => "unauthorized_change"));
      told.forEach((pattern, at) => match(reply.problems[at].message, pattern));
      equal((await settleAll(session, reply, "restore")).ok, true);
      await project.repo.git("reset", "-q");
      await project.repo.git("update-index", "--no-assume-unchanged", "src/hash.ts");
      equal(await project.repo.git("ls-files", "-s"), before);
      equal(await project.repo.git("status", "-s"), "");
    });
  }
  equal((await session.until(6)).ok, true);
});

/** What steers the program, the client or git. */
const PROTECTED: readonly { readonly line: string; readonly path: string }[] = [
  {
    line: "echo 'phases: {}' > .code-intel/phase_contract.yml",
    path: ".code-intel/phase_contract.yml",
  },
  {
    line: 'echo \'{"enforcement":"off"}\' > .code-intel/config.json',
    path: ".code-intel/config.json",
  },
  { line: "echo 'x: 1' > .code-intel/context.yml", path: ".code-intel/context.yml" },
  { line: "echo '{}' > .mcp.json", path: ".mcp.json" },
  { line: "mkdir -p .claude && echo '{}' > .claude/settings.json", path: ".claude/settings.json" },
  { line: "git config user.name Other", path: ".git/config" },
  { line: "echo x > .git/hooks/pre-commit", path: ".git/hooks/pre-commit" },
  { line: "echo src > .git/info/exclude", path: ".git/info/exclude" },
];

Deno.test("what steers the program, the client or git is protected, in READY too", async (t) => {
  await using project = await createProjectAt(13);
  await using session = await resume(project);
  for (const row of PROTECTED) {
    await t.step(row.line, async () => {
      const input = { file_path: row.path, allow_new_files: true };
      const guarded = await session.call("check_write_target", input);
      deepEqual([guarded.ok, guarded.problems[0].code], [false, "path_protected"]);
      await expectProtected(session, row);
    });
  }
  equal((await session.until(14)).ok, true);
});

Deno.test("hooks in a folder of the project are protected", async () => {
  await using project = await createProject();
  await project.repo.git("config", "core.hooksPath", "tools");
  await project.repo.commit("Hooks", { "tools/pre-commit": "#!/bin/sh\n" });
  await using session = await startSession(project);
  await session.until(13);
  await expectProtected(session, {
    line: "echo x > tools/pre-commit",
    path: ".git/core.hooksPath (tools)/pre-commit",
  });
  equal((await session.until(14)).ok, true);
});

/** A protected file is changed by the shell, found, and said to be the person's change. */
async function expectProtected(
  session: Session,
  { line, path }: (typeof PROTECTED)[number],
): Promise<void> {
  await shell(session.project, line);
  const reply = await session.submit(await session.prepare());
  equal(reply.error, "protected_change");
  equal(reply.problems[0].path, path);
  equal((await settleAll(session, reply, "person")).ok, true);
}

Deno.test("person: the change is no part of the diff, the commit or the merge, and the file stays", async () => {
  await using project = await createProjectAt(15);
  await using session = await resume(project);
  await shell(project, "echo '// mine' >> src/view.ts; echo mine > src/mine.ts");
  await expectFound(session, "unauthorized_change", "unauthorized_change");
  equal((await resolve(session, "src", "person")).ok, true);
  await session.until(17);
  const review = await session.must("review_changes");
  deepEqual(review.changes.map(({ path }: Reply) => path), ["src/auth.ts"]);
  deepEqual(review.person_changes, ["src/mine.ts", "src/view.ts"]);
  equal((await session.until("end")).merged, true);
  equal(await project.repo.git("diff", "--name-only", "main~1", "main"), "src/auth.ts");
  equal(await project.repo.git("status", "-s"), " M src/view.ts\n?? src/mine.ts");
});

Deno.test("a person who edits beside the agent is asked once", async () => {
  await using project = await createProjectAt(5);
  await using session = await resume(project);
  await shell(project, "mkdir docs && echo one > docs/a.md");
  await expectFound(session, "unauthorized_change");
  equal((await resolve(session, "docs", "person", { until_end: true })).ok, true);
  for (let edit = 0; !session.isOver; edit++) {
    await shell(project, `echo ${edit} > docs/a.md; echo ${edit} > docs/${edit}.md`);
    await session.next();
  }
  equal(session.reply.merged, true);
  equal(await project.repo.git("diff", "--name-only", "main~1", "main"), "src/auth.ts");
});

Deno.test("the agent's authorised change is committed, a refused one is not", async () => {
  await using project = await createProjectAt(13);
  await using session = await resume(project);
  const payload = await session.prepare();
  await shell(project, "mkdir -p lib && echo new > lib/new.ts && echo '// x' >> src/hash.ts");
  const found = await session.submit(payload);
  equal(found.unsettled_total, 2);
  equal(
    (await resolve(session, "lib/new.ts", "authorize")).problems[0].code,
    "folder_not_explored",
  );
  equal((await resolve(session, "src/hash.ts", "authorize")).problems[0].code, "not_explored");
  await session.must("add_explored_files", { files: ["src/hash.ts"] });
  const reply = await resolve(session, "src/hash.ts", "authorize");
  deepEqual([reply.unsettled_total, reply.problems[0].path], [1, "lib/new.ts"]);
  equal((await resolve(session, "lib/new.ts", "restore")).ok, true);
  equal((await session.until("end")).merged, true);
  const changed = await project.repo.git("diff", "--name-only", "main~1", "main");
  equal(changed, "src/auth.ts\nsrc/hash.ts");
});

Deno.test("a clearance washes no change that was made before it", async () => {
  await using project = await createProjectAt(13);
  await using session = await resume(project);
  // The plan names another file, which the server cleared with it.
  await shell(project, "echo '// before' >> src/hash.ts");
  const refused = await session.call("check_write_target", { file_path: "src/hash.ts" });
  deepEqual([refused.ok, refused.problems[0].code], [false, "unauthorized_change"]);
  equal((await resolve(session, "src/hash.ts", "restore")).ok, true);
  equal((await session.until("end")).merged, true);
});

Deno.test("a commit by hand on the task branch is undone with its content kept, or becomes the session's", async () => {
  for (const action of ["undo", "person"] as const) {
    await using project = await createProjectAt(15);
    await using session = await resume(project);
    const before = await project.repo.git("rev-parse", "HEAD");
    await shell(project, "git add -A && git commit -qm 'By hand'");
    await expectFound(session, "unexpected_commit");
    equal((await resolve(session, "HEAD", action)).ok, true);
    equal(await project.repo.git("rev-parse", "HEAD") === before, action === "undo");
    equal(await project.repo.read("src/auth.ts"), SAMPLE_EDITS["src/auth.ts"]);
    equal((await session.until("end")).merged, true);
    equal(await project.repo.git("show", "main:src/auth.ts"), SAMPLE_EDITS["src/auth.ts"]?.trim());
  }
});

Deno.test("a commit on the base before the branch is unexpected; one on a base that HEAD is not on is not", async () => {
  await using project = await createProjectAt(5);
  await using session = await resume(project);
  await shell(project, "git commit -q --allow-empty -m 'By hand'");
  const found = await expectFound(session, "unexpected_commit");
  match(found.problems[0].hint, /person/);
  equal((await resolve(session, "HEAD", "person")).ok, true);
  await session.until(14);
  await shell(
    project,
    "git worktree add -q .git/w main && echo x > .git/w/base.md && git -C .git/w add -A && git -C .git/w commit -qm Base && git worktree remove .git/w",
  );
  equal((await session.until("end")).merged, true);
  equal(await project.repo.git("show", "main:base.md"), "x");
});

Deno.test("park and abandon pass in spite of findings, and a resume finds them again", async () => {
  await using project = await createProjectAt(13);
  await using session = await resume(project);
  await shell(project, "echo '// x' >> src/view.ts");
  await session.accept({ park: true, reason: "later" });
  await session.must("get_session_status", { session_id: session.id });
  await expectFound(session, "unauthorized_change");
  await session.accept({ abandon: true, reason: "no" });
  match(await project.repo.read("src/view.ts"), /\/\/ x/);
});

Deno.test("an investigation knows findings too, and nothing is committed", async () => {
  await using project = await createProject();
  const before = await project.repo.git("rev-parse", "HEAD");
  await using session = await startSession(project, { intent: "INVESTIGATE" });
  await session.until(5);
  await shell(project, "echo '// x' >> src/view.ts");
  await expectFound(session, "unauthorized_change");
  const refused = await resolve(session, "src/view.ts", "authorize");
  equal(refused.problems[0].code, "write_not_allowed");
  equal((await resolve(session, "src/view.ts", "person")).ok, true);
  await session.until("end");
  equal(await project.repo.git("rev-parse", "HEAD"), before);
  equal(await project.repo.git("status", "-s"), " M src/view.ts");
});

Deno.test("after a kill and in another server the findings are the same, and settled for both", async () => {
  await using project = await createProjectAt(6);
  await using session = await resume(project, { open: openProcess });
  await shell(project, "echo '// x' >> src/view.ts; rm src/hash.ts; git config x.y z");
  const codes = ["protected_change", "unauthorized_change", "unauthorized_change"];
  const first = await expectFound(session, ...codes);
  await session.restart();
  deepEqual((await expectFound(session, ...codes)).problems, first.problems);
  const other = await openProcess(project);
  const data = session.toData(await session.prepare());
  const { reply } = await other.call("submit_phase", { data });
  deepEqual(reply.problems, first.problems);
  const rows = [
    { path: "src", action: "restore", reason: "so" },
    { path: ".git/config", action: "person", reason: "so" },
  ];
  equal((await other.call("submit_phase", { data: { change_resolution: rows } })).reply.ok, true);
  await other.close();
  equal((await session.until("end")).merged, true);
});

Deno.test("what the server writes, what git ignores and its working files are no findings", async () => {
  await using project = await createProject();
  await project.repo.commit("Ignore", { ".gitignore": "*.log\n.env\n" });
  await using session = await startSession(project);
  await session.until(5);
  await session.must("update_context", { extra_notes: "Remember the hash" });
  await shell(
    project,
    "echo x > a.log; echo x > .env; mkdir -p .code-intel/cache && echo x > .code-intel/cache/x; echo x > .code-intel/index.db",
  );
  equal((await session.until("end")).merged, true);
  equal(await project.repo.git("diff", "--name-only", "main~1", "main"), "src/auth.ts");
});

async function confirm(project: Project, mode: "warn" | "off"): Promise<void> {
  const seal = createSeal(project.stateDir);
  const trust = new TrustStore({ stateDir: project.stateDir, seal, clock: SYSTEM_CLOCK });
  const key = await findRepositoryKey(project.dir, { commonDir: join(project.dir, ".git") });
  await trust.confirmMode(key, mode, "terminal");
}

for (const mode of ["warn", "off"] as const) {
  Deno.test(`the mode ${mode} holds only where a person confirmed it, from the start of a session`, async () => {
    await using project = await createProject();
    const config = JSON.stringify({ enforcement: mode });
    await project.repo.commit("Mode", { ".code-intel/config.json": config });
    await using session = await startSession(project);
    await session.until(5);
    await shell(project, "echo '// x' >> src/view.ts");
    await expectFound(session, "unauthorized_change");
    await confirm(project, mode);
    await expectFound(session, "unauthorized_change");
    await session.accept({ abandon: true, reason: "again" });
    await session.close();

    await using second = await startSession(project);
    match(
      second.reply.allowed_by_person.words[0],
      new RegExp(`\\(terminal\\): the mode ${mode} for`),
    );
    await second.until(5);
    await shell(project, "echo '// y' >> src/hash.ts");
    const reply = await second.next();
    equal(reply.warnings?.length, mode === "warn" ? 1 : undefined);
    equal((await second.until("end")).merged, true);
    await second.close();

    // The word was for one session, which told of it.
    await using third = await startSession(project);
    equal(third.reply.allowed_by_person, undefined);
    await third.until(5);
    await shell(project, "echo '// z' >> src/hash.ts");
    await expectFound(third, "unauthorized_change");
  });
}
