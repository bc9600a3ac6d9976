/** How long a command waits for the look at the members of a workspace, and which of them it begins with. */
import { deepStrictEqual as deepEqual, ok } from "node:assert/strict";
import { join } from "node:path";
import { OWN_THREAD } from "../../../src/analysis/analysis_pool.ts";
import { LIMITS } from "../../../src/base/settings/limits.ts";
import { createCodeIndex } from "../../../src/index/code_index.ts";
import type { CodeIndex } from "../../../src/index/index_api.ts";
import { Keeper } from "../../../src/features/workspace/keeper.ts";

const SETTINGS = {
  sourceDirs: [],
  excludePatterns: [],
  chunkMaxTokens: 400,
  syncTtlHours: 24,
  maxChunks: 1000,
  meaningOf: "none",
} as const;
const COUNT = 12;

/** An index over files that take some time to be listed, as those of a large repository on a busy machine. */
function openIndex(root: string, listMs: number, signal: AbortSignal): CodeIndex {
  return createCodeIndex({
    projectRoot: root,
    folder: join(root, ".code-intel"),
    listFiles: () => waitUnless(listMs, signal),
    loadSettings: () => Promise.resolve(SETTINGS),
    analyser: OWN_THREAD,
  });
}

/** An index that has everything. Opening a real one for each member takes a busy machine longer than a look may last. */
const READY = {
  ensureFresh: () => Promise.resolve({ pendingTotal: 0 }),
  close: () => Promise.resolve(),
} as unknown as CodeIndex;

async function withKeeper(
  open: (root: string, signal: AbortSignal) => CodeIndex,
  act: (keeper: Keeper, roots: readonly string[], looked: readonly string[]) => Promise<void>,
): Promise<void> {
  const dir = await Deno.makeTempDir({ prefix: "code-intel-keeper-" });
  const end = new AbortController();
  const looked: string[] = [];
  const roots = Array.from({ length: COUNT }, (_, at) => join(dir, `m${at}`));
  for (const root of roots) await Deno.mkdir(root);
  const keeper = new Keeper({
    onNotice: () => {},
    findLoss: () => null,
    openIndex: (root) => {
      looked.push(root);
      return open(root, end.signal);
    },
  });
  try {
    await act(keeper, roots, looked);
  } finally {
    end.abort();
    await keeper.close();
    await Deno.remove(dir, { recursive: true });
  }
}

async function waitUnless(waitMs: number, signal: AbortSignal): Promise<readonly string[]> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, waitMs);
  signal.addEventListener("abort", () => resolve());
  await promise;
  clearTimeout(timer);
  return [];
}

Deno.test("the look at members ends in time, however long one of them takes, and names what it did not come to", async () => {
  const open = (root: string, signal: AbortSignal) => openIndex(root, 600_000, signal);
  await withKeeper(open, async (keeper, roots) => {
    const startedMs = performance.now();
    const behind = await keeper.freshen(roots);
    const tookMs = performance.now() - startedMs;
    // Far above the bound, on which a busy machine comes late, and far below the time of one list.
    ok(tookMs < LIMITS.indexWaitMs.value + 60_000, `${Math.round(tookMs)} ms`);
    deepEqual(roots.map((root) => behind.get(root)?.kind), roots.map(() => "unseen"));
  });
});

Deno.test("the look does not begin with the same members in each process", async () => {
  const firsts = new Set<string>();
  for (let process = 0; process < 10; process++) {
    await withKeeper(() => READY, async (keeper, roots, looked) => {
      await keeper.freshen(roots);
      deepEqual([...looked].sort(), [...roots].sort());
      firsts.add(looked[0]?.split("/").at(-1) ?? "");
    });
  }
  // Ten processes that choose by chance begin with the same one less often than once in a thousand million runs.
  ok(firsts.size > 1, [...firsts].join());
});
