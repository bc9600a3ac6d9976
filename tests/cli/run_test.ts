/** The program from a shell: words, exit codes, streams. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { listCommands } from "../../src/cli/commands.ts";
import { FEATURES } from "../../src/features/features.ts";
import { VERSION } from "../../src/base/version.ts";
import { runCli } from "../../src/cli/run.ts";
import { createTerminal } from "../../src/cli/terminal.ts";
import type { CliResult } from "../support/server/cli.ts";
import { runProgram } from "../support/server/cli.ts";
import { runHosted } from "../support/server/hosted_cli.ts";
import { SOURCE_COMMAND } from "../support/server/mcp_client.ts";
import { testNeeding } from "../support/needs.ts";
import { createTempRepo } from "../support/temp_repo.ts";

const COMMANDS = listCommands(FEATURES);

/** As {@link runProgram} in this process: for lines that end before a command works. */
async function runHere(words: readonly string[], features = FEATURES): Promise<CliResult> {
  const said = { stdout: "", stderr: "" };
  const terminal = createTerminal({ noColour: true }, {
    out: (text) => Promise.resolve(void (said.stdout += text)),
    err: (text) => Promise.resolve(void (said.stderr += text)),
    readInput: () => Promise.resolve(""),
    readLine: () => Promise.resolve(null),
    isTerminal: false,
    isInteractive: false,
  });
  const code = await runCli(words, {
    terminal,
    features,
    signal: new AbortController().signal,
  });
  return { code, ...said };
}

Deno.test("--version prints the version, --help every command", async () => {
  const { stdout } = await runProgram(["--version"]);
  match(stdout, new RegExp(`^code-intel ${VERSION}\ncommit +(?:run from source|[0-9a-f]{40}.*)\n`));
  match(stdout, /^sqlite +\d+\.\d+\.\d+\nsqlite-vec +\d+\.\d+\.\d+\nruntime +deno /m);
  const help = await runProgram(["--help"]);
  equal(help.code, 0);
  for (const { name } of COMMANDS) match(help.stdout, new RegExp(`^  ${name} +\\S`, "m"));
  deepEqual(await runProgram(["help"]), help);
  deepEqual(await runHere(["help"]), help);
  deepEqual(await runHere(["serv"]), await runProgram(["serv"]));
});

Deno.test("serve --http says that a build without the feature has no server over HTTP", async () => {
  const { code, stdout, stderr } = await runHere(["serve", "--http"], []);
  deepEqual([code, stdout], [64, ""]);
  match(stderr, /cannot serve over HTTP\nLeave --http out/);
});

const FULL = {
  what: "a device that is always full (/dev/full)",
  // The runtime does not let a program with narrow permissions look at a device.
  hindrance: Deno.build.os === "linux" ? null : "there is none",
};

testNeeding(
  ["posix", FULL],
  "a full standard output was once called a bug of the program",
  async () => {
    for (const words of [["help"], ["serv", "--json"]]) {
      const [program, ...args] = SOURCE_COMMAND;
      const line = ["-c", 'exec "$@" > /dev/full', "sh", program, ...args, ...words];
      const { code, stderr } = await new Deno.Command("sh", { args: line }).output();
      const said = new TextDecoder().decode(stderr);
      // A failure that cannot be told as JSON is told in words.
      const [expected, text] = words[0] === "help"
        ? [2, /standard output: no space is left/]
        : [64, /Unknown command "serv"/];
      equal(code, expected, said);
      match(said, text);
    }
  },
);

Deno.test("a project that is no folder was once served in silence, or answered for another one", async () => {
  const file = await Deno.makeTempFile();
  const rows = [[file, /it is a file, not a folder/], [
    `${file}-absent`,
    /no such folder/,
  ]] as const;
  for (const [path, said] of rows) {
    for (const command of ["serve", "doctor", "snapshots"]) {
      const { code, stderr } = await runHere([command, "--project", path]);
      equal(code, 2, stderr);
      match(stderr, said);
    }
  }
  await Deno.remove(file);
});

