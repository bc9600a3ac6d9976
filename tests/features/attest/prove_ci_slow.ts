/** A job trusts what a developer proved: two clones with a remote between them, keys of SSH, and commands that count their runs. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { SILENT_LOGGER } from "../../../src/base/logger.ts";
import { createServices } from "../../../src/services/services.ts";
import { runHosted } from "../../support/server/hosted_cli.ts";
import { createTempRepo } from "../../support/temp_repo.ts";
import { testNeeding } from "../../support/needs.ts";

const ADD = "exports.add = (a, b) => a + b;\n";
const ADD_TEST = `const { test } = require("node:test");
const assert = require("node:assert");
const { add } = require("../src/add.js");
test("adds", () => assert.strictEqual(add(1, 2), 3));
`;
const CLIP = `${ADD}exports.clip = (text, size) => text.slice(0, size);\n`;
const CLIP_TEST = `${ADD_TEST}const { clip } = require("../src/add.js");
test("clips", () => assert.strictEqual(clip("abc", 2), "ab"));
`;
const NOTES = "refs/notes/code-intel";

async function setUp() {
  const folder = await Deno.makeTempDir();
  const runs = join(folder, "runs.txt");
  const keys = new Map<string, string>();
  for (const name of ["anna", "eve"]) {
    const path = join(folder, name);
    const args = ["-q", "-t", "ed25519", "-N", "", "-C", "", "-f", path];
    await new Deno.Command("ssh-keygen", { args }).output();
    keys.set(name, `${name}@example.org ${await Deno.readTextFile(`${path}.pub`)}`);
  }
  const verify = [
    { name: "test", run: ["node", "--test", "test/"] },
    { name: "style", run: ["sh", "style.sh"] },
  ];
  const { dir: dev, git } = await createTempRepo({
    files: {
      "src/add.js": ADD,
      "test/add.test.js": ADD_TEST,
      "style.sh": `echo run >> ${runs}\n`,
      ".code-intel/config.json": JSON.stringify({ verify }),
      ".code-intel/allowed_signers": `${keys.get("anna")}`,
    },
  });
  const remote = join(folder, "remote.git");
  await git("clone", "-q", "--bare", dev, remote);
  await git("remote", "add", "origin", remote);
  await git("fetch", "-q", "origin");
  await git("config", "gpg.format", "ssh");
  const stateDir = join(folder, "state");
  const env = { CODE_INTEL_STATE_DIR: stateDir, NO_COLOR: "1" };
  const trust = async () => {
    const get = (name: string) => (env as Readonly<Record<string, string>>)[name];
    const options = { projectDir: dev, logger: SILENT_LOGGER, offered: [], get };
    const { verification } = await createServices(options);
    await verification.trustCommands(await verification.loadCommands(), "terminal");
  };
  await trust();
  const useKey = (name: string) => git("config", "user.signingKey", join(folder, name));
  await useKey("anna");
  const commit = async (files: Readonly<Record<string, string>>) => {
    for (const [path, text] of Object.entries(files)) {
      await Deno.writeTextFile(join(dev, path), text);
    }
    await git("add", "-A");
    await git("commit", "-q", "-m", "A change");
  };
  const prove = async (...words: readonly string[]) =>
    await runHosted(["prove", ...words], { cwd: dev, env });
  const push = () =>
    git("push", "-q", "-f", "origin", "HEAD:refs/heads/work", `+${NOTES}:${NOTES}`);
  const countRuns = async () => (await Deno.readTextFile(runs)).split("\n").length - 1;
  /** A job: a new clone on a machine where nobody allowed anything; how often the command ran there. */
  const job = async (allowed: readonly string[] = ["all"], ...more: readonly string[]) => {
    const cwd = await Deno.realPath(await Deno.makeTempDir());
    await git("clone", "-q", "--branch", "work", remote, cwd);
    const fetch = ["-C", cwd, "fetch", "-q", "origin", `${NOTES}:${NOTES}`];
    await new Deno.Command("git", { args: fetch }).output();
    const own = { ...env, CODE_INTEL_STATE_DIR: await Deno.makeTempDir() };
    const before = await countRuns();
    const words = allowed.flatMap((one) => ["--allow-commands", one]);
    const all = ["prove", "--ci", "origin/main...HEAD", "--json", ...words, ...more];
    const { code, stdout } = await runHosted(all, { cwd, env: own });
    return { code, reply: JSON.parse(stdout), ran: await countRuns() - before };
  };
  return { dev, git, keys, trust, useKey, commit, prove, push, job };
}

