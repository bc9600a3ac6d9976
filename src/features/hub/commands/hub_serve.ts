/** The command `hub serve`. */
import { CodeIntelError } from "../../../base/errors.ts";
import { toStateDir } from "../../../base/files/user_folders.ts";
import { STDERR_LOGGER } from "../../../base/logger.ts";
import { LIMITS } from "../../../base/settings/limits.ts";
import type { Command, Invocation } from "../../../cli/command.ts";
import { loadHttpToken } from "../../../mcp/transport/http_token.ts";
import { serveHubOverHttp } from "../hub_http.ts";
import { readSecret, STORE_OPTION, toDenied, toText, withStore } from "./with_store.ts";

const MAX_PORT = 65_535;
const MAX_THREADS = 64;

/** After the last answer of a server: connections are closed. */
const GRACE_MS = 2_000;

/** Serves the hub over HTTP. */
export const HUB_SERVE: Command = {
  usage: "",
  positionals: [0, 0],
  example: "code-intel hub serve --port 8080",
  options: [
    STORE_OPTION,
    { name: "port", kind: "number", value: "PORT", summary: "Port (default: a free one)" },
    {
      name: "host",
      kind: "text",
      value: "ADDRESS",
      summary: "Address to listen on (default: 127.0.0.1; others need code-intel-hub)",
    },
    {
      name: "token-file",
      kind: "text",
      value: "FILE",
      summary: "File with the token of clients (default: that of the user)",
    },
    {
      name: "threads",
      kind: "number",
      value: "N",
      summary: "Calls that are answered at a time (default: processors, 2 to 8)",
    },
  ],
  run: (invocation) =>
    withStore(invocation, async (store) => {
      const { signal } = invocation;
      const port = toPort(invocation);
      const bounds = toBounds(invocation);
      const hostname = toText(invocation, "host") ?? "127.0.0.1";
      await allowListening(hostname);
      const token = await loadToken(invocation);
      invocation.extendGrace(LIMITS.hubEndMs.value + GRACE_MS);
      await serveHubOverHttp({
        ...{ store, bounds, logger: STDERR_LOGGER, hostname, port, token, signal },
        onReady: (url) => STDERR_LOGGER.note(`serving ${url}`),
      });
      return 0;
    }),
};

async function loadToken(invocation: Invocation): Promise<string> {
  const file = toText(invocation, "token-file");
  if (file === null) {
    const stateDir = toStateDir({ os: Deno.build.os, get: (name) => Deno.env.get(name) });
    const { token, path } = await loadHttpToken(stateDir);
    const shown = path === null ? token : `$(cat '${path}')`;
    STDERR_LOGGER.note(`header for clients: "Authorization: Bearer ${shown}"`);
    return token;
  }
  const token = readSecret(file, invocation.projectDir);
  if (/^[\w.~+/-]{32,512}=*$/.test(token)) return token;
  throw new CodeIntelError("bad_usage", `Cannot use the token in "${file}"`, {
    hint: "It needs at least 32 letters, digits or ._~+/-: `openssl rand -hex 32` makes one.",
  });
}

async function allowListening(hostname: string): Promise<void> {
  const { state } = await Deno.permissions.query({ name: "net", host: hostname });
  if (state !== "granted") throw toDenied(`from ${hostname}`);
}

function toPort({ options }: Invocation): number {
  const port = options["port"] ?? 0;
  if (typeof port === "number" && port >= 0 && port <= MAX_PORT) return port;
  throw new CodeIntelError("bad_usage", `There is no port ${port}`, {
    hint: `Name one from 1 to ${MAX_PORT}, or leave it out for a free one.`,
  });
}

function toBounds({ options }: Invocation): { readonly threads?: number } {
  const threads = options["threads"];
  if (threads === undefined) return {};
  const isCount = Number.isInteger(threads);
  if (isCount && Number(threads) >= 1 && Number(threads) <= MAX_THREADS) {
    return { threads: Number(threads) };
  }
  throw new CodeIntelError("bad_usage", `Cannot answer with ${threads} threads`, {
    hint: `Name a number from 1 to ${MAX_THREADS}, or leave it out for as many as processors.`,
  });
}
