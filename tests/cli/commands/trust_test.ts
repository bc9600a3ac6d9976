/** A person allows verification commands at a real terminal; programs cannot. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { runOnTerminal } from "../../support/server/cli.ts";
import { runHosted } from "../../support/server/hosted_cli.ts";
import { createTempRepo } from "../../support/temp_repo.ts";
import { testNeeding } from "../../support/needs.ts";

const HIDDEN = "echo ok\u001b[2K\u202e; touch stolen";

async function setUp() {
  const temp = await createTempRepo({
    files: {
      ".code-intel/config.json": JSON.stringify({
        verify: [{ name: "test", run: ["npm", "run", "unit test"], writes: ["cover/**"] }],
        enforcement: "warn",
      }),
      "package.json": JSON.stringify({ scripts: { "unit test": HIDDEN } }),
    },
  });
  const env = { CODE_INTEL_STATE_DIR: await Deno.makeTempDir(), NO_COLOR: "1" };
  const cwd = temp.dir;
  const list = async () => {
    const { stdout } = await runHosted(["trust", "--list", "--json"], { cwd, env });
    return JSON.parse(stdout);
  };
  return { temp, cwd, env, list };
}

Deno.test("trust refuses without a terminal and changes nothing", async () => {
  const { cwd, env, list } = await setUp();
  for (const words of [["trust"], ["trust", "--revoke"], ["trust", "--mode", "off"]]) {
    const { code, stderr } = await runHosted(words, { cwd, env, stdin: "y\n" });
    equal(code, 1);
    match(stderr, /Only a person at a terminal/);
  }
  const { trusted, entries, modes } = await list();
  deepEqual([trusted, entries, modes], [false, [], []]);
});

testNeeding(
  ["terminal"],
  "trust shows commands and the texts behind them, and only yes of a person allows them",
  async () => {
    const { temp, cwd, env, list } = await setUp();
    const declined = await runOnTerminal(["trust"], { cwd, env, typed: "n\n" });
    match(declined, /test: npm run "unit test"/);
    match(declined, /may write cover\/\*\*/);
    match(declined, /package\.json, unit test:/);
    match(declined, /were not allowed/);
    equal((await list()).trusted, false);
    const accepted = await runOnTerminal(["trust"], { cwd, env, typed: "y\nn\n" });
    match(accepted, /Try them now, up to/);
    match(accepted, /trusted: true/);
    const { trusted, entries } = await list();
    deepEqual([trusted, entries.length, entries[0].by], [true, 1, "terminal"]);
    match(await runOnTerminal(["trust"], { cwd, env }), /allowed already/);
    await temp.write({ "package.json": '{"scripts": {"unit test": "true"}}' });
    equal((await list()).trusted, false, "the text behind the command was changed");
    await temp.write({ "package.json": JSON.stringify({ scripts: { "unit test": HIDDEN } }) });
    equal((await list()).trusted, true);
    match(await runOnTerminal(["trust", "--revoke"], { cwd, env }), /revoked: 1/);
    equal((await list()).trusted, false);
  },
);

testNeeding(
  ["terminal"],
  "trust shows texts that would guide agents, and only yes of a person allows them",
  async () => {
    const { temp, cwd, env, list } = await setUp();
    await temp.write({
      ".code-intel/config.json": "{}",
      ".code-intel/phase_contract.yml": "phases:\n  MERGE:\n    instruction: Go on.\n",
      ".code-intel/context.yml": "project_rules:\n  summary: DO test\n",
    });
    const declined = await runOnTerminal(["trust"], { cwd, env, typed: "n\n" });
    match(declined, /phase_contract\.yml:\s+phases:/);
    match(declined, /context\.yml, project_rules\.summary:\s+DO test/);
    match(declined, /were not allowed/);
    equal((await list()).texts_not_allowed.length, 2);
    await runOnTerminal(["trust"], { cwd, env, typed: "y\n" });
    const { texts, texts_not_allowed: left } = await list();
    deepEqual([texts.length, texts[0].by, left], [2, "terminal", []]);
  },
);

testNeeding(
  ["terminal"],
  "trust shows signs that would hide a part of a script from the person",
  async () => {
    const { cwd, env } = await setUp();
    const shown = await runOnTerminal(["trust"], { cwd, env, typed: "n\n" });
    match(shown, /echo ok\\u\{1b\}\[2K\\u\{202e\}; touch stolen/);
    equal(shown.includes("\u001b[2K") || shown.includes("\u202e"), false);
  },
);

testNeeding(["terminal"], "trust --mode confirms the mode that config.json names", async () => {
  const { cwd, env, list } = await setUp();
  const words = ["trust", "--mode", "warn"];
  match(await runOnTerminal(words, { cwd, env, typed: "n\n" }), /was not confirmed/);
  deepEqual((await list()).modes, []);
  match(await runOnTerminal(words, { cwd, env, typed: "y\n" }), /holds: warn/);
  equal((await list()).modes[0].mode, "warn");
  const off = await runOnTerminal(["trust", "--mode", "off"], { cwd, env, typed: "y\n" });
  match(off, /Set "enforcement": "off" in/);
  match(off, /holds: strict/);
});

testNeeding(
  ["terminal"],
  "trust offers the commands that the project shows, where nobody set it up, and lists those of this repository",
  async () => {
    const { cwd, env, list } = await setUp();
    await runOnTerminal(["trust"], { cwd, env, typed: "y\nn\n" });
    equal((await list()).entries.length, 1);
    const { dir } = await createTempRepo({
      files: {
        "package.json": JSON.stringify({ scripts: { test: "node --test" } }),
        "package-lock.json": "{}",
      },
    });
    const words = ["trust", "--list", "--json"];
    const before = JSON.parse((await runHosted(words, { cwd: dir, env })).stdout);
    deepEqual([before.trusted, before.commands, before.entries], [false, 1, []]);
    const said = await runOnTerminal(["trust"], { cwd: dir, env, typed: "y\nn\n" });
    match(said, /test: npm (?:run )?test/);
    match(said, /trusted: true/);
    const after = JSON.parse((await runHosted(words, { cwd: dir, env })).stdout);
    deepEqual([after.trusted, after.entries.length], [true, 1]);
    const proven = await runHosted(["prove", "--json"], { cwd: dir, env });
    equal(JSON.parse(proven.stdout).line, "unknown: nothing changed");
  },
);
