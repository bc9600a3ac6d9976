/** The write guard over real files: what counts as explored, links, globs, and how refusals go on. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import type { Project } from "../project_fixture.ts";
import {
  codesOf,
  createPlainProject,
  createProject,
  expectOk,
  expectRefused,
  FRAME,
  planned,
  started,
} from "../project_fixture.ts";

const FILES = {
  "README.md": "# Test\n",
  "src/a.ts": "a\n",
  "src/b.ts": "b\n",
  "src/deep/a.ts": "a\n",
  "lib/a.ts": "a\n",
  "app/[id].tsx": "x\n",
  "logo.png": "\u0000\n",
};

async function toReady(files: Readonly<Record<string, string>> = FILES): Promise<Project> {
  const project = await createProject({ files, after: planned("Change a") });
  return project;
}

/** What a tool of the server showed. */
async function show(project: Project, files: readonly string[], ok = true): Promise<void> {
  const admission = await project.workflow.admit("search_text", "text");
  await project.workflow.record(admission, {
    tool: "search_text",
    argsHash: "0".repeat(16),
    subject: "x",
    ok,
    total: files.length,
    files,
    symbols: [],
    durationMs: 1,
    via: "mcp",
  });
}

async function codes(project: Project, ...paths: readonly string[]): Promise<string> {
  return codesOf(await project.clear(...paths)).join();
}

Deno.test("checkWrite() clears what a tool showed, by exact path and never by base name", async () => {
  await using project = await toReady();
  expectRefused(await project.clear("src/a.ts"), "not_explored");
  await show(project, ["src/a.ts"]);
  const reply = expectOk(await project.clear("src/a.ts"));
  deepEqual([reply.allowed, reply.paths, reply.new_files], [true, ["src/a.ts"], []]);
  for (const path of ["lib/a.ts", "src/deep/a.ts", "src/b.ts"]) {
    equal(await codes(project, path), "not_explored", path);
  }
});

Deno.test("checkWrite() does not take a listing or a failed call for exploration", async () => {
  await using project = await toReady();
  const admission = await project.workflow.admit("search_files", "files");
  const listing = {
    tool: "search_files",
    argsHash: "0",
    subject: "*",
    ok: true,
    total: 9,
    files: [],
  };
  await project.workflow.record(admission, {
    ...listing,
    symbols: [],
    durationMs: 1,
    via: "mcp",
  });
  await show(project, ["src/b.ts"], false);
  equal(await codes(project, "src/a.ts"), "not_explored");
  equal(await codes(project, "src/b.ts"), "not_explored");
});

Deno.test("checkWrite() names the call that makes a refusal pass, and that call does", async () => {
  await using project = await toReady();
  const reply = expectRefused(await project.clear("src/a.ts"), "not_explored");
  equal(reply.call, "add_explored_files");
  equal(reply.allowed, false);
  const [, path] = /add_explored_files with files \["(.+)"\]/.exec(reply.problems[0].hint) ?? [];
  const added = expectOk(await project.workflow.addExploredFiles([path ?? ""]));
  deepEqual(added.shown, { "src/a.ts": ["a"] });
  expectOk(await project.clear("src/a.ts"));

  const folder = expectRefused(await project.clear("lib/new.ts"), "folder_not_explored");
  const [, named] = /add_explored_files with files \["(.+)"\]/.exec(folder.problems[0].hint) ?? [];
  expectOk(await project.workflow.addExploredFiles([named ?? ""]));
  deepEqual(expectOk(await project.clear("lib/new.ts")).new_files, ["lib/new.ts"]);
});

Deno.test("checkWrite() asks for allow_new_files before a file that does not exist", async () => {
  await using project = await toReady();
  await show(project, ["src/a.ts"]);
  const input = { paths: ["src/new.ts"], allowNewFiles: false };
  const reply = expectRefused(
    await project.workflow.checkWriteTarget(input),
    "new_file_not_allowed",
  );
  equal(reply.call, "check_write_target");
  expectOk(await project.clear("src/new.ts"));
});

