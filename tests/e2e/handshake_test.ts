/** The server process from outside: both eras of the protocol, clean output, and its ends. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { PLACED_COMMAND, SOURCE_COMMAND, startClient } from "../support/server/mcp_client.ts";
import { testNeeding } from "../support/needs.ts";

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

function toInitialize(protocolVersion: string) {
  return { protocolVersion, capabilities: {}, clientInfo: { name: "test", version: "1.0.0" } };
}

for (const revision of ["2025-06-18", "2025-11-25"]) {
  Deno.test(`serve answers initialize of ${revision} and then lists its tools`, async () => {
    const projectDir = await Deno.makeTempDir();
    // The others start a bundle of it, where one was made.
    const command = [...PLACED_COMMAND, "serve", "--project", projectDir] as const;
    const client = await startClient({ projectDir, handshake: false, command });
    const { result } = await client.request("initialize", toInitialize(revision));
    equal(result.protocolVersion, revision);
    equal(result.serverInfo.name, "code-intel");
    match(result.instructions, /start_session/);
    await client.notify("notifications/initialized");
    ok((await client.listTools()).length > 0);
    equal((await client.close()).code, 0);
  });
}

Deno.test("serve answers server/discover of 2026-07-28 and serves that era", async () => {
  const projectDir = await Deno.makeTempDir();
  const client = await startClient({ projectDir, handshake: false });
  const { result } = await client.request("server/discover", { _meta: META });
  deepEqual(result.supportedVersions, ["2026-07-28"]);
  const listed = await client.request("tools/list", { _meta: META });
  ok(listed.result.tools.length > 0);
  const called = await client.request("tools/call", {
    name: "no_such_tool",
    arguments: {},
    _meta: META,
  });
  equal(called.result.isError, true);
  equal((await client.close()).code, 0);
});

Deno.test("serve answers an unknown method with -32601 at once", async () => {
  const client = await startClient({ projectDir: await Deno.makeTempDir() });
  const { error } = await client.request("no/such/method");
  equal(error?.code, -32601);
  await client.close();
});

Deno.test("serve answers broken messages with an error and lives on", async () => {
  const client = await startClient({ projectDir: await Deno.makeTempDir() });
  await client.sendRaw("this is no JSON");
  await client.sendRaw("");
  await client.sendRaw("[1, 2]");
  await client.sendRaw("x".repeat(11 * 1024 * 1024));
  await client.sendRaw(`{"jsonrpc":"2.0","id":"odd","method":5}`);
  equal((await client.waitFor("odd")).error?.code, -32600);
  deepEqual(client.loose.map(({ error }) => error?.code), [-32700, -32600, -32600]);
  deepEqual((await client.request("ping")).result, {});
  equal((await client.close()).code, 0);
});

Deno.test("serve ends when its input is closed", async () => {
  const client = await startClient({ projectDir: await Deno.makeTempDir() });
  const end = await client.close();
  equal(end.code, 0);
  // It ends by itself: nothing that it waits for would end within this time.
  ok(end.durationMs < 20_000, `it took ${end.durationMs} ms`);
});

Deno.test("serve answers what was sent before its input was closed", async () => {
  const projectDir = await Deno.makeTempDir();
  const child = new Deno.Command(SOURCE_COMMAND[0], {
    args: [...SOURCE_COMMAND.slice(1), "serve", "--project", projectDir],
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  const initialize = { jsonrpc: "2.0", id: 1, method: "initialize" };
  const lines = [
    { ...initialize, params: toInitialize("2025-11-25") },
    { jsonrpc: "2.0", id: 2, method: "tools/list" },
  ];
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  await writer.write(new TextEncoder().encode(text));
  await writer.close();
  const { stdout } = await child.output();
  const answers = new TextDecoder().decode(stdout).trim().split("\n").map((line) =>
    JSON.parse(line)
  );
  deepEqual(answers.map(({ id }) => id), [1, 2]);
  ok(answers[1].result.tools.length > 0);
});

testNeeding(
  ["posix"],
  "serve ends when its parent is gone although its input stays open",
  async () => {
    const projectDir = await Deno.makeTempDir();
    // The shell stands for a client that is killed; descriptor 3 keeps the input open.
    const script = `exec 3<&0; "$@" <&3 & echo $! >&2; wait`;
    const shell = new Deno.Command("sh", {
      args: ["-c", script, "sh", ...SOURCE_COMMAND, "serve", "--project", projectDir],
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const writer = shell.stdin.getWriter();
    const request = { jsonrpc: "2.0", id: 1, method: "initialize" };
    const line = JSON.stringify({ ...request, params: toInitialize("2025-11-25") });
    await writer.write(new TextEncoder().encode(`${line}\n`));
    const reader = shell.stdout.getReader();
    ok((await reader.read()).value !== undefined);
    let isLate = false;
    shell.kill("SIGKILL");
    // The server holds the last writing end of this pipe: its end is the end of the stream.
    const timer = setTimeout(() => {
      isLate = true;
      void reader.cancel("no end in time");
    }, 20_000);
    equal((await reader.read()).done, true);
    clearTimeout(timer);
    equal(isLate, false);
    await writer.abort().catch(() => {});
    await shell.stderr.cancel();
    await shell.status;
  },
);
