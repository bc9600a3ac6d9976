/** A hub that is served to clients of the SDK within the test's own process, and its indexer. */
import { ok } from "node:assert/strict";
import { OWN_THREAD } from "../../../src/analysis/analysis_pool.ts";
import type { Logger } from "../../../src/base/logger.ts";
import { SILENT_LOGGER } from "../../../src/base/logger.ts";
import { doJobs } from "../../../src/features/hub/indexer.ts";
import type { HubStore } from "../../../src/features/hub/hub_store.ts";
import type { DoneJob } from "../../../src/features/hub/indexer.ts";
import { serveHubOverHttp } from "../../../src/features/hub/commands/hub_serve.ts";
import type { ThreadBounds } from "../../../src/features/hub/answers/answer_threads.ts";
import type { connectOverHttp } from "../../support/server/http_server.ts";

/** What clients of {@link serveAnd} send. */
export const TOKEN = "t".repeat(40);

/** Does all jobs that wait. */
export async function doAll(
  store: HubStore,
  folder: string,
  signal: AbortSignal,
): Promise<DoneJob[]> {
  const jobs: DoneJob[] = [];
  await doJobs({ store, analyser: OWN_THREAD, folder, signal, onJob: (job) => jobs.push(job) });
  return jobs;
}

/** Serves a hub while `act` runs. */
export async function serveAnd(
  store: HubStore,
  act: (url: string, end: () => Promise<void>) => Promise<void>,
  { bounds = {}, logger = SILENT_LOGGER }: {
    readonly bounds?: ThreadBounds;
    readonly logger?: Logger;
  } = {},
): Promise<void> {
  const end = new AbortController();
  const { promise: ready, resolve, reject } = Promise.withResolvers<string>();
  const serving = serveHubOverHttp({
    ...{ store, bounds, logger, hostname: "127.0.0.1", port: 0, token: TOKEN },
    signal: end.signal,
    onReady: resolve,
  });
  serving.catch(reject);
  try {
    await act(await ready, async () => {
      end.abort();
      await serving;
    });
  } finally {
    end.abort();
    await serving;
  }
}

/** A connected client. */
export type Client = Awaited<ReturnType<typeof connectOverHttp>>;
/** A reply. */
export type Answer = Readonly<Record<string, unknown>>;

/** The reply of a tool. */
export async function call(client: Client, name: string, args: Answer): Promise<Answer> {
  const { content } = await client.callTool({ name, arguments: args });
  const [first] = content as readonly { readonly text: string }[];
  return JSON.parse(first?.text ?? "{}");
}

/** What each repository answers. */
export async function ask(client: Client, name: string, args: Answer): Promise<readonly Answer[]> {
  const reply = await call(client, name, args);
  ok(reply["ok"] === true, JSON.stringify(reply));
  return reply["repositories"] as readonly Answer[];
}
