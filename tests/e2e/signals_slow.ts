/** What becomes of the program when it is told to end: an orderly end, and the exit code that shells expect. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { SOURCE_COMMAND } from "../support/server/mcp_client.ts";
import { testNeeding } from "../support/needs.ts";
import { createTempRepo } from "../support/temp_repo.ts";

const CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** Starts the program; `isUnderWay` tells from standard error and output that the signal may come. */
async function start(
  words: readonly string[],
  options: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Promise<{ readonly child: Deno.ChildProcess; readonly said: () => string }> {
  const [program, ...args] = [...SOURCE_COMMAND, ...words];
  const child = new Deno.Command(program ?? "", {
    args,
    cwd: options.cwd,
    env: {
      CODE_INTEL_STATE_DIR: await Deno.makeTempDir(),
      CODE_INTEL_SYNC_ON_START: "false",
      ...options.env,
    },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    void stream.pipeThrough(new TextDecoderStream()).pipeTo(
      new WritableStream({ write: (part) => void (said += part) }),
    ).catch(() => {});
  }
  return { child, said: () => said };
}

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const endsAt = Date.now() + 60_000;
  while (!await isTrue()) {
    ok(Date.now() < endsAt, "it never came");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const HELLO = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "a", version: "1" },
  },
});

testNeeding(
  ["processes"],
  "a server that a signal ends says by its exit code which one",
  async () => {
    const cwd = await Deno.makeTempDir();
    const ends = Object.entries(CODES).map(async ([name, code]) => {
      const { child, said } = await start(["serve"], { cwd });
      const writer = child.stdin.getWriter();
      await writer.write(new TextEncoder().encode(`${HELLO}\n`));
      await until(() => said().includes('"id":1'));
      child.kill(name as Deno.Signal);
      const status = await child.status;
      await writer.close().catch(() => {});
      deepEqual([name, status.code, status.signal], [name, code, null]);
    });
    await Promise.all(ends);
  },
);

testNeeding(
  ["processes"],
  "a command that a signal ends says so, and by its exit code which one",
  async () => {
    const { dir: cwd } = await createTempRepo({ files: { "a.ts": "export const a = 1;\n" } });
    const slow = await Deno.makeTempDir();
    await Deno.writeTextFile(`${slow}/git`, `#!/bin/sh\ntouch '${slow}/begun'\nexec sleep 30\n`, {
      mode: 0o755,
    });
    const env = { PATH: `${slow}:${Deno.env.get("PATH")}` };
    const ends = Object.entries(CODES).map(async ([name, code]) => {
      const { child } = await start(["index"], { cwd, env });
      await until(() => Deno.stat(`${slow}/begun`).then(() => true, () => false));
      // The others may have been first.
      await new Promise((resolve) => setTimeout(resolve, 50));
      child.kill(name as Deno.Signal);
      equal((await child.status).code, code, name);
    });
    await Promise.all(ends);
  },
);
