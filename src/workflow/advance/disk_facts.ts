/** What the disk has at paths and lines that a payload names. */
import type { ProjectPath } from "../../base/paths.ts";
import type { Facts, PathFact, PayloadOf } from "../../phase/mod.ts";
import { listObservedPlaces } from "../../phase/mod.ts";
import type { Bench } from "../desk.ts";
import { readProjectLines } from "./seen_files.ts";

/** What the disk has where an observation names lines. */
export async function toObservedFacts(
  bench: Bench,
  { observed }: Pick<PayloadOf<"READY_COMPLETE">, "observed">,
): Promise<Pick<Facts, "paths" | "lines">> {
  const files = listObservedPlaces(observed).map(({ path }) => path);
  const [paths, lines] = await Promise.all([
    toPathFacts(bench, files),
    toLineCounts(bench, files),
  ]);
  return { paths, lines };
}

/** What the disk has at the named paths. */
export async function toPathFacts(
  bench: Bench,
  paths: readonly ProjectPath[],
): Promise<Readonly<Record<string, PathFact>>> {
  const entries = await Promise.all(
    [...new Set(paths)].map(async (path) => [path, await bench.paths.toFact(path)] as const),
  );
  return Object.fromEntries(entries);
}

/** Numbers of lines of the named files that can be read as text. */
export async function toLineCounts(
  bench: Bench,
  paths: readonly ProjectPath[],
): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  await Promise.all([...new Set(paths)].map(async (path) => {
    const lines = await readProjectLines(bench, path);
    if (lines !== null) counts[path] = lines.length;
  }));
  return counts;
}
