/** The hooks as clients run them: the real program, a real session, documented events. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { runHosted } from "../../support/server/hosted_cli.ts";
import { createProject, SAMPLE_EDITS, startSession } from "../../support/session/session_driver.ts";
import type { Project } from "../../support/session/session_driver.ts";
import type { Event } from "./hook_place.ts";
import { BASH, EDIT, finish, hook, OWN, readByClient, toContext, toReason } from "./hook_place.ts";

Deno.test("outside a session hooks let everything pass, and where nothing is set up they say nothing", async () => {
  await using project = await createProject();
  const silent = async (word: string, event: Event) => {
    const { code, stdout, stderr } = await hook(project, word, event);
    deepEqual([code, stdout, stderr], [0, "", ""], word);
  };
  await silent("session-start", { source: "startup" });
  await Deno.mkdir(join(project.dir, ".code-intel"));
  await silent("pre-tool-use", EDIT(project, "src/auth.ts"));
  await silent("pre-tool-use", BASH("git commit -m x"));
  await silent("post-tool-use", OWN);
  await silent("stop", { stop_hook_active: false });
  await silent("pre-compact", { trigger: "auto" });
  await silent("subagent-start", { agent_id: "a", agent_type: "Explore" });
  match(toContext(await hook(project, "session-start", { source: "startup" })), /start_session/);
  deepEqual((await Array.fromAsync(Deno.readDir(join(project.dir, ".code-intel")))).length, 0);
});

Deno.test("a hook that is broken says one line, decides nothing and never ends with 2", async () => {
  await using project = await createProject();
  await Deno.mkdir(join(project.dir, ".code-intel/sessions"), { recursive: true });
  const name = "session_20260101_000000_0001.json";
  await Deno.writeTextFile(join(project.dir, ".code-intel/sessions", name), "{ broken");
  const damaged = await hook(project, "pre-tool-use", EDIT(project, "src/auth.ts"));
  deepEqual([damaged.code, damaged.stdout], [0, ""]);
  const rows: readonly (readonly [words: readonly string[], stdin: string, code: number])[] = [
    [["hook", "stop"], "{ no json", 1],
    [["hook", "stop"], "", 1],
    [["hook", "no-such-event"], "{}", 64],
    [["hook", "stop", "--client", "vim"], "{}", 64],
  ];
  for (const [words, stdin, code] of rows) {
    const result = await runHosted(words, { cwd: project.dir, env: project.env, stdin });
    deepEqual([result.code, result.stdout], [code, ""], words.join(" "));
    ok(result.stderr.trimEnd().split("\n").length <= 2, result.stderr);
  }
});

Deno.test("a hook in a folder that is gone says one line, and takes that of the client where there is one", async () => {
  await using project = await createProject();
  const stdin = JSON.stringify({
    session_id: "c",
    cwd: join(project.dir, "gone"),
    source: "startup",
  });
  const run = (env: Readonly<Record<string, string>>) =>
    runHosted(["hook", "session-start"], {
      cwd: project.dir,
      env: { ...project.env, ...env },
      stdin,
    });
  const lost = await run({ CLAUDE_PROJECT_DIR: "" });
  deepEqual([lost.code, lost.stdout], [1, ""]);
  match(
    lost.stderr,
    /^code-intel hook: Cannot work in ".*gone": no such folder; nothing was decided\n$/,
  );
  const found = await run({ CLAUDE_PROJECT_DIR: project.dir });
  deepEqual([found.code, found.stderr], [0, ""]);
});

Deno.test("the edit hook refuses before step 13, clears in it, and counts as check_write_target", async () => {
  await using project = await createProject();
  await using session = await startSession(project);
  await session.until(5);
  const early = toReason(await hook(project, "pre-tool-use", EDIT(project, "src/auth.ts")));
  match(early, /step 5\/19: EXPLORATION/);
  match(early, /No file may be written in EXPLORATION.*submit_phase/);
  const outside = {
    tool_name: "Write",
    tool_input: { file_path: "/tmp/elsewhere.txt", content: "" },
  };
  equal((await hook(project, "pre-tool-use", outside)).stdout, "");
  const invented = {
    tool_name: "Read",
    tool_input: { file_path: join(project.dir, "README.md") },
    tool_response: { type: "text", file: { content: "1→What nobody wrote\n2→into the file" } },
  };
  equal((await hook(project, "post-tool-use", invented)).stdout, "");
  await readByClient(project, "src/view.ts");
  await session.until(13);
  match(toReason(await hook(project, "pre-tool-use", EDIT(project, "README.md"))), /not explored/);
  const patch =
    `*** Begin Patch\n*** Update File: src/view.ts\n*** Add File: src/new.ts\n+x\n*** End Patch`;
  const codex = {
    tool_name: "apply_patch",
    tool_input: { command: patch },
    turn_id: "t1",
    model: "m",
  };
  equal((await hook(project, "pre-tool-use", codex, "codex")).stdout, "");
  const { state } = await session.checkpoint();
  // The first was cleared with the plan that names it.
  deepEqual(state.clearances.map(({ path }: { path: string }) => path), [
    "src/auth.ts",
    "src/view.ts",
    "src/new.ts",
  ]);
  await finish(project, session);
});

Deno.test("what a shell printed counts as read, in the forms of both clients", async () => {
  await using project = await createProject();
  await using session = await startSession(project);
  await session.until(13);
  const clear = async () =>
    (await session.call("check_write_target", { file_path: "README.md" })).ok;
  const print = async (client: "claude" | "codex", command: string, response: unknown) => {
    const event = { tool_name: "Bash", tool_input: { command }, tool_response: response };
    equal((await hook(project, "post-tool-use", event, client)).stdout, "");
  };
  const text = await project.repo.read("README.md");
  await print("claude", "cat README.md", { stdout: "nothing of the file\n", stderr: "" });
  await print("codex", "ls README.md", text);
  equal(await clear(), false, "its lines were not shown");
  const { session_id: id } = await session.call("get_session_status");
  const countShown = async () =>
    (await project.repo.read(`.code-intel/sessions/${id}.records.jsonl`)).split("\n")
      .filter((line) => line.includes('"explored"') && line.includes('"via":"hook"')).length;
  const found = text.split("\n").map((line, at) => `../README.md:${at + 1}:${line}`).join("\n");
  await print("codex", "cd src && rg -n . ..", `Exit code: 0\nOutput:\n${found}\n`);
  equal(await countShown(), 1);
  await print("claude", "cd src && sed -n 1,40p ../README.md", { stdout: text, stderr: "" });
  equal(await countShown(), 2);
  equal(await clear(), true);
});

/** A project with a second worktree beside it, as a project of its own. */
async function addWorktree(project: Project): Promise<Project> {
  const dir = join(project.dir, ".git/side");
  await project.repo.git("worktree", "add", "-q", dir, "-b", "side");
  return { ...project, dir };
}

