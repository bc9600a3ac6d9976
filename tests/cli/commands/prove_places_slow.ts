/** Proofs where work ends: after turns of an agent and in hooks of git, as clients and git run them. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { runProgram } from "../../support/server/cli.ts";
import { ROOT } from "../../tidy/source_files.ts";
import { runHosted } from "../../support/server/hosted_cli.ts";
import { ADD, ADD_TEST, createProofProject } from "../../support/proof_project.ts";

const CLIP = `${ADD}exports.clip = (text, size) => text.slice(0, size);\n`;
const CLIP_TEST = `${ADD_TEST}const { clip } = require("../src/add.js");
test("clips", () => assert.strictEqual(clip("abc", 2), "ab"));
`;
const BROKEN = ADD.replace("a + b", "a - b");

async function setUp({ context = "prove: { stop: on }\n", isTrusted = true } = {}) {
  const files = { ".code-intel/context.yml": context };
  const { cwd, env } = await createProofProject({ files, isTrusted });
  const write = async (files: Readonly<Record<string, string>>) => {
    for (const [path, text] of Object.entries(files)) {
      await Deno.writeTextFile(join(cwd, path), text);
    }
  };
  const send = (word: string, event: object, client: string) => ({
    words: ["hook", word, "--client", client],
    options: { cwd, env, stdin: JSON.stringify({ session_id: "c1", cwd, ...event }) },
  });
  /** The end of a turn; null for a silent hook. */
  const stop = async (event = {}, { client = "claude", run = runHosted, word = "stop" } = {}) => {
    const { words, options } = send(word, { stop_hook_active: false, ...event }, client);
    const { code, stdout, stderr } = await run(words, options);
    deepEqual([code, stderr], [0, ""]);
    return stdout === "" ? null : JSON.parse(stdout);
  };
  const cli = async (...words: readonly string[]) => await runHosted(words, { cwd, env });
  const git = async (...args: readonly string[]) => await gitIn({}, ...args);
  const gitIn = async (more: Readonly<Record<string, string>>, ...args: readonly string[]) => {
    const who = ["-c", "user.name=a", "-c", "user.email=a@b"];
    const command = new Deno.Command("git", {
      args: [...who, ...args],
      cwd,
      env: { ...env, ...more },
    });
    const { code, stderr, stdout } = await command.output();
    return { code, text: new TextDecoder().decode(stderr) + new TextDecoder().decode(stdout) };
  };
  return { cwd, env, write, stop, cli, git, gitIn };
}

Deno.test("after a turn the hook tells a proven change once, and says nothing of an unchanged tree", async () => {
  const { write, stop } = await setUp();
  equal(await stop(), null);
  await write({ "src/add.js": CLIP, "test/add.test.js": CLIP_TEST });
  equal(await stop({ background_tasks: [{ id: "b1" }] }), null);
  const told = await stop();
  deepEqual(Object.keys(told), ["systemMessage"]);
  match(told.systemMessage, /^code-intel prove: proven: 2 tests ran/);
  equal(await stop(), null);
});

Deno.test("after a turn the hook keeps the agent from ending with a broken change, in both clients' form", async () => {
  const { write, stop } = await setUp();
  await write({ "src/add.js": BROKEN });
  for (const client of ["claude", "codex"]) {
    const event = { session_id: client };
    const told = await stop(event, { client });
    deepEqual(Object.keys(told), ["decision", "reason"]);
    equal(told.decision, "block");
    match(told.reason, /broken: [^]*adds[^]*cannot prove because/);
    equal(await stop({ ...event, stop_hook_active: true }, { client }), null);
    equal(await stop(event, { client }), null);
  }
  await write({ "src/add.js": `${BROKEN}\n` });
  const told = await stop({
    last_assistant_message: "I cannot prove because add is specified so.",
  });
  match(told.systemMessage, /broken: cannot prove because add is specified so\.; broken: /);
});

