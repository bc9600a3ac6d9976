/** A session from the shell: start, submit in three ways, status, park, resume, abandon. */
import { match, strictEqual as equal } from "node:assert/strict";
import { runProgram } from "../support/server/cli.ts";
import { runHosted } from "../support/server/hosted_cli.ts";
import { createTempRepo } from "../support/temp_repo.ts";

const STATE = { CODE_INTEL_STATE_DIR: await Deno.makeTempDir() };

Deno.test("a session can be led from the shell and goes on in every new process", async () => {
  const { dir: cwd } = await createTempRepo({
    files: { "src/a.ts": "export function login() {}\n" },
  });
  const run = async (words: readonly string[], stdin = "") => {
    // What one process wrote the next one reads, there and back.
    const program = ["start", "status", "resume"].includes(words[0] ?? "") ? runProgram : runHosted;
    const result = await program(["session", ...words, "--json"], { cwd, stdin, env: STATE });
    // deno-lint-ignore no-explicit-any -- replies are read freely
    return { code: result.code, reply: JSON.parse(result.stdout) as any };
  };
  const started = await run(["start", "add a logout", "--intent", "IMPLEMENT", "--no-doc"]);
  equal(started.code, 0);
  equal(started.reply.phase, "QUERY_FRAME");

  const frame = JSON.stringify({
    action_type: "implement",
    slots: {
      target_feature: { value: "logout", quote: "logout" },
      trigger_condition: null,
      observed_issue: null,
      desired_action: { value: "add", quote: "add" },
    },
    target_symbols: ["login"],
    scope: "src",
    constraints: [],
    summary: "A logout beside the login",
    tools_used: [],
  });
  const refused = await run(["submit", "{}"]);
  equal(refused.code, 1);
  equal(refused.reply.error, "payload_mismatch");
  const accepted = await run(["submit", "-"], frame);
  equal(accepted.code, 0, JSON.stringify(accepted.reply));
  equal(accepted.reply.phase, "EXPLORATION");
  equal((await run(["status"])).reply.phase, "EXPLORATION");

  const parked = await run(["park", "--reason", "a hotfix comes first"]);
  equal(parked.code, 0, JSON.stringify(parked.reply));
  const resumed = await run(["resume", started.reply.session_id]);
  equal(resumed.reply.phase, "EXPLORATION", JSON.stringify(resumed.reply));
  equal((await run(["abandon", "--reason", "no longer wanted"])).code, 0);
});

Deno.test("session submit wants the payload exactly once", async () => {
  const { dir: cwd } = await createTempRepo({ files: {} });
  for (const words of [["submit"], ["submit", "{}", "--file", "x"]]) {
    const { code, stderr } = await runHosted(["session", ...words], { cwd, env: STATE });
    equal(code, 64);
    match(stderr, /Give the payload once/);
  }
  const missing = await runHosted(["session", "submit", "--file", "no.json"], { cwd, env: STATE });
  equal(missing.code, 2);
});
