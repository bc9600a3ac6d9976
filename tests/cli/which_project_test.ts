/** Which project each way into the program answers for: what lies above a repository never takes it over. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { callOverHttp, connectOverHttp, startHttpServer } from "../support/server/http_server.ts";
import { runHosted } from "../support/server/hosted_cli.ts";
import { SOURCE_COMMAND, startClient } from "../support/server/mcp_client.ts";
import { testNeeding } from "../support/needs.ts";
import { runGit } from "../support/temp_repo.ts";
import { isKnownCommand } from "../support/known_commands.ts";

interface Yard {
  /** A home folder with two repositories in a folder of it. */
  readonly home: string;
  readonly work: string;
  readonly run: (cwd: string, words: string, stdin?: string) => ReturnType<typeof runHosted>;
  readonly env: Readonly<Record<string, string>>;
}

async function makeYard(): Promise<Yard> {
  const home = await Deno.realPath(await Deno.makeTempDir({ prefix: "code-intel-yard-" }));
  const work = join(home, "work");
  for (const name of ["alpha", "beta"]) {
    const dir = join(work, name);
    await Deno.mkdir(join(dir, "deep"), { recursive: true });
    await Deno.writeTextFile(join(dir, "m.py"), `def in_${name}(): return 1\n`);
    await Deno.writeTextFile(join(dir, "deep/n.py"), "");
    await runGit(dir, ["init", "-q", "-b", "main"]);
    await runGit(dir, ["config", "user.name", "dev"]);
    await runGit(dir, ["config", "user.email", "dev@example.org"]);
    await runGit(dir, ["add", "-A"]);
    await runGit(dir, ["commit", "-q", "-m", "Start"]);
  }
  const env = {
    HOME: home,
    CLAUDE_PROJECT_DIR: "",
    CODE_INTEL_STATE_DIR: join(await Deno.makeTempDir(), "state"),
    GIT_CONFIG_GLOBAL: "/dev/null",
    NO_COLOR: "1",
  };
  const run: Yard["run"] = (cwd, words, stdin = "") =>
    runHosted(words.split(" "), { cwd, env, stdin });
  return { home, work, run, env };
}

/** What a set-up, a question and a session of an older version may have left in a folder. */
async function makeStray(dir: string): Promise<void> {
  const folder = join(dir, ".code-intel");
  await Deno.mkdir(join(folder, "sessions"), { recursive: true });
  await Deno.writeTextFile(join(folder, "config.json"), `{"source_dirs": ["nowhere"]}`);
  await Deno.writeTextFile(join(folder, "index.db"), "no database");
  await Deno.writeTextFile(join(folder, "sessions/session_20260101_000000_0001.json"), "{");
}

testNeeding(
  ["posix"],
  "a stray .code-intel above a repository once took it over, and a question made one",
  async () => {
    const { home, work, run } = await makeYard();
    const beta = join(work, "beta");
    for (const dir of [home, work]) await makeStray(dir);
    for (
      const [cwd, more] of [[beta, ""], [join(beta, "deep"), ""], [beta, " --project ."]] as const
    ) {
      const { stdout, stderr } = await run(cwd, `def in_beta${more}`);
      match(stdout, /^m\.py:1/m, stderr);
      equal((await run(cwd, `text in_alpha${more}`)).code, 1);
    }
    // The request is not clear enough for a session, but it begins.
    const started = await run(beta, "session start make_in_beta_return_two --intent MODIFY --json");
    equal(JSON.parse(started.stdout || started.stderr).error, undefined, started.stdout);
    const set = await run(beta, "init --client claude --json");
    equal(JSON.parse(set.stdout).error, "session_unfinished", "init means the same project");
  },
);