Deno.test("the hook says nothing without the key, without trust, and of what was there before the agent", async () => {
  const off = await setUp({ context: "runs: off\n" });
  await off.write({ "src/add.js": BROKEN });
  equal(await off.stop(), null);
  const untrusted = await setUp({ isTrusted: false });
  await untrusted.write({ "src/add.js": BROKEN });
  equal(await untrusted.stop(), null);
  const later = await setUp();
  await later.write({ "src/add.js": BROKEN });
  ok(await later.stop({ source: "startup" }, { word: "session-start" }) !== null);
  equal(await later.stop(), null);
  await later.write({ "src/add.js": `${BROKEN}\n` });
  equal((await later.stop()).decision, "block");
});

/** A bundle of the tests has no configuration beside it, with which it could start itself again. */
const runSource: typeof runProgram = async (words, { cwd, env, stdin = "" } = {}) => {
  const source = ["--config", join(ROOT, "deno.json"), join(ROOT, "src/main.ts")];
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-q", "-P", ...source, ...words],
    ...{ stdin: "piped", stdout: "piped", stderr: "piped" },
    ...(cwd === undefined ? {} : { cwd }),
    ...(env === undefined ? {} : { env }),
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(stdin));
  await writer.close();
  const { code, stdout, stderr } = await child.output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  return { code, stdout: out ?? "", stderr: err ?? "" };
};

Deno.test("what the time cut off runs on by itself and is told after the next turn", async () => {
  const { write, stop } = await setUp({ context: "prove:\n  stop: on\n  seconds: 1\n" });
  const slow = CLIP_TEST.replace("() => assert", "async () => assert") +
    'test("waits", async () => {\n  await new Promise((done) => setTimeout(done, 1500));\n' +
    '  assert.strictEqual(clip("abc", 1), "a");\n});\n';
  await write({ "src/add.js": CLIP, "test/add.test.js": slow });
  const first = await stop({}, { run: runSource });
  match(first.systemMessage, /the rest runs on and is told after the next turn/);
  let told = null;
  for (let tries = 0; told === null && tries < 120; tries++) {
    await new Promise((done) => setTimeout(done, 500));
    told = await stop();
  }
  match(told.systemMessage, /^code-intel prove: proven: /);
  equal(await stop(), null);
});

