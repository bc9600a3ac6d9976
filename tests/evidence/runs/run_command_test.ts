/** One verification command as a real process: results for every way in which it can end. */
import { SYSTEM_CLOCK } from "../../../src/base/clock.ts";
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { createHash } from "node:crypto";
import type { CommandProgress, RunCommandOptions } from "../../../src/evidence/runs/run_command.ts";
import { runCommand } from "../../../src/evidence/runs/run_command.ts";

async function run(
  words: readonly string[],
  options: Partial<RunCommandOptions> = {},
  timeoutMs = 20_000,
) {
  const command = { name: "test", run: words, paths: null, writes: [], timeoutMs };
  return await runCommand(command, {
    cwd: await Deno.makeTempDir(),
    clock: SYSTEM_CLOCK,
    ...options,
  });
}

function sh(script: string): readonly string[] {
  return ["sh", "-c", script];
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

Deno.test("runCommand() tells a pass and a failure by the exit status", async () => {
  const good = await run(sh("echo fine"));
  deepEqual([good.exitCode, good.failure, good.outputTail], [0, null, "fine\n"]);
  equal(good.outputHash, sha256("fine\n"));
  const bad = await run(sh("echo 'one test failed' >&2; exit 1"));
  deepEqual([bad.exitCode, bad.failure, bad.outputTail], [1, null, "one test failed\n"]);
  ok(!bad.timedOut && !bad.cancelled && bad.durationMs >= 0);
  ok(Date.parse(bad.startedAt) <= Date.now());
});

Deno.test("runCommand() runs in the project and in the person's environment, with CI and without input", async () => {
  const cwd = await Deno.realPath(await Deno.makeTempDir());
  const mine = Deno.env.get("NO_COLOR") ?? "";
  const result = await run(sh('echo "$PWD $CI $NO_COLOR $MORE"; cat'), { cwd, env: { MORE: "1" } });
  const ci = Deno.env.get("CI") ?? "";
  equal(result.outputTail, `${cwd} ${ci === "" ? "true" : ci} ${mine} 1\n`);
  deepEqual(result.set, ci === "" ? ["CI=true"] : []);
  match(result.program ?? "", /\/sh$/);
});

Deno.test("runCommand() takes colours out of the output and reads what its test runner said", async () => {
  const script = "printf 'TAP version 13\\n\\033[32mok 1 - a\\033[0m\\nnot ok 2 - b\\n1..2\\n'";
  const { outputTail, report } = await run(sh(script));
  equal(outputTail, "TAP version 13\nok 1 - a\nnot ok 2 - b\n1..2\n");
  deepEqual([report?.passed, report?.failures.map(({ name }) => name)], [1, ["b"]]);
  equal((await run(sh("echo done"))).report, null);
});

Deno.test("runCommand() makes a failed result of a program that is missing or may not run", async () => {
  const missing = await run(["code-intel-no-such-program"]);
  deepEqual([missing.exitCode, missing.outputHash], [null, sha256("")]);
  match(missing.failure ?? "", /"code-intel-no-such-program" was not found/);
  const cwd = await Deno.makeTempDir();
  await Deno.writeTextFile(`${cwd}/x.sh`, "#!/bin/sh\n", { mode: 0o644 });
  match((await run(["./x.sh"], { cwd })).failure ?? "", /may not be executed/);
});

Deno.test("runCommand() says that the time limit or a signal ended it", async () => {
  let late = await run(sh("echo begun; sleep 60"), {}, 300);
  // A busy machine may need longer than that for the first word.
  if (late.outputTail === "") late = await run(sh("echo begun; sleep 60"), {}, 5_000);
  deepEqual([late.exitCode, late.timedOut, late.outputTail], [null, true, "begun\n"]);
  match(late.failure ?? "", /time limit after \d/);
  const killed = await run(sh("kill -SEGV $$"));
  deepEqual([killed.exitCode, killed.timedOut], [null, false]);
  match(killed.failure ?? "", /SIGSEGV/);
});

Deno.test("runCommand() is cancelled at once", async () => {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 100);
  const result = await run(sh("sleep 60"), { signal: controller.signal });
  deepEqual([result.exitCode, result.cancelled], [null, true]);
  ok(result.durationMs < 30_000);
});

Deno.test("runCommand() keeps 64 KiB of a huge output and hashes all of it", async () => {
  const result = await run(sh("yes abcdefg | head -c 20000000; echo the end"));
  const whole = `${"abcdefg\n".repeat(2_500_000)}the end\n`;
  equal(result.outputBytes, whole.length);
  equal(result.outputHash, sha256(whole));
  equal(result.outputTail, whole.slice(-64 * 1024));
});

Deno.test("runCommand() begins the tail with a whole character", async () => {
  // Characters of three bytes do not divide 65,536.
  const result = await run(["printf", "%s", "語".repeat(30_000)]);
  equal(result.outputTail, "語".repeat(21_845));
});

Deno.test("runCommand() tells progress at most four times a second, with the last line", async () => {
  const seen: CommandProgress[] = [];
  const script = "for i in 1 2 3 4 5 6 7 8 9 10; do echo step $i; echo; sleep 0.1; done";
  const result = await run(sh(script), { onProgress: (progress) => seen.push(progress) });
  ok(seen.length >= 2 && seen.length <= result.durationMs / 250, `${seen.length}`);
  match(seen.at(-1)?.lastLine ?? "", /^step \d+$/);
  ok((seen[1]?.elapsedMs ?? 0) > (seen[0]?.elapsedMs ?? 0));
});