testNeeding(
  ["ssh_keygen"],
  "a job runs nothing that a signed statement covers, and says what it saved",
  async () => {
    const { git, commit, prove, push, job, trust } = await setUp();
    await commit({ "src/add.js": CLIP, "test/add.test.js": CLIP_TEST });
    const noted = await prove("origin/main...HEAD", "--note");
    match(
      noted.stdout,
      /^proven: .*\n[^]*\nsigned note for .*node \d+\.\d+: proven; others get it/,
    );
    await push();
    const { code, reply, ran } = await job();
    deepEqual([code, reply.verdict, ran], [0, "proven", 0], JSON.stringify(reply));
    deepEqual(reply.saved.commands, ["test", "style"]);
    ok(reply.saved.seconds > 0 && reply.saved.signer === "anna@example.org");
    // Before anything is installed a job asks whether it has to be.
    equal((await job(["all"], "--within", "0")).code, 0);
    // Nobody allowed the commands of this clone, whatever a note says of them.
    const refused = await job([]);
    deepEqual([refused.code, refused.reply.error], [64, "verify_untrusted"]);
    const hash = /--allow-commands ([0-9a-f]{64})/.exec(JSON.stringify(refused.reply))?.[1] ?? "";
    equal((await job([hash.slice(0, 12)])).code, 0);
    equal((await job([hash.slice(0, 11)])).code, 64);
    // The same tree in another commit is covered too.
    await git("commit", "-q", "--amend", "-m", "Other words");
    await push();
    equal((await job()).ran, 0);
    // A commit behind it is another tree: everything runs.
    await commit({ "src/add.js": CLIP.replace("slice(0, size)", "slice(0, size).trimEnd()") });
    await push();
    equal((await job(["all"], "--within", "0")).code, 3);
    const later = await job();
    deepEqual([later.ran > 0, later.reply.saved.commands], [true, []]);
    deepEqual(later.reply.saved.refused, ["no note is beside this tree"]);
    // A proof of the last commit alone covers its commands, and the rest of the range is looked at here.
    await prove("--commit", "HEAD", "--note");
    await push();
    const partly = await job();
    ok(partly.ran < later.ran, `${partly.ran} of ${later.ran}`);
    deepEqual(partly.reply.saved.commands, ["test", "style"]);
    equal(partly.reply.verdict, "proven", JSON.stringify(partly.reply));
    // Other commands: the statement is of those before.
    const verify = [{ name: "test", run: ["node", "--test"] }, {
      name: "style",
      run: ["sh", "style.sh"],
    }];
    await commit({ ".code-intel/config.json": JSON.stringify({ verify }) });
    await trust();
    await push();
    ok((await job()).ran > 0);
  },
);

testNeeding(
  ["ssh_keygen"],
  "a statement of a key that only the change allows, or that was copied from proven work, covers nothing",
  async () => {
    const { git, keys, useKey, commit, prove, push, job } = await setUp();
    await useKey("eve");
    await commit({
      ...{ "src/add.js": CLIP, "test/add.test.js": CLIP_TEST },
      ".code-intel/allowed_signers": `${keys.get("anna")}${keys.get("eve")}`,
    });
    match((await prove("origin/main...HEAD", "--note")).stdout, /^proven: [^]*\nsigned note/);
    await push();
    const { ran, reply } = await job();
    ok(ran > 0);
    deepEqual(reply.saved.refused, ["its key is not among the allowed signers of the base"]);
    deepEqual(reply.saved.commands, []);
    await useKey("anna");
    await prove("origin/main...HEAD", "--note", "--anew");
    const note = await git(
      "notes",
      "--ref=code-intel",
      "list",
      await git("rev-parse", "HEAD^{tree}"),
    );
    await commit({ "src/add.js": CLIP.replace("a + b", "a - b") });
    const tree = await git("rev-parse", "HEAD^{tree}");
    await git("notes", "--ref=code-intel", "add", "-f", "-C", note, tree);
    await push();
    const copied = await job();
    deepEqual([copied.code, copied.reply.verdict], [2, "broken"]);
    ok(copied.reply.saved.refused.includes("it is about another tree"));
  },
);

testNeeding(
  ["ssh_keygen"],
  "a note and a job are refused where they would mean nothing",
  async () => {
    const { commit, prove } = await setUp();
    const early = await prove("--note");
    equal(early.code, 64);
    match(early.stderr, /Only a commit is stated/);
    await commit({ "src/add.js": CLIP });
    const whole = await prove("--ci", "--commit", "HEAD");
    equal(whole.code, 64);
    match(whole.stderr, /--ci needs a range/);
  },
);
