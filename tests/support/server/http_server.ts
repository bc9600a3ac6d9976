/** The real server over HTTP within the test's own process, and clients of the SDK that talk to it. */
import { FEATURES } from "../../../src/features/features.ts";
import type { ClientCapabilities } from "@modelcontextprotocol/client";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { SILENT_LOGGER } from "../../../src/base/logger.ts";
import { askFeatures } from "../../../src/services/extension.ts";
import type { Services } from "../../../src/services/services_api.ts";
import { createServices } from "../../../src/services/services.ts";
import { TOOLS } from "../../../src/tools/tools.ts";
import { OWN_THREAD } from "../../../src/analysis/analysis_pool.ts";

/** A server that listens. */
export interface HttpServer extends AsyncDisposable {
  readonly url: string;
  readonly token: string;
  /** File of the token. */
  readonly path: string | null;
  /** Resolves once nobody listens any more. */
  readonly ended: Promise<void>;
  /** Ends it, as a signal would. */
  end(): void;
}

/** The eras of the protocol as a client of the SDK is told to speak them. */
export const ERAS = {
  "2025-11-25": "legacy",
  "2026-07-28": { pin: "2026-07-28" },
} as const;

/** A revision of {@link ERAS}. */
export type Era = keyof typeof ERAS;

/** Serves the project of a folder on a free port. */
export async function startHttpServer(
  projectDir: string,
  options: {
    readonly stateDir?: string;
    readonly port?: number;
    /** Changes what the server works with, such as what asks the person. */
    readonly adapt?: (services: Services) => Services;
  } = {},
): Promise<HttpServer> {
  const serveHttp = askFeatures(FEATURES, "serveHttp");
  if (serveHttp === undefined) throw new Error('needs the feature http: testNeeding(["http"], …)');
  const end = new AbortController();
  const ready = Promise.withResolvers<{ url: string; token: string; path: string | null }>();
  let services: Promise<Services> | undefined;
  const loadServices = async () => {
    services ??= createServices({
      features: FEATURES,
      projectDir,
      logger: SILENT_LOGGER,
      offered: TOOLS.map(({ name }) => name),
      analyser: OWN_THREAD,
    });
    return (options.adapt ?? ((same) => same))(await services);
  };
  const serving = serveHttp({
    port: options.port ?? 0,
    stateDir: options.stateDir ?? await Deno.makeTempDir(),
    logger: SILENT_LOGGER,
    loadServices,
    pages: FEATURES.flatMap(({ pages = [] }) => pages),
    signal: end.signal,
    onReady: ready.resolve,
  });
  serving.catch(ready.reject);
  const { url, token, path } = await ready.promise;
  const ended = serving.then(async () => (await services?.catch(() => undefined))?.close());
  return {
    url,
    token,
    path,
    ended,
    end: () => end.abort(),
    async [Symbol.asyncDispose]() {
      end.abort();
      await ended;
    },
  };
}

/** Connects a client of the SDK. */
export async function connectOverHttp(
  { url, token }: Pick<HttpServer, "url" | "token">,
  era: Era,
  capabilities: ClientCapabilities = {},
): Promise<Client> {
  const client = new Client({ name: "test", version: "1.0.0" }, {
    capabilities,
    versionNegotiation: { mode: ERAS[era] },
  });
  const headers = { authorization: `Bearer ${token}` };
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  await client.connect(transport);
  return client;
}

/** The reply of a tool, parsed. */
// deno-lint-ignore no-explicit-any -- tests read replies freely
export async function callOverHttp(client: Client, name: string, args: unknown = {}): Promise<any> {
  const params = { name, arguments: args as Record<string, unknown> };
  const { content } = await client.callTool(params);
  const [part] = content as { readonly text: string }[];
  return JSON.parse(part?.text ?? "null");
}