Deno.test("no command at all is bad usage, with the list on standard error", async () => {
  const { code, stdout, stderr } = await runProgram([]);
  equal(code, 64);
  equal(stdout, "");
  match(stderr, /Commands:/);
});

Deno.test("every command has a help with usage, options and an example", async () => {
  for (const { name, load } of COMMANDS) {
    const command = await load();
    const { code, stdout } = await runHere([...name.split(" "), "--help"]);
    equal(code, 0, name);
    ok(stdout.includes(`Usage: code-intel ${name}`), name);
    ok(stdout.includes(`Example:\n  ${command.example}\n`), name);
    ok(command.example.startsWith(`code-intel ${name}`), name);
    for (const option of command.options) {
      ok(stdout.includes(`--${option.name}`) && option.summary !== "", `${name} ${option.name}`);
    }
  }
});

Deno.test("the first word of several commands has a help that lists them", async () => {
  for (const words of [["session", "--help"], ["help", "session"], ["session", "-h"]]) {
    const { code, stdout } = await runHere(words);
    equal(code, 0, words.join(" "));
    match(stdout, /Usage: code-intel session COMMAND[^]* {2}session park {5}Set the work aside/);
    equal(stdout.includes("  query"), false);
  }
});

Deno.test("an unknown command or option is bad usage with the nearest name", async () => {
  const rows: readonly (readonly [words: readonly string[], said: RegExp])[] = [
    [["serv"], /Unknown command "serv"\. Did you mean "serve"/],
    [["session", "strat"], /Unknown command "session strat"\. Did you mean .*"session start"/],
    [["session"], /There are session start, session submit|Did you mean/],
    [["files", "--jsn", "x"], /Unknown option "--jsn"\. Did you mean "--json"/],
    [["text"], /Too few arguments: give PATTERN/],
    [["help", "nothing-like-it"], /Unknown command/],
    [["parseFee"], /Unknown command "parseFee"\.[^]*`code-intel query "parseFee"`/],
  ];
  for (const [words, said] of rows) {
    const { code, stdout, stderr } = await runHere(words);
    equal(code, 64, words.join(" "));
    equal(stdout, "", words.join(" "));
    match(stderr, said);
  }
});

Deno.test("searching commands print stable lines, and 1 stands for nothing found", async () => {
  const { dir: cwd } = await createTempRepo({
    files: { "src/a.ts": "export function login() {}\nlogin();\n" },
  });
  const text = await runHosted(["text", "login"], { cwd });
  deepEqual(text.stdout.split("\n"), [
    "src/a.ts:1: export function login() {}",
    "src/a.ts:2: login();",
    "",
  ]);
  equal(text.code, 0);
  equal((await runHosted(["files", "*.ts"], { cwd })).stdout, "src/a.ts\n");
  match((await runHosted(["def", "login"], { cwd })).stdout, /^src\/a\.ts:1: function login/);
  match((await runHosted(["refs", "login"], { cwd })).stdout, /^src\/a\.ts:2: \[call\]/m);
  match((await runHosted(["symbols", "src/a.ts"], { cwd })).stdout, /login/);
  const nothing = await runHosted(["text", "no such words anywhere"], { cwd });
  equal(nothing.code, 1);
  equal(nothing.stdout, "(nothing found)\n");
});

Deno.test("--json prints one JSON document on one line", async () => {
  const { dir: cwd } = await createTempRepo({ files: { "src/a.ts": "login();\n" } });
  const { stdout } = await runHosted(["text", "login", "--json"], { cwd });
  equal(JSON.parse(stdout).total, 1);
  equal(stdout.indexOf("\n"), stdout.length - 1);
});