Deno.test("on the default way hooks see reads and edits, and one payload leads from the start to the merge", async () => {
  await using project = await createProject();
  await using session = await startSession(project);
  const unread = toReason(await hook(project, "pre-tool-use", EDIT(project, "src/auth.ts")));
  match(unread, /was not explored/);
  await readByClient(project, "src/auth.ts");
  equal((await hook(project, "pre-tool-use", EDIT(project, "src/auth.ts"))).stdout, "");
  const evidence = await session.write("src/auth.ts", SAMPLE_EDITS["src/auth.ts"] ?? "");
  equal((await hook(project, "post-tool-use", EDIT(project, "src/auth.ts"))).stdout, "");
  const reply = await session.submit({
    done: { "1": evidence },
    observed: { "1": "login('') throws" },
    passed: true,
  });
  const taken = ["DOCUMENT_RESEARCH to MERGE (server)"];
  deepEqual([reply.merged, reply.taken], [true, taken], JSON.stringify(reply));
  match(await project.repo.git("show", "main:src/auth.ts"), /a name is needed/);
});

Deno.test("the worktree that a file lies in decides, whatever folder the client names", async () => {
  await using project = await createProject();
  const side = await addWorktree(project);
  await using session = await startSession(side);
  await session.until(5);
  // Claude Code names the first checkout as its folder after it entered the worktree.
  const early = await hook(project, "pre-tool-use", EDIT(side, "src/auth.ts"));
  match(toReason(early), /step 5\/19/);
  const fresh = await hook(project, "pre-tool-use", EDIT(side, "src/deep/new/file.ts"));
  match(toReason(fresh), /step 5\/19/);
  equal((await hook(project, "pre-tool-use", EDIT(project, "src/auth.ts"))).stdout, "");
  equal((await hook(side, "pre-tool-use", EDIT(project, "src/auth.ts"))).stdout, "");
  const said = toContext(await hook(project, "session-start", { source: "compact" }));
  ok(
    said.includes(`${session.id} is under way in another worktree of this repository, ${side.dir}`),
    said,
  );
  match(toContext(await hook(side, "session-start", { source: "compact" })), /under way in this/);
});

