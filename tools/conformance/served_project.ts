/**
 * The real server over HTTP on a sample project, and a door in front of it that adds the token: the suite
 * knows no header of its own. Host and Origin pass through as they come, because the suite tries them.
 */
import { createServer, request as forward } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { toProgram } from "../demo/server.ts";

/** A server that listens, and how it is reached. */
export interface ServedProject extends AsyncDisposable {
  /** The project's folder. */
  readonly dir: string;
  /** The server itself, which wants the token. */
  readonly url: string;
  readonly token: string;
  /** The same through the door, without a token. */
  readonly openUrl: string;
  /** The program and its arguments over stdio. */
  readonly stdio: readonly [program: string, ...args: string[]];
  /** What every process of the program gets. */
  readonly env: Readonly<Record<string, string>>;
}

const SAMPLE: Readonly<Record<string, string>> = {
  "src/auth.ts":
    "export function login(name: string): string {\n  return name.trim();\n}\n\nexport const first = login('a');\n",
};

/** Serves a sample project on a free port. */
export async function serveSample(): Promise<ServedProject> {
  const folder = await Deno.makeTempDir({ prefix: "code-intel-conformance-" });
  const [dir, stateDir] = [join(folder, "project"), join(folder, "state")];
  for (const [path, text] of Object.entries(SAMPLE)) {
    await Deno.mkdir(join(dir, path, ".."), { recursive: true });
    await Deno.writeTextFile(join(dir, path), text);
  }
  const env = { CODE_INTEL_STATE_DIR: stateDir, CODE_INTEL_SYNC_ON_START: "false" };
  const [program, ...args] = toProgram();
  const child = new Deno.Command(program, {
    args: [...args, "serve", "--http", "--project", dir],
    env,
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const url = await readUrl(child.stderr);
  const token = (await Deno.readTextFile(join(stateDir, "http_token"))).trim();
  const door = await openDoor(new URL(url), token);
  return {
    dir,
    url,
    token,
    openUrl: door.url,
    stdio: [program, ...args, "serve", "--project", dir],
    env,
    async [Symbol.asyncDispose]() {
      await door.close();
      child.kill("SIGTERM");
      await child.status;
      await Deno.remove(folder, { recursive: true });
    },
  };
}

async function readUrl(stderr: ReadableStream<Uint8Array>): Promise<string> {
  const [own, rest] = stderr.tee();
  // What follows is read too, so that the server never waits for a reader.
  void rest.pipeTo(new WritableStream());
  let text = "";
  for await (const part of own.pipeThrough(new TextDecoderStream())) {
    text += part;
    const url = /serving (\S+)\n/.exec(text)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error(`The server did not start: ${text}`);
}

interface Door {
  readonly url: string;
  readonly close: () => Promise<void>;
}

async function openDoor(target: URL, token: string): Promise<Door> {
  const server = createServer((incoming: IncomingMessage, outgoing: ServerResponse) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` };
    const { method, url: path } = incoming;
    const { hostname: host, port } = target;
    const onward = forward({ host, port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on("error", () => outgoing.destroy());
    outgoing.on("close", () => onward.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, target.hostname, resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The door has no port");
  return {
    url: `http://${target.hostname}:${address.port}${target.pathname}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
