/**
 * One process that indexes a project and prints what it took as JSON: `index_once.ts ROOT FOLDER`. A
 * process of its own, so that memory and the start of the workers are those of a user.
 */
import { listProjectFiles } from "../../src/git/trees/file_lists.ts";
import { join } from "node:path";
import { createBackends } from "../../src/backends/detect.ts";
import { SILENT_LOGGER } from "../../src/base/logger.ts";
import { openRepository } from "../../src/git/repository.ts";
import { createExplorer } from "../../src/explore/project_explorer.ts";
import { searchCode } from "../../src/ranking/code_search.ts";
import { RankingMemory } from "../../src/ranking/content_facts.ts";
import { computeQuantile, computeSum } from "../harness/figures.ts";
import { computeMedian } from "../harness/measure.ts";
import { openIndex } from "../harness/open_index.ts";
import { pause, print, timeMs } from "../harness/run.ts";

/** Files whose names are asked for. */
const ASKED = 25;

const [root = "", folder = "", edited = ""] = Deno.args;
const repo = await openRepository(root);
if (repo === null) throw new Error(`No repository at ${root}`);
const listFiles = (options: { readonly signal?: AbortSignal } = {}) =>
  listProjectFiles(repo, options);
const index = openIndex({
  projectRoot: repo.worktree,
  folder,
  listFiles,
  listDependsOn: [join(repo.gitDir, "index"), join(repo.commonDir, "info/exclude")],
}, { maxChunks: 1_000, meaningOf: "all" });

/** The middle of five. */
async function timeOften(action: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < 5; run++) times.push(await timeMs(action));
  return computeMedian(times);
}

/** Writes a file and asks until the answer has it; large projects are looked at once a second. */
async function editOnce(): Promise<void> {
  await Deno.writeTextFile(join(root, edited), `export function edited${++turn}() {}\n`);
  const endsAt = performance.now() + 5_000;
  for (;;) {
    const { pendingTotal } = await index.ensureFresh({ budgetMs: 10_000 });
    const found = await index.read((view) => view.findSymbols({ name: `edited${turn}` }).total);
    if (pendingTotal === 0 && found > 0) return;
    if (performance.now() > endsAt) throw new Error("the edit is not in the index");
    await pause(5);
  }
}

async function measureQuestions() {
  const names = await index.read((view) => {
    const paths = view.listFiles().map(({ path }) => path);
    const step = Math.max(1, Math.floor(paths.length / ASKED));
    return paths.filter((_, at) => at % step === 0).flatMap((path) => {
      const own = view.listSymbols(path);
      return own[Math.floor(own.length / 2)]?.name ?? [];
    });
  });
  const explorer = createExplorer({
    projectRoot: root,
    // As the server asks: the list that the index remembers, and not one of git for each question.
    listFiles: (options) => index.listFiles(options),
    backends: createBackends({ env: { get: () => undefined } }),
    logger: SILENT_LOGGER,
    index,
  });
  const memory = new RankingMemory();
  // Each is asked once before.
  const toMiddle = async (ask: (name: string) => Promise<unknown>) => {
    const times: number[] = [];
    for (const name of names) await ask(name);
    for (const name of names) times.push(await timeMs(() => ask(name)));
    return computeQuantile(times, 0.5);
  };
  return {
    definitionsMs: await toMiddle((symbol) =>
      explorer.findDefinitions({ symbol, exactMatch: false, maxResults: 50 })
    ),
    referencesMs: await toMiddle((symbol) =>
      explorer.findReferences({ symbol, includeText: false, maxResults: 50 })
    ),
    rankingMs: await toMiddle((name) =>
      index.read((view) => searchCode(view, toQuestion(name), { memory }))
    ),
  };
}

/** A question in words that has those of a name. */
function toQuestion(name: string): string {
  return `where does it ${
    name.replaceAll(/[^A-Za-z]+|(?=[A-Z])/g, " ").toLowerCase()
  } for the user`;
}

let turn = 0;

/** What one process found out. */
export type IndexOnce = Awaited<ReturnType<typeof measure>>;

async function measure() {
  let peakBytes = 0;
  const sampling = setInterval(() => {
    peakBytes = Math.max(peakBytes, Deno.memoryUsage().rss);
  }, 20);
  const startedAt = performance.now();
  const { parsed, counts: { files } } = await index.sync();
  const coldMs = performance.now() - startedAt;
  clearInterval(sampling);
  // What was written within the last second is read once more before it counts as quiet.
  await pause(1_100);
  await index.sync();
  const quietMs = await timeOften(() => index.sync());
  const freshMs = await timeOften(() => index.ensureFresh());
  const oneFileMs = edited === "" ? 0 : await timeOften(editOnce);
  const asked = await measureQuestions();
  const listed = await index.read((view) => view.listFiles());
  const sourceBytes = computeSum(listed, ({ sizeBytes }) => sizeBytes);
  await index.close();
  const indexBytes = (await Deno.stat(join(folder, "index.db"))).size;
  const times = { coldMs, quietMs, freshMs, oneFileMs };
  return { ...asked, ...times, peakBytes, sourceBytes, indexBytes, parsed, files };
}

if (import.meta.main) {
  print(JSON.stringify(await measure()));
  Deno.exit(0);
}
