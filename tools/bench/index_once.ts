/**
 * One process that indexes a project and prints what it took as JSON: `index_once.ts ROOT FOLDER`. A
 * process of its own, so that memory and the start of the workers are those of a user.
 */
import { join } from "node:path";
import { listProjectFiles, openRepository } from "../../src/git/mod.ts";
import { createCodeIndex } from "../../src/index/mod.ts";

/** What one process found out. */
export interface IndexOnce {
  readonly coldMs: number;
  readonly quietMs: number;
  readonly freshMs: number;
  readonly oneFileMs: number;
  readonly peakBytes: number;
  readonly sourceBytes: number;
  readonly indexBytes: number;
  readonly parsed: number;
}

const [root = "", folder = "", edited = ""] = Deno.args;
const repo = await openRepository(root);
if (repo === null) throw new Error(`No repository at ${root}`);
const index = createCodeIndex({
  projectRoot: repo.worktree,
  folder,
  listFiles: (options) => listProjectFiles(repo, options),
  listDependsOn: [join(repo.gitDir, "index"), join(repo.commonDir, "info/exclude")],
  loadSettings: () =>
    Promise.resolve({
      sourceDirs: [],
      excludePatterns: [],
      chunkMaxTokens: 512,
      maxChunks: 1_000,
      hasVectors: true,
      syncTtlHours: 1,
    }),
});

async function time(action: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await action();
  return performance.now() - startedAt;
}

/** The middle of five. */
async function timeOften(action: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < 5; run++) times.push(await time(action));
  return times.sort((a, b) => a - b)[2] ?? 0;
}

let peakBytes = 0;
const sampling = setInterval(() => {
  peakBytes = Math.max(peakBytes, Deno.memoryUsage().rss);
}, 20);
const startedAt = performance.now();
const { parsed } = await index.sync();
const coldMs = performance.now() - startedAt;
clearInterval(sampling);
// What was written within the last second is read once more before it counts as quiet.
await new Promise((resolve) => setTimeout(resolve, 1_100));
await index.sync();
const quietMs = await timeOften(() => index.sync());
const freshMs = await timeOften(() => index.ensureFresh());
let turn = 0;
const oneFileMs = edited === "" ? 0 : await timeOften(async () => {
  await Deno.writeTextFile(join(root, edited), `export function edited${++turn}() {}\n`);
  const { pendingTotal } = await index.ensureFresh({ budgetMs: 10_000 });
  const found = await index.read((view) => view.findSymbols({ name: `edited${turn}` }).total);
  if (pendingTotal > 0 || found === 0) throw new Error("the edit is not in the index");
});
const sourceBytes = await index.read((view) =>
  view.listFiles().reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
);
await index.close();
const indexBytes = (await Deno.stat(join(folder, "index.db"))).size;
const result: IndexOnce = {
  coldMs,
  quietMs,
  freshMs,
  oneFileMs,
  peakBytes,
  sourceBytes,
  indexBytes,
  parsed,
};
Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(result)));
Deno.exit(0);
