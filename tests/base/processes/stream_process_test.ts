/** Programs whose output is used as it comes: groups, limits, and nothing left running. */
import {
  deepStrictEqual as deepEqual,
  ok,
  rejects,
  strictEqual as equal,
} from "node:assert/strict";
import type { StreamOptions } from "../../../src/base/processes/process.ts";
import { signalGroup, streamProcess } from "../../../src/base/processes/process.ts";
import { CodeIntelError } from "../../../src/base/errors.ts";
import { isRunning } from "../../support/server/processes.ts";

// What must not be waited for takes far longer than this, and a busy machine far less.
const PATIENCE_MS = 30_000;

interface Streamed {
  readonly ended: Awaited<ReturnType<typeof streamProcess>>;
  readonly text: string;
  readonly durationMs: number;
}

async function stream(script: string, options: Partial<StreamOptions> = {}): Promise<Streamed> {
  const parts: Uint8Array[] = [];
  const started = performance.now();
  const ended = await streamProcess("sh", ["-c", script], {
    timeoutMs: 60_000,
    onPart: (part) => parts.push(part),
    ...options,
  });
  const durationMs = performance.now() - started;
  return { ended, text: parts.map((part) => new TextDecoder().decode(part)).join(""), durationMs };
}

/** Fails unless the script ends; its end may reach the system a moment later than its caller. */
async function expectEnd(pidFile: string): Promise<void> {
  for (
    const endsAt = Date.now() + PATIENCE_MS;
    await isRunning(await Deno.readTextFile(pidFile));
  ) {
    ok(Date.now() < endsAt, "it lives on");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Streams until the time limit, a longer one where the script came to nothing before. */
async function streamToLimit(script: string, pidFile: string): Promise<Streamed> {
  for (const timeoutMs of [400, 4_000]) {
    const streamed = await stream(script, { timeoutMs });
    if (await Deno.readTextFile(pidFile).catch(() => "") !== "") return streamed;
  }
  return await stream(script, { timeoutMs: 20_000 });
}

Deno.test("streamProcess() gives both outputs and the exit status", async () => {
  const { ended, text } = await stream("echo out; echo err >&2; exit 3");
  deepEqual(ended, { kind: "exited", code: 3 });
  deepEqual(text.trim().split("\n").sort(), ["err", "out"]);
});

Deno.test("streamProcess() closes the input of the program", async () => {
  const { ended, text } = await stream("cat; echo end");
  deepEqual([ended, text], [{ kind: "exited", code: 0 }, "end\n"]);
});

Deno.test("streamProcess() finds a program of the project by its relative path", async () => {
  const cwd = await Deno.makeTempDir();
  await Deno.writeTextFile(`${cwd}/check.sh`, "#!/bin/sh\nexit 7\n", { mode: 0o755 });
  const ended = await streamProcess("./check.sh", [], { cwd, timeoutMs: 5_000, onPart() {} });
  deepEqual(ended, { kind: "exited", code: 7 });
});

Deno.test("streamProcess() ends a grandchild at the time limit, not only the program", async () => {
  const pidFile = `${await Deno.makeTempDir()}/pid`;
  const script = `sh -c 'echo $$ > "${pidFile}"; sleep 60' & wait`;
  const { ended, durationMs } = await streamToLimit(script, pidFile);
  deepEqual(ended, { kind: "timed_out" });
  ok(durationMs < PATIENCE_MS, `${durationMs} ms`);
  await expectEnd(pidFile);
});

Deno.test("streamProcess() ends a program that ignores the polite signal", async () => {
  const pidFile = `${await Deno.makeTempDir()}/pid`;
  const script = `trap '' TERM; echo $$ > "${pidFile}"; while :; do sleep 0.1; done`;
  const { ended, durationMs } = await streamToLimit(script, pidFile);
  deepEqual(ended, { kind: "timed_out" });
  ok(durationMs < PATIENCE_MS, `${durationMs} ms`);
  await expectEnd(pidFile);
});

Deno.test("streamProcess() lets a program clean up when it is cancelled", async () => {
  const controller = new AbortController();
  const script = "trap 'echo cleaned; exit 1' TERM; echo ready; sleep 60 & wait";
  const parts: string[] = [];
  const { ended, durationMs } = await stream(script, {
    signal: controller.signal,
    onPart: (part) => {
      parts.push(new TextDecoder().decode(part));
      controller.abort();
    },
  });
  deepEqual([ended, parts.join("")], [{ kind: "cancelled" }, "ready\ncleaned\n"]);
  ok(durationMs < PATIENCE_MS, `${durationMs} ms`);
});

Deno.test("streamProcess() starts nothing for a cancelled call", async () => {
  const { ended, durationMs } = await stream("sleep 60", { signal: AbortSignal.abort() });
  deepEqual(ended, { kind: "cancelled" });
  ok(durationMs < PATIENCE_MS);
});

Deno.test("streamProcess() ends what a program left running, and keeps its own result", async () => {
  const pidFile = `${await Deno.makeTempDir()}/pid`;
  const script = `sh -c 'echo $$ > "${pidFile}"; while :; do echo late; sleep 0.05; done' & ` +
    `while [ ! -s "${pidFile}" ]; do sleep 0.02; done; exit 4`;
  const { ended, durationMs } = await stream(script);
  deepEqual(ended, { kind: "exited", code: 4 });
  ok(durationMs < PATIENCE_MS, `${durationMs} ms`);
  await expectEnd(pidFile);
});

Deno.test("streamProcess() says which signal ended a program", async () => {
  const { ended } = await stream("kill -KILL $$");
  deepEqual(ended, { kind: "signalled", signal: "SIGKILL" });
});

Deno.test("streamProcess() hands over every byte of a large output", async () => {
  let sizeBytes = 0;
  const options = { timeoutMs: 20_000, onPart: (part: Uint8Array) => sizeBytes += part.length };
  await streamProcess("head", ["-c", "30000000", "/dev/zero"], options);
  equal(sizeBytes, 30_000_000);
});

Deno.test("streamProcess() refuses a program that is missing or not executable", async () => {
  const cwd = await Deno.makeTempDir();
  await Deno.writeTextFile(`${cwd}/plain.sh`, "#!/bin/sh\n", { mode: 0o644 });
  const rows = [["code-intel-no-such-program", "backend_missing"], ["./plain.sh", "start_refused"]];
  for (const [program = "", code] of rows) {
    await rejects(
      streamProcess(program, [], { cwd, timeoutMs: 1_000, onPart() {} }),
      (error) => error instanceof CodeIntelError && error.code === code,
    );
  }
});

Deno.test("streamProcess() leaves no program behind when this process exits", async () => {
  const pidFile = `${await Deno.makeTempDir()}/pid`;
  const door = new URL("../../../src/base/processes/process.ts", import.meta.url).href;
  const code = `import { streamProcess } from ${JSON.stringify(door)};
    const args = ["-c", 'echo $$ > "$1"; sleep 60', "sh", ${JSON.stringify(pidFile)}];
    streamProcess("sh", args, { timeoutMs: 60000, onPart() {} });
    while (!(await Deno.stat(${JSON.stringify(pidFile)}).catch(() => null))?.size) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    Deno.exit(0);`;
  const signal = AbortSignal.timeout(PATIENCE_MS);
  await new Deno.Command(Deno.execPath(), { args: ["eval", code], signal }).output();
  await expectEnd(pidFile);
});

Deno.test("signalGroup() never signals what is no group of ours", () => {
  for (const pid of [0, 1, -5, 2 ** 22 + 17]) equal(signalGroup(pid, "SIGTERM"), false);
});
