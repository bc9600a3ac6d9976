/** A project without git over stdio: changes by other hands are found and settled, evidence is judged. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { dirname, join } from "node:path";
import { runOnTerminal } from "../support/server/cli.ts";
import { runHosted } from "../support/server/hosted_cli.ts";
import { startSession as startHosted } from "../support/session/hosted_session.ts";
import type { Project } from "../support/session/session_driver.ts";
import {
  createProject,
  openServer,
  openSession,
  SAMPLE_FILES,
  startSession,
} from "../support/session/session_driver.ts";
import { testNeeding } from "../support/needs.ts";

const QUICK = { flags: { quick: true, no_verify: true } } as const;

/** The sample project in a folder that is no repository. */
async function createPlain(): Promise<Project> {
  const project = await createProject();
  await Deno.remove(join(project.dir, ".git"), { recursive: true });
  return project;
}

/** What an agent does past the tools. */
async function shell(project: Project, line: string): Promise<void> {
  await new Deno.Command("sh", { args: ["-c", line], cwd: project.dir }).output();
}

const settle = (path: string, action: string) => ({
  change_resolution: [{ path, action, reason: "settled by the test" }],
});

Deno.test("a change by the shell in an investigation without git is found at the next call and settled", async () => {
  await using project = await createPlain();
  await using session = await startHosted(project, { intent: "INVESTIGATE" });
  await session.until(5);
  await shell(project, "sed -i s/login/logout/ src/auth.ts; echo x > src/new.ts; rm src/hash.ts");
  const found = await session.submit({ summary: "Looked" });
  equal(found.error, "unauthorized_change");
  deepEqual(found.problems.map(({ path }: { path: string }) => path), [
    "src/auth.ts",
    "src/hash.ts",
    "src/new.ts",
  ]);
  await session.submit(settle("src/auth.ts", "restore"));
  equal(await project.repo.read("src/auth.ts"), SAMPLE_FILES["src/auth.ts"]);
  await session.submit(settle("src/hash.ts", "restore"));
  equal(await project.repo.read("src/hash.ts"), SAMPLE_FILES["src/hash.ts"]);
  const restored = await session.submit(settle("src/new.ts", "restore"));
  equal(restored.ok, true, JSON.stringify(restored));
  equal(await project.repo.exists("src/new.ts"), false);
  match(restored.bring_back[0], /^code-intel restore session_\w+ --to \d+ src\/new\.ts$/);
  equal((await session.until("end")).end, "completed");
});

testNeeding(
  ["terminal"],
  "quick without git: restore, person, authorize, evidence, end, and the snapshots afterwards",
  async () => {
    await using project = await createPlain();
    await using session = await startHosted(project, QUICK);
    await session.until(13);
    await session.accept({
      tasks: [{
        id: "task_1",
        description: "Refuse an empty name",
        status: "pending",
        checklist: [{ item: "check the name", status: "pending" }],
      }],
    });
    await session.must("add_explored_files", { files: ["src/auth.ts", "src/hash.ts"] });
    await session.must("check_write_target", { file_path: "src/auth.ts" });
    const text = SAMPLE_FILES["src/auth.ts"] ?? "";
    await project.repo.write({ "src/auth.ts": `${text}export const checked = true;\n` });
    const line = text.split("\n").length;
    const report = (evidence: string) =>
      session.submit({
        task_id: "task_1",
        checklist: [{ item: "check the name", status: "done", evidence }],
      });
    equal((await report("src/auth.ts:1")).problems[0].code, "checklist_evidence_not_changed");
    await shell(project, "echo '// more' >> src/hash.ts");
    equal((await report(`src/auth.ts:${line}`)).error, "unauthorized_change");
    equal((await session.submit(settle("src/hash.ts", "authorize"))).ok, true);
    await shell(project, "echo mine > notes.txt");
    equal((await session.submit(settle("notes.txt", "person"))).ok, true);
    equal((await report(`src/auth.ts:${line}`)).ok, true);
    // Back in EXPLORATION nothing may be written, and what is put back is the accepted work.
    await session.accept({ back_to: "EXPLORATION", reason: "one more look is needed" });
    await shell(project, "echo broken > src/auth.ts");
    equal((await session.submit({ summary: "x" })).error, "unauthorized_change");
    equal((await session.submit(settle("src/auth.ts", "restore"))).ok, true);
    match(await project.repo.read("src/auth.ts"), /checked = true;\n$/);
    equal((await session.submit({ abandon: true, reason: "the test is over" })).ok, true);

    const env = { ...project.env, NO_COLOR: "1" };
    const cwd = project.dir;
    const list = JSON.parse(
      (await runHosted(["snapshots", session.id, "--json"], { cwd, env })).stdout,
    );
    equal(list.snapshots[0].label, "start");
    const dry = await runHosted(["restore", session.id, "--dry-run", "--json"], { cwd, env });
    deepEqual(JSON.parse(dry.stdout).would_write, ["src/auth.ts", "src/hash.ts"]);
    const shown = await runOnTerminal(["restore", session.id], { cwd, env, typed: "y\n" });
    match(shown, /undo: code-intel restore session_\w+ --to \d+ --exact/);
    equal(await project.repo.read("src/auth.ts"), text);
  },
);

Deno.test("without git on PATH no session begins: git_missing names the next step", async () => {
  await using project = await createProject();
  const bin = await Deno.makeTempDir({ prefix: "code-intel-bin-" });
  await Deno.symlink(await findProgram("deno"), join(bin, "deno"));
  const bare: Project = { ...project, env: { ...project.env, PATH: bin } };
  await using session = await openSession(bare, QUICK);
  for (const options of [{ flags: {} }, {}]) {
    const refused = await session.begin(options);
    equal(refused.error, "git_missing", JSON.stringify(refused));
    match(JSON.stringify(refused), /Install git and put it on PATH/);
  }
  await Deno.remove(bin, { recursive: true });
});

async function findProgram(name: string): Promise<string> {
  for (const folder of (Deno.env.get("PATH") ?? "").split(":")) {
    const path = join(folder, name);
    if (await Deno.stat(path).then(({ isFile }) => isFile, () => false)) return path;
  }
  return join(dirname(Deno.execPath()), name);
}

Deno.test("a killed server finds the change without git at its next start", async () => {
  await using project = await createPlain();
  await using session = await startSession(project, QUICK);
  await session.until(4);
  await session.client.kill();
  await shell(project, "echo x >> src/auth.ts");
  session.client = await openServer(project);
  const status = await session.must("get_session_status");
  ok(status.session_id === session.id);
  const found = await session.submit({ summary: "x" });
  equal(found.error, "unauthorized_change", JSON.stringify(found));
});
