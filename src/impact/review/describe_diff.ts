/** Opens index and working diff for the facts that a review is told. */
import type { DocumentPatterns } from "../../base/text/document_files.ts";
import type { FactStore } from "../../resolve/fact_store.ts";
import type { DiffFacts } from "./diff_facts.ts";
import type { DiffMemory, ReadDiffOptions } from "../diff.ts";
import { findDiffFacts } from "./diff_facts.ts";
import type { GraphAccess } from "../graph_access.ts";
import { findPinned } from "./pinned_texts.ts";
import { openGraph, readDiff } from "../graph_access.ts";

/** What the facts are looked up in. */
export interface DescribeAccess extends GraphAccess {
  readonly facts: FactStore;
  readonly diffs: DiffMemory;
  readonly loadPatterns: () => Promise<DocumentPatterns>;
}

/** The facts of the working diff in some files; null where the index does not know all files, or there is no git. */
export async function describeDiff(
  bench: DescribeAccess,
  paths: readonly string[],
  { seen, ...options }: ReadDiffOptions = {},
): Promise<DiffFacts | null> {
  const open = await openGraph(bench, options);
  const changed = open.kind === "refused"
    ? open
    : await readDiff(bench, { ...options, memory: bench.diffs, ...toSeen(seen) });
  if ("kind" in changed) return null;
  return await findDiffFacts(changed.filter(({ path }) => paths.includes(path)), {
    live: bench,
    ask: (question) => bench.index.read(question),
    readLines: (path) => bench.facts.readLines(path),
    patterns: await bench.loadPatterns(),
    files: await bench.listFiles(options),
    ...options,
  });
}

/** The lines of tests that expect a text which the working diff took out of these files; none without git. */
export async function describePinned(
  bench: DescribeAccess,
  paths: readonly string[],
  { seen, ...options }: ReadDiffOptions = {},
): Promise<readonly string[]> {
  const changed = await readDiff(bench, { ...options, memory: bench.diffs, ...toSeen(seen) });
  if ("kind" in changed) return [];
  return await findPinned(changed.filter(({ path }) => paths.includes(path)), {
    live: bench,
    readLines: (path) => bench.facts.readLines(path),
    listFiles: () => bench.listFiles(options),
    ...options,
  });
}

function toSeen(seen: string | undefined) {
  return seen === undefined ? {} : { seen };
}