Deno.test("a shell line belongs to the worktree that it works in, whatever folder the client names", async () => {
  await using project = await createProject();
  const side = await addWorktree(project);
  await using session = await startSession(side);
  await session.until(5);
  const shell = (command: string) =>
    hook(project, "pre-tool-use", { tool_name: "Bash", tool_input: { command } });
  const refused = [
    `git -C ${side.dir} commit -am x`,
    `cd ${side.dir}/src && git commit -am x`,
    `git --git-dir=${project.dir}/.git/worktrees/side --work-tree=${side.dir} commit -am x`,
  ];
  for (const line of refused) match(toReason(await shell(line)), /`git commit` is not run/, line);
  // The first worktree has no session.
  for (const line of ["git commit -am x", `git -C ${side.dir} status`, `cd ${side.dir} && ls`]) {
    equal((await shell(line)).stdout, "", line);
  }
});

Deno.test("a shell line that starts in a bare repository or in `.git` belongs to the session of its worktree", async () => {
  await using project = await createProject();
  await using session = await startSession(project);
  await session.until(5);
  const bare = join(project.dir, ".git/elsewhere.git");
  await project.repo.git("init", "-q", "--bare", bare);
  const around = join(project.dir, ".git");
  const outside = await Deno.makeTempDir({ prefix: "code-intel-bare-" });
  await project.repo.git("init", "-q", "--bare", outside);
  for (const cwd of [bare, around, outside]) {
    const event = BASH(`cd ${project.dir} && git commit -am x`);
    match(
      toReason(await hook(project, "pre-tool-use", { ...event, cwd })),
      /`git commit` is not run/,
    );
  }
  const inside = await hook(project, "pre-tool-use", {
    ...BASH("git -C ../.. commit -am x"),
    cwd: bare,
  });
  match(toReason(inside), /`git commit` is not run/);
  await Deno.remove(outside, { recursive: true });
});

Deno.test("a session in the first worktree guards its files against a client in another one", async () => {
  await using project = await createProject();
  const side = await addWorktree(project);
  await using session = await startSession(project);
  await session.until(5);
  const early = await hook(side, "pre-tool-use", EDIT(project, "src/auth.ts"));
  match(toReason(early), /step 5\/19/);
  equal((await hook(side, "pre-tool-use", EDIT(side, "src/auth.ts"))).stdout, "");
});

Deno.test("a package with settings of its own opens no way round the session of its repository", async () => {
  await using project = await createProject();
  await project.repo.commit("Package", {
    "pkg/.code-intel/config.json": "{}\n",
    "pkg/a.ts": "a\n",
  });
  await using session = await startSession(project);
  await session.until(5);
  match(toReason(await hook(project, "pre-tool-use", EDIT(project, "pkg/a.ts"))), /step 5\/19/);
});
