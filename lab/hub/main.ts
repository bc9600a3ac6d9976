/**
 * Measures a hub on repositories of generated files: what indexing and a refresh cost, what the store holds, and how long
 * clients wait. `deno task hub-figures [--repositories N] [--files N] [--threads N,M] [--away MS] [--program PATH]` prints
 * lines, the last ones for a server with N and one with M threads, whose store answers so many milliseconds later;
 * `docs/hub.md` has them with what follows for many repositories.
 */
import { join } from "node:path";
import { AnalysisPool } from "../../src/analysis/analysis_pool.ts";
import { SILENT_LOGGER } from "../../src/base/logger.ts";
import { HubCode } from "../../src/features/hub/hub_code.ts";
import { HubStore } from "../../src/features/hub/hub_store.ts";
import { doJobs } from "../../src/features/hub/indexer.ts";
import { parseStorePlace } from "../../src/features/hub/postgres/store_place.ts";
import { countThreads } from "../../src/features/hub/answers/answer_threads.ts";
import { callHubTool } from "../../src/features/hub/answers/hub_call.ts";
import { startPostgres } from "../../tests/support/postgres.ts";
import { parseWords } from "../../tools/task.ts";
import { computeSum } from "../harness/figures.ts";
import { print } from "../harness/run.ts";
import { commitAll, writeSamples } from "../harness/sample_code.ts";
import { measureServer, placeAway, startServer, toQuestions } from "./clients.ts";

const USAGE =
  "deno task hub-figures [--repositories N] [--files N] [--threads N,M] [--away MS] [--program PATH]";
const CHANGED_FILES = 10;
const CALLS = 20;
const BYTES_PER_MB = 1024 * 1024;

const { values } = parseWords(USAGE, {
  args: Deno.args,
  options: {
    repositories: { type: "string", default: "4" },
    files: { type: "string", default: "250" },
    threads: { type: "string" },
    away: { type: "string" },
    program: { type: "string" },
  },
});
const repositories = Number(values.repositories);
const files = Number(values.files);
/** The executable that serves; without one it is the source. */
const program = values.program ?? null;

await using postgres = await startPostgres();
using distance = values.away === undefined
  ? null
  : placeAway(postgres.port, Number(values.away) / 2);
const store = await HubStore.open(parseStorePlace(postgres.url));
const folder = await Deno.makeTempDir();
const analyser = new AnalysisPool();
const { signal } = new AbortController();

/** Seconds that the jobs which wait take, and what they did. */
async function work(): Promise<string> {
  const startedAt = performance.now();
  let [read, failed] = [0, 0];
  await doJobs({
    ...{ store, analyser, signal, folder: join(folder, "mirrors") },
    onJob: ({ report }) => {
      read += report?.read ?? 0;
      if (report === null) failed++;
    },
  });
  const seconds = (performance.now() - startedAt) / 1_000;
  return `${read} files read in ${seconds.toFixed(1)} s${failed > 0 ? `, ${failed} failed` : ""}`;
}

try {
  const roots = Array.from({ length: repositories }, (_, at) => join(folder, `repository${at}`));
  for (const [at, root] of roots.entries()) {
    // No repository has a file of another one.
    await writeSamples(root, files, { from: at * files });
    await commitAll(root);
    store.add({ name: `repository${at}`, url: root, branch: null });
  }
  print(`index of ${repositories} repositories: ${await work()}`);
  store.link.exec("ANALYZE");
  store.askRefresh(null);
  print(`refresh without a change: ${await work()}`);
  const [first = ""] = roots;
  await writeSamples(first, CHANGED_FILES, { turn: 1 });
  await commitAll(first);
  store.askRefresh("repository0");
  print(`refresh after a commit of ${CHANGED_FILES} files: ${await work()}`);
  const tables = store.link.all(
    `SELECT relname AS name, pg_total_relation_size(oid) AS bytes, reltuples AS rows FROM pg_class
      WHERE relnamespace = 'code_intel'::regnamespace AND relkind = 'r' ORDER BY bytes DESC`,
  );
  const bytes = computeSum(tables, (row) => Number(row["bytes"]));
  print(`store: ${(bytes / BYTES_PER_MB).toFixed(0)} MB for ${repositories * files} files of 8 KB`);
  for (const row of tables.slice(0, 8)) {
    const mb = (Number(row["bytes"]) / BYTES_PER_MB).toFixed(1);
    print(`  ${String(row["name"])}: ${mb} MB, ${Number(row["rows"])} rows`);
  }
  const symbols = pickSymbols();
  await countRounds(symbols);
  // One thread, and as many as a server takes by itself, where none are named.
  const counts = values.threads?.split(",").map(Number) ??
    [1, countThreads(navigator.hardwareConcurrency)];
  for (const threads of counts) {
    const url = postgres.url.replace(`:${postgres.port}/`, `:${distance?.port ?? postgres.port}/`);
    await using server = await startServer({ folder, url, threads, program });
    await measureServer(server, { symbols, repositories, threads });
  }
} finally {
  analyser.close();
  store.close();
  await Deno.remove(folder, { recursive: true });
}

/** How often a call asks the store and waits for it. */
async function countRounds(symbols: readonly string[]): Promise<void> {
  const code = new HubCode(store, SILENT_LOGGER);
  const own = symbols.filter((symbol) =>
    store.listHaving(symbol, { isDefined: true }).includes("repository0")
  );
  const questions = {
    ...toQuestions(symbols, repositories),
    search_text: (at: number) => ({
      repository: `repository${at % repositories}`,
      pattern: at % 2 === 0
        ? symbols[at % symbols.length]
        : `\\b${symbols[at % symbols.length]}\\b`,
    }),
    analyze_impact: (at: number) => ({
      repository: "repository0",
      symbols: [own[at % own.length] ?? ""],
    }),
  };
  for (const [name, toArguments] of Object.entries(questions)) {
    const rounds: number[] = [];
    for (let at = 0; at < CALLS; at++) {
      const before = store.link.rounds;
      const parts = { store, code, logger: SILENT_LOGGER, signal };
      const reply = await callHubTool(name, toArguments(at), parts);
      if (!reply.ok) throw new Error(String(reply.message));
      rounds.push(store.link.rounds - before);
    }
    print(`${name}: ${Math.min(...rounds)} to ${Math.max(...rounds)} rounds to the store`);
  }
}

/** Names that the repositories define. */
function pickSymbols(): readonly string[] {
  const rows = store.link.all(
    `SELECT name.name FROM symbols AS symbol JOIN names AS name ON name.id = symbol.name
      GROUP BY name.name HAVING count(*) < 20 ORDER BY name.name LIMIT ?`,
    CALLS,
  );
  return rows.map((row) => String(row["name"]));
}