testNeeding(
  ["posix"],
  "folders that belong to no single project are answered in one sentence by every command, and get no file",
  async () => {
    const { home, work, run, env } = await makeYard();
    const bare = join(home, "store.git");
    await runGit(home, ["clone", "-q", "--bare", join(work, "alpha"), bare]);
    const before = await listAll(home);
    const commands = [
      ..."def in_alpha,text in_alpha,query what,index,session start x --intent MODIFY,session status,doctor,clean,init,try"
        .split(","),
      ..."uninstall,uninstall --purge,workspace list,share status,snapshots,map,stats,verify".split(
        ",",
      ),
    ];
    for (
      const [dir, said] of [[home, /is a home folder/], [
        work,
        /holds several git repositories \(alpha and beta\)/,
      ], [join(bare, "hooks"), /is a bare repository.*worktree add FOLDER/]] as const
    ) {
      for (const words of commands.filter((line) => isKnownCommand(line.split(" ")))) {
        const { code, stderr, stdout } = await run(dir, words);
        match(stderr.replaceAll(/\n */g, " "), said, `${words}: ${stdout}${stderr}`);
        equal(code, 2, words);
      }
    }
    for (const words of [`init ${home}`, `init ${bare}`, `def in_alpha --project ${bare}`]) {
      equal((await run(work, words)).code, 2, words);
    }
    deepEqual(await listAll(home), before);
    const event = JSON.stringify({
      cwd: home,
      session_id: "c",
      tool_name: "Bash",
      tool_input: { command: "ls" },
    });
    const hook = await run(work, "hook pre-tool-use --client claude", event);
    deepEqual([hook.code, hook.stdout], [0, ""]);
    match(hook.stderr, /is a home folder/);
    const first = await run(work, "hook session-start --client claude", event);
    match(
      JSON.parse(first.stdout).hookSpecificOutput.additionalContext,
      /is a home folder.*--project DIR/,
    );
    const command = [...SOURCE_COMMAND, "serve"] as const;
    for (
      const [dir, said] of [[home, "is a home folder"], [bare, "is a bare repository"]] as const
    ) {
      const client = await startClient({ projectDir: dir, env, command });
      const reply = await client.call("find_definitions", { name: "x" });
      match(JSON.stringify(reply), new RegExp(`not_a_project.*${said}`));
      await client.close();
    }
  },
);

testNeeding(
  ["posix", "http"],
  "a server over HTTP that began in a folder of repositories says which folder it is about",
  async () => {
    const { work } = await makeYard();
    // In this process, whose home folder is another one.
    await using server = await startHttpServer(work);
    const over = await connectOverHttp(server, "2025-11-25");
    const told = await callOverHttp(over, "find_definitions", { name: "x" });
    deepEqual([told.ok, told.error], [false, "not_a_project"]);
    await over.close();
  },
);

testNeeding(
  ["posix"],
  "a folder that nobody set up is answered, and nothing is left in it",
  async () => {
    const { home, run } = await makeYard();
    const notes = join(home, "notes");
    await Deno.mkdir(join(notes, "deep"), { recursive: true });
    await Deno.writeTextFile(join(notes, "a.py"), "def in_notes(): return 1\n");
    const before = await listAll(notes);
    for (const words of ["def in_notes", "index", "query in_notes", "doctor", "def in_notes"]) {
      equal((await run(notes, words)).code, 0, words);
    }
    equal((await run(home, `def in_notes --project ${notes}`)).code, 0);
    deepEqual(await listAll(notes), before);
    // Its own settings bring the index into it.
    await Deno.mkdir(join(notes, ".code-intel"));
    await Deno.writeTextFile(join(notes, ".code-intel/config.json"), "{}");
    equal((await run(join(notes, "deep"), "def in_notes")).code, 0);
  },
);

testNeeding(
  ["posix"],
  "a server whose folder was removed says so in one line, and goes on",
  async () => {
    const { home, env } = await makeYard();
    const dir = join(home, "gone");
    await Deno.mkdir(dir);
    const command = [...SOURCE_COMMAND, "serve"] as const;
    const client = await startClient({ projectDir: dir, env, command });
    await Deno.remove(dir);
    for (const tool of ["find_definitions", "search_text"]) {
      const { reply } = await client.call(
        tool,
        tool === "search_text" ? { pattern: "x" } : { name: "x" },
      );
      deepEqual([reply.error, reply.message], [
        "io_failed",
        "The present folder is gone: cd to an existing one",
      ]);
    }
    equal((await client.close()).code, 0);
  },
);

async function listAll(dir: string, under = ""): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(join(dir, under))) {
    const path = join(under, name);
    found.push(path);
    if (isDirectory && name !== ".git") found.push(...await listAll(dir, path));
  }
  return found.sort();
}