Deno.test("checkWrite() takes the nearest ancestor of a new path whose parents are new too", async () => {
  await using project = await toReady();
  await show(project, ["src/a.ts"]);
  expectOk(await project.clear("src/one/two/new.ts"));
  equal(await codes(project, "lib/one/two/new.ts"), "folder_not_explored");
  equal(await codes(project, "one/new.ts"), "folder_not_explored");
});

Deno.test("checkWrite() does not take the parent of a named folder for explored", async () => {
  await using project = await toReady();
  expectOk(await project.workflow.addExploredFiles(["src/deep"]));
  expectOk(await project.clear("src/deep/new.ts"));
  equal(await codes(project, "src/new.ts"), "folder_not_explored");
  equal(await codes(project, "src/b.ts"), "not_explored");
  equal(await codes(project, "src"), "folder_not_explored");
});

Deno.test("checkWrite() keeps a file that the session made writable after the next plan", async () => {
  await using project = await toReady();
  await show(project, ["src/a.ts"]);
  await project.clear("src/one/new.ts");
  await project.repo.write({ "src/one/new.ts": "new\n" });
  await project.plan("Change another");
  deepEqual((await project.state()).clearances, []);
  expectOk(await project.clear("src/one/new.ts", "src/one/beside.ts"));
});

Deno.test("checkWrite() refuses what steers the program, however it is written", async () => {
  await using project = await toReady();
  await project.repo.write({ ".code-intel/config.json": "{}", "src/keep/.git/x": "" });
  await Deno.symlink("../.git/config", join(project.root, "src/link"));
  await Deno.symlink("../.git", join(project.root, "src/folder"));
  const paths = [
    ".git/config",
    "src/../.git/hooks/pre-commit",
    ".code-intel/config.json",
    ".code-intel/phase_contract.yml",
    ".mcp.json",
    "src/keep/.git/x",
    "src/link",
    "src/folder/config",
    join(project.root, ".git/HEAD"),
  ];
  await project.workflow.addExploredFiles(paths);
  for (const path of paths) equal(await codes(project, path), "path_protected", path);
});

Deno.test("checkWrite() follows links: to the real file inside, refused when they lead out", async () => {
  await using project = await toReady();
  const outside = await Deno.realPath(await Deno.makeTempDir());
  await Deno.writeTextFile(join(outside, "there.ts"), "x\n");
  const link = (target: string, name: string) => Deno.symlink(target, join(project.root, name));
  await link("a.ts", "src/inside.ts");
  await link("../lib", "src/lib");
  await link(join(outside, "there.ts"), "src/there.ts");
  await link(join(outside, "missing.ts"), "src/dangling.ts");
  await link("dangling.ts", "src/twice.ts");
  await link(outside, "src/out");
  await link("not_yet.ts", "src/soon.ts");
  await show(project, ["src/a.ts", "lib/a.ts"]);
  const cleared = async (path: string) => expectOk(await project.clear(path)).paths.join();
  equal(await cleared("src/inside.ts"), "src/a.ts");
  equal(await cleared("src/lib/a.ts"), "lib/a.ts");
  equal(await cleared("src/soon.ts"), "src/not_yet.ts");
  const outs = [
    "src/there.ts",
    "src/dangling.ts",
    "src/twice.ts",
    "src/out/there.ts",
    "src/out/new/x.ts",
    "../x.ts",
    "/etc/passwd",
    join(outside, "there.ts"),
  ];
  for (const path of outs) equal(await codes(project, path), "path_outside", path);
  await Deno.remove(outside, { recursive: true });
});

Deno.test("checkWrite() answers a link that turns in a circle and a name that no disk can hold", async () => {
  await using project = await toReady();
  await Deno.symlink("circle.ts", join(project.root, "src/circle.ts"));
  for (const path of ["src/circle.ts", `src/${"x".repeat(300)}.ts`, "src/a.ts/below.ts"]) {
    const reply = await project.clear(path);
    equal(reply.ok, false);
    equal(codesOf(reply).length, 1, path);
  }
});

