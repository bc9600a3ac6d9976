/** `init` and `uninstall` from a shell: words, output, exit codes. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { listSourceWords } from "../../src/cli/commands/init.ts";
import { runProgram } from "../support/server/cli.ts";
import { PLACED_COMMAND } from "../support/server/mcp_client.ts";

Deno.test("init shows, sets up, changes nothing again, and uninstall takes it out", async () => {
  const { cwd, env, home } = await makeFolder();
  const run = (...words: string[]) => runProgram(words, { cwd, env });
  await Deno.writeTextFile(join(cwd, "CLAUDE.md"), "# Rules");
  const shown = await run("init", ".", "--dry-run", "--json");
  const plan = JSON.parse(shown.stdout);
  deepEqual([shown.code, plan.ok, plan.dry_run, plan.clients], [0, true, true, ["claude"]]);
  deepEqual(await listNames(cwd), ["CLAUDE.md"]);
  const minimal = await run("init", ".", "--minimal", "--dry-run", "--json");
  deepEqual(minimal, await run("try", ".", "--dry-run", "--json"));
  const both = await run("init", ".", "--minimal", "--include", "src");
  deepEqual([both.code, both.stdout], [64, ""]);
  match(both.stderr, /--minimal writes no settings of the project, so it cannot take --include\n/);
  const done = await run("init", ".");
  equal(done.code, 0, done.stderr);
  match(done.stdout, /^created {4}\.code-intel\/config\.json$/m);
  match(done.stdout, /^edited {5}CLAUDE\.md$/m);
  match(done.stdout, /type \/code and a request/);
  match((await run("init", ".")).stdout, /^unchanged {2}\d+ files$/m);
  const claude = JSON.parse(await Deno.readTextFile(join(home, ".claude.json")));
  const entry = claude.projects[await Deno.realPath(cwd)].mcpServers["code-intel"];
  equal(entry.args.at(-1), "serve");
  const doctor = await run("doctor");
  equal(doctor.code, 0, doctor.stdout);
  match(doctor.stdout, /Set-up +\d+ files are set up/);
  await Deno.remove(join(home, ".claude.json"));
  match(
    (await run("doctor")).stdout,
    /Missing, or without the entry that init wrote: ~\/\.claude\.json/,
  );
  equal((await run("init", ".")).code, 0);
  const gone = await run("uninstall", ".");
  equal(gone.code, 0, gone.stderr);
  match(gone.stdout, /^cleaned {2}CLAUDE\.md$/m);
  deepEqual(await listNames(cwd), ["CLAUDE.md"]);
  equal(await Deno.readTextFile(join(cwd, "CLAUDE.md")), "# Rules");
  deepEqual(await listNames(home), [".local"], "the state folder is of the program, not of init");
  const nothing = await run("uninstall", ".");
  equal(nothing.code, 1);
  match(nothing.stderr, /was not set up/);
});

Deno.test("try enters the server for this machine alone, shows nothing to git, answers, and is taken out whole", async () => {
  const { cwd, env, home } = await makeFolder();
  const run = (...words: string[]) => runProgram(words, { cwd, env });
  const git = async (...args: string[]) => {
    const { stdout } = await new Deno.Command("git", { args, cwd, env }).output();
    return new TextDecoder().decode(stdout);
  };
  await git("init", "-q");
  await Deno.mkdir(join(home, ".codex"));
  await Deno.writeTextFile(join(home, ".codex/config.toml"), "model = 'x'\n");
  await Deno.writeTextFile(join(cwd, "a.ts"), "export function login() {}\n");
  const before = await git("status", "--porcelain", "--ignored");
  const shown = JSON.parse((await run("try", "--client", "all", "--dry-run", "--json")).stdout);
  deepEqual(shown.files.map(({ path, action }: Record<string, string>) => [path, action]), [
    [".code-intel/.gitignore", "create"],
    ["~/.claude.json", "create"],
    [".claude/settings.local.json", "create"],
    [".claude/.gitignore", "create"],
    ["~/.codex/config.toml", "edit"],
  ]);
  const permitted = shown.files.filter(({ reason = "" }) => /without asking/.test(reason));
  deepEqual(permitted.map(({ path }: Record<string, string>) => path), [
    ".claude/settings.local.json",
    "~/.codex/config.toml",
  ]);
  const done = await run("try", "--client", "all");
  equal(done.code, 0, done.stderr);
  match(
    done.stdout,
    /ask about the code.*\n.*ask about the code.*\n.*init --prove stop\.\nNothing has to be committed/,
  );
  equal(await git("status", "--porcelain"), "?? a.ts\n");
  const claude = JSON.parse(await Deno.readTextFile(join(home, ".claude.json")));
  const entry = claude.projects[await Deno.realPath(cwd)].mcpServers["code-intel"];
  ok(entry.command.startsWith("/") || entry.command === "npx", entry.command);
  match(
    await Deno.readTextFile(join(home, ".codex/config.toml")),
    /^model = 'x'\n[^]*\[mcp_servers\.code-intel\]/,
  );
  match((await run("def", "login")).stdout, /^a\.ts:1: function login/);
  match((await run("doctor")).stdout, /Set-up +5 files are set up/);
  match((await run("doctor")).stdout, /No hooks are set up/);
  match((await run("try", "--client", "all")).stdout, /^unchanged {2}5 files$/m);
  const gone = await run("uninstall", "--purge");
  equal(gone.code, 0, gone.stderr);
  equal(await Deno.readTextFile(join(home, ".codex/config.toml")), "model = 'x'\n");
  deepEqual((await listNames(home)).toSorted(), [".codex", ".local"]);
  equal(await git("status", "--porcelain", "--ignored"), before);
});

Deno.test("init says what it refuses, and does not change the rules of a running session", async () => {
  const { cwd, env } = await makeFolder();
  const run = (...words: string[]) => runProgram(words, { cwd, env });
  await Deno.writeTextFile(join(cwd, "AGENTS.md"), "<!-- code-intel:end -->\n");
  const refused = await run("init", "--client", "codex");
  equal(refused.code, 1);
  match(refused.stdout, /^REFUSED {4}AGENTS\.md: .*pair up\n {11}Mend AGENTS\.md/m);
  match(refused.stdout, /^created {4}\.agents\/skills\/code\/SKILL\.md$/m);
  await Deno.writeTextFile(
    join(cwd, ".code-intel/sessions/session_20260101_000000_0001.json"),
    '{ "state": { "status": "active" } }',
  );
  for (const words of [["init"], ["uninstall"], ["uninstall", "--purge"]]) {
    const { code, stderr } = await run(...words);
    equal(code, 1, words.join(" "));
    match(stderr, /session_20260101_000000_0001 (?:is active|\(active\))/);
  }
  ok((await Deno.stat(join(cwd, ".code-intel/manifest.json"))).isFile);
});

Deno.test("init once told the person to allow a server that it had not entered, and doctor said ok", async () => {
  const { cwd, env, home } = await makeFolder();
  const run = (...words: string[]) => runProgram(words, { cwd, env });
  const file = join(home, ".claude.json");
  await Deno.writeTextFile(file, "{ broken");
  const refused = await run("init", "--client", "claude");
  equal(refused.code, 1);
  match(refused.stdout, /^REFUSED {4}~\/\.claude\.json/m);
  match(refused.stdout, /^Claude Code does not know the server code-intel yet: mend the file/m);
  ok(!/allow the server/.test(refused.stdout), refused.stdout);
  const doctor = await run("doctor");
  match(
    doctor.stdout,
    /warn +Set-up +Claude Code does not know the server: no entry in \.mcp\.json/,
  );
  await Deno.writeTextFile(file, "{}");
  match((await run("init", "--client", "claude")).stdout, /allow the server/);
  ok(!/does not know the server/.test((await run("doctor")).stdout));
});

Deno.test("init answers bad words with 64 and a folder that is none with 2", async () => {
  const { cwd, env } = await makeFolder();
  equal((await runProgram(["init", "--client", "vim"], { cwd, env })).code, 64);
  equal((await runProgram(["init", "--sync-ttl", "x"], { cwd, env })).code, 64);
  const none = await runProgram(["init", "no-such-folder"], { cwd, env });
  equal(none.code, 2);
  match(none.stderr, /no such folder/);
});

Deno.test("init --print-config prints entries that start without the PATH of npx, and writes nothing", async () => {
  const { cwd, env } = await makeFolder();
  const print = (...words: string[]) =>
    runProgram(["init", "--print-config", ...words], { cwd, env, command: PLACED_COMMAND });
  const { stdout, code } = await print();
  equal(code, 0);
  const { claude, codex } = JSON.parse((await print("--json")).stdout);
  const { command, args } = claude.mcpServers["code-intel"];
  ok(stdout.includes(`"command": ${JSON.stringify(command)}`), stdout);
  ok(stdout.includes(`[mcp_servers.code-intel]\ncommand = ${JSON.stringify(command)}`), stdout);
  ok(stdout.includes(codex), stdout);
  const [one, other] = [
    JSON.parse((await print("--json", "--client", "cursor")).stdout),
    await print("--client", "codex"),
  ];
  deepEqual(Object.keys(one), ["ok", "cursor"]);
  match(other.stdout, /^Codex \(/);
  equal(/Claude Code|Cursor/.test(other.stdout), false);
  const refused = await runProgram(["init", "--client", "cursor"], { cwd, env });
  match(refused.stderr, /init writes no files of cursor[^]*init --print-config --client cursor/);
  deepEqual([command, ...args].filter((word) => /[\\/]_npx[\\/]/.test(word)), []);
  match(command, /^(?:\/.+|npx)$/);
  equal(args.at(-1), "serve");
  // A client is started from elsewhere: the folders that npx puts on PATH for its own run are not on it.
  const PATH = (Deno.env.get("PATH") ?? "").split(":").filter((folder) =>
    !folder.includes("node_modules")
  ).join(":");
  const { success, stdout: said, stderr } = await new Deno.Command(command, {
    args: [...args.slice(0, -1), "--version"],
    cwd,
    env: { PATH },
  }).output();
  ok(success, new TextDecoder().decode(stderr));
  match(new TextDecoder().decode(said), /^code-intel \d/);
  deepEqual(await listNames(cwd), []);
});

Deno.test("listSourceWords() does not rely on a runtime in the cache of npx", () => {
  deepEqual(listSourceWords("/usr/bin/deno", "/x/src/main.ts"), [
    "/usr/bin/deno",
    "run",
    "-q",
    "--config",
    "/x/deno.json",
    "-P",
    "/x/src/main.ts",
  ]);
  deepEqual(
    listSourceWords("/root/.npm/_npx/1f/node_modules/deno/deno", "/x/src/main.ts").slice(0, 3),
    [
      "npx",
      "-y",
      `deno@${Deno.version.deno}`,
    ],
  );
});

async function makeFolder() {
  const cwd = await Deno.makeTempDir({ prefix: "code-intel-cli-" });
  const home = await Deno.makeTempDir({ prefix: "code-intel-home-" });
  const cache = Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`;
  return { cwd, home, env: { HOME: home, DENO_DIR: cache } };
}

async function listNames(folder: string): Promise<readonly string[]> {
  return (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
}