Deno.test("init --prove stop switches the key on, and a key that a person wrote is left alone", async () => {
  const { cwd, cli } = await setUp({ context: "interventions: { enabled: true }" });
  const context = () => Deno.readTextFile(join(cwd, ".code-intel/context.yml"));
  const done = await cli("init", "--client", "claude", "--prove", "stop");
  match(done.stdout, /edited +\.code-intel\/context\.yml/, done.stderr);
  match(await context(), /^interventions: .*\n\n#[^]*\nprove: \{ stop: on, seconds: 60 \}\n$/);
  const once = await context();
  await cli("init", "--client", "claude", "--prove", "stop");
  equal(await context(), once);
  await Deno.writeTextFile(join(cwd, ".code-intel/context.yml"), "prove:\n  seconds: 5\n");
  const kept = await cli("init", "--client", "claude", "--prove", "stop");
  match(kept.stdout, /kept +\.code-intel\/context\.yml\n.*set stop: on/);
});

Deno.test("init writes context.yml with the key on, and uninstall removes it as its own", async () => {
  const { cwd, cli } = await setUp();
  const path = join(cwd, ".code-intel/context.yml");
  await Deno.remove(path);
  await cli("init", "--client", "claude", "--prove", "stop");
  match(await Deno.readTextFile(path), /^prove: \{ stop: on, seconds: 60 \}$/m);
  await cli("uninstall");
  equal(await Deno.stat(path).then(() => true, () => false), false);
});

/** Whole runs of the tests start a bundle, beside which no configuration lies: the hook starts the source instead. */
async function startSource(hook: string): Promise<void> {
  const text = await Deno.readTextFile(hook);
  const source = text.replaceAll(/\/dist\/deno\.json/g, "/deno.json")
    .replaceAll(/\/dist\/tested-[^/]+\/main\.js/g, "/src/main.ts");
  await Deno.writeTextFile(hook, source);
}

Deno.test("a pre-push hook refuses what is broken and lets the rest through; uninstall takes it out", async () => {
  const { cwd, env, write, cli, git } = await setUp();
  const remote = await Deno.makeTempDir();
  equal((await git("init", "-q", "--bare", remote)).code, 0);
  await git("remote", "add", "origin", remote);
  await git("push", "-q", "origin", "HEAD:main");
  const path = join(cwd, ".git/hooks/pre-push");
  await Deno.mkdir(join(cwd, ".git/hooks"), { recursive: true });
  await Deno.writeTextFile(path, "#!/bin/sh\necho theirs >&2", { mode: 0o755 });
  const words = ["init", "--client", "claude", "--prove", "pre-push"];
  const { stdout } = await runProgram(words, { cwd, env });
  match(stdout, /edited +\.git\/hooks\/pre-push/);
  await startSource(path);
  await write({ "src/add.js": BROKEN });
  await git("commit", "-qam", "Break");
  const refused = await git("push", "-q", "origin", "HEAD:main");
  match(refused.text, /theirs[^]*broken: /);
  equal(refused.code, 1);
  await write({ "src/add.js": ADD });
  await git("commit", "-qam", "Mend");
  const passed = await git("push", "-q", "origin", "HEAD:main");
  equal(passed.code, 0, passed.text);
  // What is pushed counts, whatever is checked out.
  await git("checkout", "-q", "-b", "bad");
  await write({ "src/add.js": BROKEN });
  await git("commit", "-qam", "Break again");
  await git("checkout", "-q", "-");
  const other = await git("push", "-q", "origin", "bad");
  match(other.text, /broken: /);
  equal(other.code, 1);
  equal(
    (await git("push", "-q", "origin", ":main")).code,
    0,
    "nothing is proven of what is deleted",
  );
  // What could not be looked at is no `unknown`.
  await write({
    ".code-intel/config.json": JSON.stringify({ verify: [{ name: "x", run: ["new"] }] }),
  });
  await git("commit", "-qam", "Other commands");
  const untrusted = await git("push", "-q", "origin", "HEAD:main");
  match(untrusted.text, /verify_untrusted/);
  equal(untrusted.code, 1);
  match((await cli("uninstall")).stdout, /cleaned +.*pre-push/);
  equal(await Deno.readTextFile(path), "#!/bin/sh\necho theirs >&2");
});

Deno.test("a hook that somebody else's program writes, or that ends early, is left alone", async () => {
  const { cwd, cli, git } = await setUp();
  const add = async (place: string) =>
    (await cli("init", "--client", "claude", "--prove", place)).stdout;
  const path = join(cwd, ".git/hooks/post-commit");
  await Deno.mkdir(join(cwd, ".git/hooks"), { recursive: true });
  for (const text of ["#!/bin/sh\nexec other\n", "#!/usr/bin/env python3\n", "no shebang\n"]) {
    await Deno.writeTextFile(path, text, { mode: 0o755 });
    match(await add("post-commit"), /kept +\.git\/hooks\/post-commit\n.*Somebody wrote it/);
    equal(await Deno.readTextFile(path), text);
  }
  await git("config", "core.hooksPath", ".githooks");
  match(await add("post-commit"), /kept +post-commit\n +core\.hooksPath names \.githooks/);
  const managers = [[".pre-commit-config.yaml", /pre-commit runs the hooks/], [
    "lefthook.yml",
    /Lefthook/,
  ], [".husky", /Husky/]] as const;
  for (const [name, said] of managers) {
    await Deno.writeTextFile(join(cwd, name), "");
    match(await add("pre-push"), said);
  }
});

Deno.test("a post-commit hook says the verdict of the commit in one line and never refuses", async () => {
  const { cwd, env, write, git, gitIn } = await setUp();
  await runProgram(["init", "--client", "claude", "--prove", "post-commit"], { cwd, env });
  await startSource(join(cwd, ".git/hooks/post-commit"));
  await write({ "src/add.js": CLIP, "test/add.test.js": CLIP_TEST });
  const { code, text } = await git("commit", "-qam", "Clip");
  equal(code, 0);
  match(text, /^proven: .*\n$/);
  const of = { CODE_INTEL_COMMIT: "1" };
  const own = await gitIn(of, "commit", "-q", "--allow-empty", "-m", "Of a session");
  deepEqual([own.code, own.text], [0, ""]);
});
