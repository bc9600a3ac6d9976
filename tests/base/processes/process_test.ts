/** Starting programs: no shell, limits that hold, cancellation that is obeyed at once. */
import { match, ok, rejects, strictEqual as equal } from "node:assert/strict";
import { runProcess } from "../../../src/base/processes/process.ts";

// What must not be waited for takes far longer than this, and a busy machine far less.
const PATIENCE_MS = 30_000;

function toText(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function sh(script: string, ...args: string[]): readonly string[] {
  return ["-c", script, "sh", ...args];
}

Deno.test("runProcess() gives output, errors and exit status; a failure is a result", async () => {
  const result = await runProcess("sh", sh("echo out; echo err >&2; exit 3"));
  equal(result.code, 3);
  equal(toText(result.stdout), "out\n");
  equal(result.stderr, "err\n");
  ok(!result.timedOut && !result.truncated);
});

Deno.test("runProcess() hands arguments over without a shell between", async () => {
  const hostile = "$(touch pwned); `id` 'a' \"b\" *";
  const result = await runProcess("printf", ["%s", hostile]);
  equal(toText(result.stdout), hostile);
});

Deno.test("runProcess() runs in the given folder with the added variables", async () => {
  const cwd = await Deno.realPath(await Deno.makeTempDir());
  const options = { cwd, env: { CODE_INTEL_TEST: "yes" } };
  const result = await runProcess("sh", sh('echo "$PWD $CODE_INTEL_TEST"'), options);
  equal(toText(result.stdout), `${cwd} yes\n`);
  await Deno.remove(cwd);
});

Deno.test("runProcess() feeds a large input while the program answers", async () => {
  const stdin = new Uint8Array(8 * 1024 * 1024).fill(97);
  const result = await runProcess("cat", [], { stdin });
  equal(result.stdout.length, stdin.length);
});

Deno.test("runProcess() is content with a program that leaves its input unread", async () => {
  const stdin = "x\n".repeat(2_000_000);
  const result = await runProcess("head", ["-n", "1"], { stdin });
  equal(result.code, 0);
  equal(toText(result.stdout), "x\n");
});

Deno.test("runProcess() gives the program an empty input where there is none", async () => {
  equal((await runProcess("cat", [])).stdout.length, 0);
});

Deno.test("runProcess() kills a program at its time limit", async () => {
  const started = performance.now();
  const result = await runProcess("sleep", ["60"], { timeoutMs: 100 });
  ok(result.timedOut);
  equal(result.code, -1);
  ok(performance.now() - started < PATIENCE_MS);
});

Deno.test("runProcess() ends at its time limit although a grandchild keeps the pipes open", async () => {
  const started = performance.now();
  const result = await runProcess("sh", sh("sleep 60 & sleep 60; wait"), { timeoutMs: 200 });
  ok(result.timedOut);
  ok(performance.now() - started < PATIENCE_MS, `${performance.now() - started} ms`);
});

Deno.test("runProcess() cuts a flood of output and kills its source (L: 120 MB of one search)", async () => {
  const result = await runProcess("yes", [], { maxOutputBytes: 100_000, timeoutMs: 20_000 });
  ok(result.truncated && !result.timedOut);
  equal(result.stdout.length, 100_000);
  equal(result.code, -1);
});

Deno.test("runProcess() keeps exactly as much output as is allowed without calling it cut", async () => {
  const result = await runProcess("printf", ["12345"], { maxOutputBytes: 5 });
  equal(result.truncated, false);
  equal(result.code, 0);
});

Deno.test("runProcess() obeys a cancellation at once", async () => {
  const controller = new AbortController();
  const running = runProcess("sleep", ["60"], { signal: controller.signal });
  await new Promise((resolve) => setTimeout(resolve, 50));
  const cancelled = performance.now();
  controller.abort();
  await rejects(running, { code: "cancelled" });
  ok(performance.now() - cancelled < PATIENCE_MS);
});

Deno.test("runProcess() does not start a program for a cancelled call", async () => {
  await rejects(runProcess("sh", sh("exit 0"), { signal: AbortSignal.abort() }), {
    code: "cancelled",
  });
});

Deno.test("runProcess() names a program that is not installed", async () => {
  await rejects(runProcess("code-intel-no-such-program", []), (error: Error) => {
    match(error.message, /code-intel-no-such-program/);
    return "code" in error && error.code === "backend_missing";
  });
});

Deno.test("runProcess() ends with the program although what it started holds the pipes", async () => {
  const started = performance.now();
  const result = await runProcess("sh", sh("echo done; sleep 60 &"));
  equal(result.code, 0);
  equal(result.timedOut, false);
  equal(toText(result.stdout), "done\n");
  ok(performance.now() - started < PATIENCE_MS, `${performance.now() - started} ms`);
});