Deno.test("checkWrite() clears all of several paths or none, and names every one that stands in the way", async () => {
  await using project = await toReady();
  await show(project, ["src/a.ts"]);
  const paths = ["src/a.ts", "src/b.ts", "../x", "lib/a.ts"];
  const reply = await project.clear(...paths);
  equal(codesOf(reply).toSorted().join(), "not_explored,not_explored,path_outside");
  deepEqual((await project.state()).clearances, []);
  await project.workflow.addExploredFiles(["src/b.ts"]);
  expectOk(await project.clear("src/a.ts", "src/b.ts", "src/a.ts"));
  deepEqual((await project.state()).clearances.map(({ path, taskId }) => [path, taskId]), [
    ["src/a.ts", "task_1"],
    ["src/b.ts", "task_1"],
  ]);
});

Deno.test("checkWrite() expands globs to existing files, each of which has to be explored", async () => {
  await using project = await toReady();
  await show(project, ["src/a.ts"]);
  equal(await codes(project, "src/**/*.ts"), "not_explored,not_explored");
  await show(project, ["src/b.ts", "src/deep/a.ts"]);
  const { paths } = expectOk(await project.clear("src/**/*.ts"));
  deepEqual(paths.toSorted(), ["src/a.ts", "src/b.ts", "src/deep/a.ts"]);
  equal(await codes(project, "nothing/*.ts"), "path_not_found");
});

Deno.test("checkWrite() takes a name with brackets, spaces or letters of any script as it is", async () => {
  const names = ["app/[id].tsx", "src/a b.ts", "src/ログイン.ts", "a:3.ts", "what?.md", "*.md"];
  await using project = await toReady(Object.fromEntries(names.map((name) => [name, "x\n"])));
  await show(project, names);
  for (const name of names) deepEqual(expectOk(await project.clear(name)).paths, [name]);
});

Deno.test("checkWrite() takes the root of an empty project for explored", async () => {
  await using project = await toReady({ "README.md": "# Empty\n" });
  expectOk(await project.clear("main.ts", "src/app/main.ts"));
});

Deno.test("checkWrite() clears before the plan while nothing is sent by hand, and the grant goes along", async () => {
  await using project = await createProject({ files: FILES, after: started });
  await project.workflow.addExploredFiles(["src/a.ts"]);
  expectOk(await project.clear("src/a.ts"));
  await project.repo.write({ "src/a.ts": "early\n" });
  await project.must(FRAME);
  await project.plan("Change a");
  const checklist = [{ item: "Change a", evidence: "src/a.ts:1" }];
  await project.must({ summary: "done", tools_used: [], task_id: "task_1", checklist });
});

Deno.test("checkWrite() refuses in every other step of a way by hand, naming the phase and the next call", async () => {
  await using project = await createProject({ files: FILES });
  const flags = { no_doc: true, no_verify: true };
  expectOk(await project.start({ gateLevel: "full", flags }));
  await project.workflow.addExploredFiles(["src/a.ts"]);
  const frame = expectRefused(await project.clear("src/a.ts"), "write_not_allowed");
  deepEqual([frame.error, frame.phase, frame.call], [
    "write_refused",
    "QUERY_FRAME",
    "submit_phase",
  ]);
  await project.must({ abandon: true, reason: "in short" });
  expectOk(await project.start());
  await project.must(FRAME);
  const plan = expectRefused(await project.clear("src/a.ts"), "write_not_allowed");
  deepEqual([plan.phase, plan.substep, plan.call], ["READY", "plan", "submit_phase"]);
  match(plan.problems[0].hint, /plan/);
  await project.must({ park: true, reason: "later" });
  expectRefused(await project.clear("src/a.ts"), "no_active_session");
});

Deno.test("addExplored() books files, unindexed and binary ones, folders and parents of new files", async () => {
  await using project = await toReady();
  await project.repo.write({ ".gitignore": "ignored.txt\n", "ignored.txt": "x\n" });
  const reply = expectOk(
    await project.workflow.addExploredFiles(["logo.png", "ignored.txt", "lib", "src/deep/new.ts"]),
  );
  deepEqual(reply.added, ["logo.png", "ignored.txt", "lib", "src/deep"]);
  expectOk(await project.clear("logo.png", "ignored.txt", "lib/new.ts", "src/deep/new.ts"));
});

