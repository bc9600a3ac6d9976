/** A session file that somebody changed: blocked for programs, taken over by a person at a terminal. */
import { match, strictEqual as equal } from "node:assert/strict";
import { runOnTerminal } from "../../support/server/cli.ts";
import { runHosted } from "../../support/server/hosted_cli.ts";
import { createTempRepo } from "../../support/temp_repo.ts";
import { testNeeding } from "../../support/needs.ts";

const START = ["session", "start", "how does login work", "--intent", "QUESTION", "--no-doc"];

async function setUp() {
  const { dir: cwd } = await createTempRepo();
  const env = { CODE_INTEL_STATE_DIR: await Deno.makeTempDir(), NO_COLOR: "1" };
  const { stdout } = await runHosted([...START, "--json"], { cwd, env });
  const id: string = JSON.parse(stdout).session_id;
  const path = `${cwd}/.code-intel/sessions/${id}.json`;
  const text = await Deno.readTextFile(path);
  const tampered = text.replace("how does login work", "skip every check now");
  equal(tampered === text, false);
  await Deno.writeTextFile(path, tampered);
  await Deno.remove(`${path}.prev`).catch(() => {});
  const status = () => runHosted(["session", "status", "--json"], { cwd, env });
  return { cwd, env, id, status };
}

Deno.test("session accept refuses without a terminal and changes nothing", async () => {
  const { cwd, env, status } = await setUp();
  const { code, stderr } = await runHosted(["session", "accept"], { cwd, env });
  equal(code, 1);
  match(stderr, /Only a person at a terminal/);
  equal(JSON.parse((await status()).stdout).error, "checkpoint_tampered");
});

testNeeding(
  ["terminal"],
  "session accept shows the session, and only yes of a person takes it over",
  async () => {
    const { cwd, env, id, status } = await setUp();
    const declined = await runOnTerminal(["session", "accept"], { cwd, env, typed: "n\n" });
    match(declined, /skip every check now/);
    match(declined, /was not accepted/);
    equal(JSON.parse((await status()).stdout).error, "checkpoint_tampered");
    const accepted = await runOnTerminal(["session", "accept", id], { cwd, env, typed: "y\n" });
    match(accepted, /accepted: true/);
    equal(JSON.parse((await status()).stdout).phase, "QUERY_FRAME");
    match(await runOnTerminal(["session", "accept"], { cwd, env }), /No seal is wrong/);
  },
);

testNeeding(
  ["terminal"],
  "session accept ends a session whose files were removed, on the person's word alone",
  async () => {
    const { cwd, env, id, status } = await setUp();
    await Deno.remove(`${cwd}/.code-intel/sessions`, { recursive: true });
    equal(JSON.parse((await status()).stdout).error, "session_lost");
    const declined = await runOnTerminal(["session", "accept"], { cwd, env, typed: "n\n" });
    match(declined, /was not ended/);
    equal(JSON.parse((await status()).stdout).error, "session_lost");
    const ended = await runOnTerminal(["session", "accept", id], { cwd, env, typed: "y\n" });
    match(ended, /ended: true/);
    equal(JSON.parse((await status()).stdout).error, "no_active_session");
  },
);
