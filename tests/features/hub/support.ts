/** A hub of repositories on a real PostgreSQL, asked without the network, and the same tools over a project on the disk. */
import { ok } from "node:assert/strict";
import { OWN_THREAD } from "../../../src/analysis/analysis_pool.ts";
import { NO_ASKER } from "../../../src/base/asker.ts";
import { SILENT_LOGGER } from "../../../src/base/logger.ts";
import type { Reply } from "../../../src/base/reply.ts";
import { HubCode } from "../../../src/features/hub/hub_code.ts";
import { HubStore } from "../../../src/features/hub/hub_store.ts";
import { doJobs } from "../../../src/features/hub/indexer.ts";
import { HUB_BOUNDS } from "../../../src/features/hub/search_budget.ts";
import type { SearchBounds } from "../../../src/features/hub/search_budget.ts";
import { parseStorePlace } from "../../../src/features/hub/postgres/store_place.ts";
import { NO_RUNS } from "../../../src/index/seen_runs.ts";
import type { Services } from "../../../src/services/services_api.ts";
import { readArguments } from "../../../src/tools/arguments.ts";
import { callHubTool } from "../../../src/features/hub/answers/hub_call.ts";
import { NO_REPOSITORIES } from "../../../src/services/other_repositories.ts";
import type { ToolRow } from "../../../src/tools/tool.ts";
import { startPostgres } from "../../support/postgres.ts";

/** An answer, as clients read it. */
export type Answer = Readonly<Record<string, unknown>>;

/** A hub under test. */
export interface TestHub extends AsyncDisposable {
  readonly store: HubStore;
  /** Calls a tool with the usual bounds, or with some of them changed. */
  call(name: string, args: Answer, bounds?: Partial<SearchBounds>): Promise<Answer>;
  /** The same for what one repository answers. */
  askOne(name: string, args: Answer): Promise<Answer>;
  /** Adds a repository and indexes it. */
  add(name: string, dir: string): Promise<void>;
}

/** Starts a hub of some repositories, by their names. */
export async function startHub(dirs: Readonly<Record<string, string>>): Promise<TestHub> {
  const postgres = await startPostgres();
  const place = parseStorePlace(postgres.url);
  const store = await HubStore.open(place);
  const folder = await Deno.makeTempDir();
  const { signal } = new AbortController();
  const add = async (name: string, dir: string) => {
    store.add({ name, url: dir, branch: null });
    const failed: string[] = [];
    await doJobs({
      ...{ store, folder, signal, analyser: OWN_THREAD },
      onJob: ({ failure }) => failure === null ? 0 : failed.push(failure),
    });
    ok(failed.length === 0, failed.join("\n"));
  };
  const code = new HubCode(store, SILENT_LOGGER);
  const hub: TestHub = {
    store,
    add,
    call: async (name, args, bounds) => {
      const parts = { store, code, logger: SILENT_LOGGER, signal };
      if (bounds === undefined) return toPlain(await callHubTool(name, args, parts));
      const own = await HubStore.open(place, { bounds: { ...HUB_BOUNDS, ...bounds } });
      try {
        const narrow = { ...parts, store: own, code: new HubCode(own, SILENT_LOGGER) };
        return toPlain(await callHubTool(name, args, narrow));
      } finally {
        own.close();
      }
    },
    askOne: async (name, args) => {
      const reply = await hub.call(name, args);
      const [only] = reply["repositories"] as readonly Answer[] ?? [];
      if (only === undefined) return reply;
      const { repository: _name, commit: _commit, indexed_at: _at, ...answer } = only;
      return answer;
    },
    [Symbol.asyncDispose]: async () => {
      store.close();
      await postgres[Symbol.asyncDispose]();
      await Deno.remove(folder, { recursive: true });
    },
  };
  for (const [name, dir] of Object.entries(dirs)) await add(name, dir);
  return hub;
}

/** What the same tool answers for a project, as a hub runs it. */
export async function runForProject(
  row: ToolRow,
  args: Answer,
  parts: Partial<Services>,
): Promise<Answer> {
  const read = readArguments(row, args);
  if (read.kind === "refused") return { ok: false, problems: read.problems };
  const services = {
    sessions: { findActive: () => Promise.resolve(null) },
    openOthers: () => Promise.resolve(NO_REPOSITORIES),
    openRuns: () => Promise.resolve(NO_RUNS),
    ...parts,
  } as unknown as Services;
  const { signal } = new AbortController();
  const progress = () => {};
  const outcome = await row.run(read.input, {
    ...{ services, signal, via: "mcp", asker: NO_ASKER, progress, maxBytes: 60_000 },
  });
  return toPlain(outcome.reply);
}

/** A reply as it is sent. */
function toPlain(reply: Reply): Answer {
  return JSON.parse(JSON.stringify(reply));
}
