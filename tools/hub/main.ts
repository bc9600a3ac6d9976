/**
 * Measures a hub on repositories of generated files: what indexing and a refresh cost, what the store holds, and how long
 * clients wait. `deno task hub-figures [--repositories N] [--files N]` prints lines; `docs/hub.md` has them with what
 * follows for many repositories.
 */
import { dirname, join } from "node:path";
import { AnalysisPool } from "../../src/analysis/mod.ts";
import { SILENT_LOGGER } from "../../src/base/logger.ts";
import { doJobs, HubCode, HubStore } from "../../src/hub/mod.ts";
import { parseStorePlace } from "../../src/index/mod.ts";
import { serveHub } from "../../src/mcp/mod.ts";
import { connectOverHttp } from "../../tests/support/http_server.ts";
import { startPostgres } from "../../tests/support/postgres.ts";
import { makeSampleFile } from "../bench/sample_code.ts";
import { runGit } from "../demo/sample_project.ts";
import { parseWords } from "../task.ts";

const USAGE = "deno task hub-figures [--repositories N] [--files N]";
const TOKEN = "f".repeat(40);
const CHANGED_FILES = 10;
const CALLS = 20;
const CLIENTS = 50;
const BYTES_PER_MB = 1024 * 1024;

const { values } = parseWords(USAGE, {
  args: Deno.args,
  options: { repositories: { type: "string" }, files: { type: "string" } },
});
const repositories = Number(values.repositories ?? 4);
const files = Number(values.files ?? 250);

function print(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
}

/** Files of one repository, none of which another one has. */
async function writeFiles(root: string, from: number, count: number, turn = 0): Promise<void> {
  for (let at = from; at < from + count; at++) {
    const { path, text } = makeSampleFile(at, turn);
    await Deno.mkdir(dirname(join(root, path)), { recursive: true });
    await Deno.writeTextFile(join(root, path), text);
  }
}

async function commit(root: string): Promise<void> {
  await runGit(root, ["add", "-A"]);
  await runGit(root, [
    ...["-c", "user.name=Hub", "-c", "user.email=hub@example.org"],
    ...["commit", "--quiet", "-m", "State"],
  ]);
}

/** Milliseconds at the middle, at 95 of 100, and of the slowest. */
function toSpread(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0);
  return `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, slowest ${at(1)} ms`;
}

await using postgres = await startPostgres();
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
    await Deno.mkdir(root);
    await runGit(root, ["init", "--quiet", "--initial-branch=main"]);
    await writeFiles(root, at * files, files);
    await commit(root);
    store.add({ name: `repository${at}`, url: root, branch: null });
  }
  print(`index of ${repositories} repositories: ${await work()}`);
  store.link.exec("ANALYZE");
  store.askRefresh(null);
  print(`refresh without a change: ${await work()}`);
  const [first = ""] = roots;
  await writeFiles(first, 0, CHANGED_FILES, 1);
  await commit(first);
  store.askRefresh("repository0");
  print(`refresh after a commit of ${CHANGED_FILES} files: ${await work()}`);
  const tables = store.link.all(
    `SELECT relname AS name, pg_total_relation_size(oid) AS bytes, reltuples AS rows FROM pg_class
      WHERE relnamespace = 'code_intel'::regnamespace AND relkind = 'r' ORDER BY bytes DESC`,
  );
  const bytes = tables.reduce((sum, row) => sum + Number(row["bytes"]), 0);
  print(`store: ${(bytes / BYTES_PER_MB).toFixed(0)} MB for ${repositories * files} files of 8 KB`);
  for (const row of tables.slice(0, 8)) {
    const mb = (Number(row["bytes"]) / BYTES_PER_MB).toFixed(1);
    print(`  ${String(row["name"])}: ${mb} MB, ${Number(row["rows"])} rows`);
  }
  await measureCalls();
} finally {
  analyser.close();
  store.close();
  await Deno.remove(folder, { recursive: true });
}

async function measureCalls(): Promise<void> {
  const end = new AbortController();
  const ready = Promise.withResolvers<string>();
  const code = new HubCode(store, SILENT_LOGGER);
  const serving = serveHub({
    ...{ store, code, logger: SILENT_LOGGER, hostname: "127.0.0.1", port: 0, token: TOKEN },
    signal: end.signal,
    onReady: ready.resolve,
  });
  const url = await ready.promise;
  const client = await connectOverHttp({ url, token: TOKEN }, "2026-07-28");
  const symbols = await pickSymbols();
  const questions = {
    find_definitions: (at: number) => ({ symbol: symbols[at % symbols.length] }),
    find_references: (at: number) => ({ symbol: symbols[at % symbols.length] }),
    semantic_search: (at: number) => ({
      repository: `repository${at % repositories}`,
      query: `where is the ${at % 2 === 0 ? "payment of an order" : "session of a user"} saved`,
    }),
  };
  for (const [name, toArguments] of Object.entries(questions)) {
    const times: number[] = [];
    const rounds: number[] = [];
    for (let at = 0; at < CALLS; at++) {
      const [startedAt, before] = [performance.now(), store.link.rounds];
      await client.callTool({ name, arguments: toArguments(at) });
      times.push(performance.now() - startedAt);
      rounds.push(store.link.rounds - before);
    }
    const [fewest, most] = [Math.min(...rounds), Math.max(...rounds)];
    print(`${name}, one client: ${toSpread(times)}; ${fewest} to ${most} rounds to the store`);
  }
  await client.close();
  const startedAt = performance.now();
  const times = await Promise.all(Array.from({ length: CLIENTS }, async (_, at) => {
    const own = await connectOverHttp({ url, token: TOKEN }, "2026-07-28");
    const askedAt = performance.now();
    await own.callTool({ name: "find_definitions", arguments: questions.find_definitions(at) });
    const waited = performance.now() - askedAt;
    await own.close();
    return waited;
  }));
  const seconds = (performance.now() - startedAt) / 1_000;
  print(
    `find_definitions, ${CLIENTS} clients at once: ${toSpread(times)}; ${
      (CLIENTS / seconds).toFixed(0)
    } clients a second`,
  );
  end.abort();
  await serving;
}

/** Names that the repositories define. */
function pickSymbols(): Promise<readonly string[]> {
  const rows = store.link.all(
    `SELECT name.name FROM symbols AS symbol JOIN names AS name ON name.id = symbol.name
      GROUP BY name.name HAVING count(*) < 20 ORDER BY name.name LIMIT ?`,
    CALLS,
  );
  return Promise.resolve(rows.map((row) => String(row["name"])));
}
