/** What the disk has at paths and lines that a payload names. */
import { readRegularText } from "../../base/files/regular_file.ts";
import type { ProjectPath, TreePath } from "../../base/paths.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import type { Facts, PathFact } from "../../phase/facts.ts";
import type { PayloadOf } from "../../phase/payload/payloads.ts";
import { listObservedPlaces } from "../../phase/rules/removed_tests.ts";
import type { SessionContext } from "../context/sessions.ts";

/** What the disk has where an observation names lines. */
export async function readObserved(
  context: SessionContext,
  { observed }: Pick<PayloadOf<"READY_COMPLETE">, "observed">,
): Promise<Pick<Facts, "paths" | "lines">> {
  const files = listObservedPlaces(observed).map(({ path }) => path);
  const [paths, lines] = await Promise.all([
    readPathFacts(context, files),
    countLines(context, files),
  ]);
  return { paths, lines };
}

/** What the disk has at the named paths. */
export async function readPathFacts(
  context: SessionContext,
  paths: readonly ProjectPath[],
): Promise<Readonly<Record<string, PathFact>>> {
  const entries = await Promise.all(
    [...new Set(paths)].map(async (path) => [path, await context.paths.toFact(path)] as const),
  );
  return Object.fromEntries(entries);
}

/** Numbers of lines of the named files that can be read as text. */
export async function countLines(
  context: SessionContext,
  paths: readonly ProjectPath[],
): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  await Promise.all([...new Set(paths)].map(async (path) => {
    const lines = await readProjectLines(context, path);
    if (lines !== null) counts[path] = lines.length;
  }));
  return counts;
}

/** The lines of a file of the worktree; null where it cannot be read as text. */
export function readLines({ paths }: SessionContext, path: TreePath): readonly string[] | null {
  const bounds = { within: paths.toAbsolute("."), maxBytes: LIMITS.wholeFileBytes.value };
  const text = readRegularText(paths.toAbsolute(path), bounds);
  return text === undefined ? null : text.replace(/\n$/, "").split("\n");
}

/** The lines of a file by its path of the project; null where it cannot be read as text. */
export async function readProjectLines(
  context: SessionContext,
  path: ProjectPath,
): Promise<readonly string[] | null> {
  const found = await context.paths.toTarget(path);
  return found.kind === "refused" || found.target.kind !== "file"
    ? null
    : readLines(context, found.target.path);
}
