/**
 * Clients that connect and send nothing whole, more of them than the server may have files open: the server goes on and
 * answers those that ask.
 */
import { ok, strictEqual as equal } from "node:assert/strict";
import { connectOverHttp } from "../../support/server/http_server.ts";
import { SOURCE_COMMAND } from "../../support/server/mcp_client.ts";
import { testNeeding } from "../../support/needs.ts";

const HEAD = "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n";
const CONNECTIONS = 600;

/** What clients send, and the limit of open files of the server. */
const ROWS = [
  ["nothing", "", 1_024],
  ["a part of a head", HEAD, 1_024],
  ["a head without its body", `${HEAD}Content-Length: 100\r\n\r\n`, 1_024],
  ["a part of a head", HEAD, 256],
  ["a head without its body", `${HEAD}Content-Length: 100\r\n\r\n`, 256],
] as const;

for (const [name, text, limit] of ROWS) {
  testNeeding(
    ["processes"],
    `${CONNECTIONS} connections with ${name} end no server that may open ${limit} files`,
    async () => {
      await using server = await startLimited(limit);
      const open: Deno.TcpConn[] = [];
      for (let count = 0; count < CONNECTIONS; count++) {
        const { port } = new URL(server.url);
        const connection = await Deno.connect({ hostname: "127.0.0.1", port: Number(port) });
        open.push(connection);
        await connection.write(new TextEncoder().encode(text)).catch(() => {});
      }
      const tools = await listTools(server);
      for (const connection of open) connection.close();
      equal(tools[0]?.name, "start_session");
      const [code, said] = await server.end();
      ok(!/Too many open files|bug/.test(said), said);
      equal(code, 143, said);
    },
  );
}

/** Asks until there is a place: what no answer has come to gives its own within seconds. */
async function listTools(server: { readonly url: string; readonly token: string }) {
  for (let tries = 1;; tries++) {
    try {
      const client = await connectOverHttp(server, "2025-11-25");
      const { tools } = await client.listTools();
      await client.close();
      return tools;
    } catch (failure) {
      if (tries > 60) throw failure;
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
  }
}

async function startLimited(limit: number) {
  const [stateDir, projectDir] = [await Deno.makeTempDir(), await Deno.makeTempDir()];
  const [program, ...args] = SOURCE_COMMAND;
  const child = new Deno.Command("sh", {
    args: ["-c", `ulimit -n ${limit} && exec "$@"`, "sh", program, ...args, "serve", "--http"],
    cwd: projectDir,
    env: { CODE_INTEL_STATE_DIR: stateDir, CODE_INTEL_SYNC_ON_START: "false" },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const reader = child.stderr.pipeThrough(new TextDecoderStream()).getReader();
  let said = "";
  let url: string | undefined;
  while (url === undefined || !said.includes("Bearer")) {
    const { value, done } = await reader.read();
    if (done) throw new Error(said);
    said += value;
    url = /serving (\S+)\n/.exec(said)?.[1];
  }
  const reading = (async () => {
    for (let next = await reader.read(); !next.done; next = await reader.read()) said += next.value;
  })();
  const [, path = ""] = /\$\(cat '(.+)'\)"\n/.exec(said) ?? [];
  const end = async () => {
    try {
      child.kill("SIGTERM");
    } catch {
      // It has ended already.
    }
    const { code } = await child.status;
    await reading;
    return [code, said] as const;
  };
  return {
    url,
    token: (await Deno.readTextFile(path)).trim(),
    end,
    [Symbol.asyncDispose]: async () => void await end(),
  };
}