Deno.test("--project names the project from anywhere; a folder that is none is said so", async () => {
  const { dir: project } = await createTempRepo({ files: { "src/a.ts": "login();\n" } });
  const cwd = await Deno.makeTempDir();
  const found = await runHosted(["text", "login", "--project", project], { cwd });
  equal(found.stdout, "src/a.ts:1: login();\n");
  const { code, stderr } = await runHosted(["text", "x", "--project", "no-such-folder"], { cwd });
  equal(code, 2);
  match(stderr, /Cannot open the project/);
});

Deno.test("arguments that the tool refuses are bad usage, refusals of the project are 1", async () => {
  const { dir: cwd } = await createTempRepo({ files: {} });
  equal((await runHosted(["text", "x", "--max-results", "0"], { cwd })).code, 64);
  equal((await runHosted(["text", "x", "--path", "../.."], { cwd })).code, 1);
});

Deno.test("a reader that goes away is no failure", async () => {
  const { dir: cwd } = await createTempRepo({ files: { "big.txt": "login here\n".repeat(5000) } });
  const [program, ...args] = SOURCE_COMMAND;
  const child = new Deno.Command(program, {
    args: [...args, "text", "login", "--max-results", "1000"],
    cwd,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  await child.stdout.cancel();
  const stderr = await new Response(child.stderr).text();
  equal((await child.status).code, 0, stderr);
  equal(stderr, "");
});

Deno.test("doctor checks what is needed and fails only for what is broken", async () => {
  const { dir: cwd } = await createTempRepo({ files: {} });
  const whole = await runProgram(["doctor"], { cwd });
  equal(whole.code, 0, whole.stdout);
  for (const name of ["git", "rg", "Sessions"]) match(whole.stdout, new RegExp(name));
  await Deno.mkdir(`${cwd}/.code-intel`);
  await Deno.writeTextFile(`${cwd}/.code-intel/config.json`, '{ "source_dirs": 5 }');
  const broken = await runProgram(["doctor", "--json"], { cwd });
  equal(broken.code, 1);
  const { ok: isOk, checks } = JSON.parse(broken.stdout);
  equal(isOk, false);
  ok(
    checks.some((row: { status: string; detail: string }) =>
      row.status === "broken" && row.detail.includes("source_dirs")
    ),
  );
});

Deno.test("a state folder that cannot be written is a warning, and LC_ALL=C loses no letter of a name", async () => {
  const text = "export function zählen() {}\n";
  const { dir: cwd } = await createTempRepo({ files: { "日本/größe.ts": text, file: "" } });
  const env = { CODE_INTEL_STATE_DIR: `${cwd}/file/state`, LC_ALL: "C", LANG: "C" };
  const doctor = await runProgram(["doctor"], { cwd, env });
  equal(doctor.code, 0, doctor.stdout);
  match(
    doctor.stdout,
    /^warn +Seal key +Session files are not sealed: .*\n +Make the state folder/m,
  );
  const found = await runProgram(["text", "zählen"], { cwd, env });
  equal(found.stdout, `日本/größe.ts:1: ${text}`, found.stderr);
});

Deno.test("session accept refuses without a terminal", async () => {
  const { code, stderr } = await runProgram(["session", "accept"], {
    cwd: (await createTempRepo()).dir,
  });
  equal(code, 1);
  match(stderr, /Only a person at a terminal/);
});

Deno.test("clean shows what it would remove, removes it, and ends nothing unfinished unasked", async () => {
  const { dir: cwd, git } = await createTempRepo();
  const env = { CODE_INTEL_STATE_DIR: await Deno.makeTempDir() };
  const branch = "llm_task_session_20260101_000000_0001_from_main";
  await git("branch", branch);
  const planned = await runHosted(["clean", "--dry-run", "--json"], { cwd, env });
  deepEqual(JSON.parse(planned.stdout).would_remove.map(({ name }: { name: string }) => name), [
    branch,
  ]);
  match(await git("branch", "--list", "llm_task_*"), /llm_task_/);
  equal((await runHosted(["clean", "--all"], { cwd, env })).code, 1);
  equal((await runHosted(["clean"], { cwd, env })).code, 0);
  equal(await git("branch", "--list", "llm_task_*"), "");
});
