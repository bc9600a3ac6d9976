/** The command `serve --http` as a process: what it prints, what it keeps, and how it ends. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { connectOverHttp } from "../../support/server/http_server.ts";
import { SOURCE_COMMAND } from "../../support/server/mcp_client.ts";

function start(stateDir: string, projectDir: string, ...more: string[]): Deno.ChildProcess {
  const [program, ...args] = SOURCE_COMMAND;
  return new Deno.Command(program, {
    args: [...args, "serve", "--project", projectDir, ...more],
    env: { CODE_INTEL_STATE_DIR: stateDir, CODE_INTEL_SYNC_ON_START: "false" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

/** Reads standard error until it has said where clients connect, and goes on reading. */
async function readReady(
  child: Deno.ChildProcess,
): Promise<{ readonly url: string; readonly token: string; readonly rest: Promise<string> }> {
  const reader = child.stderr.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    text += value ?? "";
    const [, url, path] = /serving (\S+)\n[^]*\$\(cat '(.+)'\)"\n/.exec(text) ?? [];
    if (url !== undefined && path !== undefined) {
      const rest = (async () => {
        for (let all = "";;) {
          const part = await reader.read();
          if (part.done) return all;
          all += part.value;
        }
      })();
      return { url, token: (await Deno.readTextFile(path)).trim(), rest };
    }
    if (done) throw new Error(`the server did not start: ${text}`);
  }
}

Deno.test("serve --http names its address and the token's file, serves, and ends on a signal", async () => {
  const [stateDir, projectDir] = [await Deno.makeTempDir(), await Deno.makeTempDir()];
  const child = start(stateDir, projectDir, "--http");
  const { url, token, rest } = await readReady(child);
  match(url, /^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
  const client = await connectOverHttp({ url, token }, "2025-11-25");
  const { tools } = await client.listTools();
  equal(tools[0]?.name, "start_session");
  const taken = await start(stateDir, projectDir, "--http", new URL(url).port).output();
  equal(taken.code, 2);
  match(new TextDecoder().decode(taken.stderr), /port \d+: it is taken\nName another port/);
  child.kill("SIGTERM");
  const { code } = await child.status;
  deepEqual([code, await rest], [143, ""]);
  equal(await new Response(child.stdout).text(), "");
  await client.close();
});

Deno.test("serve --http refuses what is no port", async () => {
  const [stateDir, projectDir] = [await Deno.makeTempDir(), await Deno.makeTempDir()];
  for (const port of ["70000", "99999"]) {
    const { code, stderr } = await start(stateDir, projectDir, "--http", port).output();
    equal(code, 64);
    match(new TextDecoder().decode(stderr), new RegExp(`no port ${port}\\nName one from 1`));
  }
});
