/** The verification commands from a shell: never without trust, and the exit code is the verdict. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { SILENT_LOGGER } from "../../../src/base/logger.ts";
import { createServices } from "../../../src/services/services.ts";
import { runHosted } from "../../support/server/hosted_cli.ts";
import { createTempRepo } from "../../support/temp_repo.ts";

interface Sketch {
  readonly name: string;
  readonly script: string;
  readonly timeout_s?: number;
}

async function setUp(commands: readonly Sketch[], { isTrusted = true } = {}) {
  const verify = commands.map(({ script, ...rest }) => ({ ...rest, run: ["sh", "-c", script] }));
  const { dir: cwd } = await createTempRepo({
    files: { ".code-intel/config.json": JSON.stringify({ verify }) },
  });
  const env = { CODE_INTEL_STATE_DIR: await Deno.makeTempDir(), NO_COLOR: "1" };
  if (isTrusted) {
    const get = (name: string) => (env as Readonly<Record<string, string>>)[name];
    const options = { projectDir: cwd, logger: SILENT_LOGGER, offered: [], get };
    const { verification } = await createServices(options);
    await verification.trustCommands(await verification.loadCommands(), "terminal");
  }
  const run = (...words: readonly string[]) => runHosted(["verify", ...words], { cwd, env });
  return { cwd, run };
}

Deno.test("verify runs nothing that no person allowed", async () => {
  const { cwd, run } = await setUp([{ name: "test", script: "touch ran" }], { isTrusted: false });
  const { code, stderr } = await run();
  equal(code, 1);
  match(stderr, /verify_untrusted/);
  match(stderr, /`code-intel trust`/);
  equal(JSON.parse((await run("--json")).stdout).error, "verify_untrusted");
  equal(await Deno.stat(`${cwd}/ran`).catch(() => null), null);
});

Deno.test("verify names a command that could not be read, instead of saying that there is none", async () => {
  const strange = { name: "test", script: "true", env: { A: "b" } };
  const { run } = await setUp([strange], { isTrusted: false });
  const { code, stderr } = await run();
  equal(code, 2);
  match(stderr, /Unrecognized key: "env"/);
});

Deno.test("verify prints outputs and a verdict, and its exit code says the same", async () => {
  const { run } = await setUp([
    { name: "lint", script: "echo clean" },
    { name: "test", script: "echo 'expected 1, got 2' >&2; exit 5" },
    { name: "slow", script: "sleep 30", timeout_s: 0.2 },
  ]);
  const all = await run();
  equal(all.code, 1);
  match(all.stdout, /^ {2}clean\nlint: passed \(\d+\.\d s\)$/m);
  match(all.stdout, /^ {2}expected 1, got 2\ntest: failed with exit code 5 /m);
  match(all.stdout, /^slow: reached its time limit after \d+(?:\.\d)? s/m);
  match(all.stdout, /failed\n$/);
  const one = await run("lint");
  deepEqual([one.code, one.stdout.endsWith("passed\n")], [0, true]);
});

Deno.test("verify --json gives every result", async () => {
  const { run } = await setUp([
    { name: "lint", script: "echo clean" },
    { name: "test", script: "exit 5" },
  ]);
  const { code, stdout } = await run("--json");
  const reply = JSON.parse(stdout);
  deepEqual([code, reply.ok, reply.verdict, reply.failed], [1, true, "failed", ["test"]]);
  deepEqual(
    reply.results.map((row: Readonly<Record<string, unknown>>) => [
      row["name"],
      row["exit_code"],
      row["output_tail"],
    ]),
    [["lint", 0, "clean\n"], ["test", 5, ""]],
  );
});

Deno.test("verify names the way on where nothing or nothing of that name is configured", async () => {
  const nothing = await (await setUp([])).run();
  equal(nothing.code, 1);
  match(nothing.stderr, /nothing_to_verify/);
  const unknown = await (await setUp([{ name: "test", script: ":" }])).run("tset");
  equal(unknown.code, 1);
  match(unknown.stderr, /There is no command tset[\s\S]*names test/);
});