Deno.test("addExplored() books nothing when one path is wrong, and says how to name it", async () => {
  await using project = await toReady();
  const paths = ["src/a.ts", "no/such/file.ts", "../x"];
  const reply = expectRefused(
    await project.workflow.addExploredFiles(paths),
    "path_not_found",
    "path_outside",
  );
  equal(reply.call, "add_explored_files");
  equal(reply.error, "invalid_arguments");
  deepEqual(reply.problems.map(({ at }: { at: string }) => at), ["files[1]", "files[2]"]);
  equal(await codes(project, "src/a.ts"), "not_explored");
});

Deno.test("checkWrite() copies without git only what no snapshot has", async () => {
  await using project = await createPlainProject({
    ".gitignore": "b.ts\n",
    "a.ts": "1\n",
    "b.ts": "1\n",
  });
  expectOk(await project.start({ flags: { quick: true, no_doc: true, no_verify: true } }));
  await project.plan("Change both");
  const folder = join(project.root, ".code-intel/backup", (await project.state()).sessionId);
  await project.workflow.addExploredFiles(["a.ts", "b.ts"]);
  expectOk(await project.clear("a.ts", "b.ts"));
  deepEqual((await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name), ["b.ts"]);
});

Deno.test("checkWrite() washes no change that was made before it", async () => {
  await using project = await toReady();
  await show(project, ["src/a.ts"]);
  await project.repo.write({ "src/a.ts": "before\n", "lib/a.ts": "before\n" });
  for (const _ of [1, 2]) {
    const reply = expectRefused(await project.clear("src/a.ts"), "unauthorized_change");
    match(reply.problems[0].hint, /change_resolution/);
  }
  deepEqual((await project.state()).clearances, []);
  // A finding elsewhere stops the next submission, not the work on other files.
  await show(project, ["src/b.ts"]);
  expectOk(await project.clear("src/b.ts"));
});

Deno.test("checkWrite() books earlier edits of cleared files before it clears more", async () => {
  await using project = await toReady();
  await show(project, ["src/a.ts"]);
  expectOk(await project.clear("src/a.ts"));
  await project.repo.write({ "src/a.ts": "edited\n" });
  expectOk(await project.clear("src/a.ts"));
  const { ledger } = await project.state();
  equal(await project.repo.git("show", `${ledger?.tree}:src/a.ts`), "edited");
});

Deno.test("checkWrite() copies a file that git ignores before its first write, and no other one", async () => {
  await using project = await toReady({ ...FILES, ".gitignore": ".env\n*.local\n" });
  await project.repo.write({ ".env": "KEY=old\n", "src/deep/x.local": "old\n" });
  const paths = [".env", "src/deep/x.local", "src/a.ts"];
  expectOk(await project.workflow.addExploredFiles(paths));
  expectOk(await project.clear(...paths));
  await project.repo.write({ ".env": "KEY=new\n" });
  expectOk(await project.clear(".env"));
  const { sessionId } = await project.state();
  const backup = `.code-intel/backup/${sessionId}`;
  equal(await project.repo.read(`${backup}/.env`), "KEY=old\n");
  equal(await project.repo.read(`${backup}/src/deep/x.local`), "old\n");
  equal(await project.repo.exists(`${backup}/src/a.ts`), false);
  equal((await project.repo.git("status", "-s")).includes("backup"), false);
});

Deno.test("checkWrite() names paths of a subfolder project as the agent has to send them", async () => {
  await using project = await createProject({ subfolder: "src" });
  await project.start();
  await project.plan("Change the readme");
  const refused = await project.clear("../README.md");
  match(refused.problems[0].hint, /add_explored_files with files \["\.\.\/README\.md"\]/);
  const added = await project.workflow.addExploredFiles(["../README.md", "."]);
  deepEqual(added.ok && added["added"], ["../README.md", "."]);
  equal((await project.clear("../README.md")).allowed, true);
});
