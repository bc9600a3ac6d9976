/**
 * Questions that were written by readers of repositories of the training list, each with the files that answer it: what
 * weights learn from beside the benchmark. The questions lie beside this file, the repositories are laid out from clones.
 */
import { join } from "node:path";
import { languageOfPath } from "../../src/language/languages.ts";
import { findGitDir, listTree, readTexts, writeTexts } from "../harness/clones.ts";
import { print } from "../harness/run.ts";
import type { BenchmarkQuery } from "./queries.ts";
import { readQueries } from "./queries.ts";

/**
 * How a question was written. `plain`: by readers who had lines of the benchmark for a style and no other advice.
 * `particular`: by readers who were asked for less obvious files too, and for words of their own.
 */
export type AnnotatedSet = "plain" | "particular";

const FOLDER = new URL("annotated/", import.meta.url);
const MAX_FILE_BYTES = 1_000_000;

/**
 * Lays the files out that the questions are asked of, a folder a repository, unless they are there. One without a clone
 * that has the commit is left out and told.
 *
 * @param clonesDir a folder with a clone a repository, named owner+name.
 * @returns the questions of those that are there.
 */
export async function layOutAnnotated(
  clonesDir: string,
  outDir: string,
): Promise<Readonly<Record<AnnotatedSet, readonly BenchmarkQuery[]>>> {
  const text = await Deno.readTextFile(new URL("repositories.json", FOLDER));
  const there = new Set<string>();
  for (const { name, root, revision } of JSON.parse(text)) {
    const target = join(outDir, name);
    const isThere = await Deno.stat(target).catch(() => null) !== null;
    const git = await findGitDir(join(clonesDir, name));
    const files = isThere
      ? []
      : (await listTree(git, revision)).filter(({ path, bytes }) =>
        (root === "." || path.startsWith(`${root}/`)) && bytes <= MAX_FILE_BYTES &&
        languageOfPath(path) !== undefined
      );
    await writeTexts(target, await readTexts(git, files));
    if (isThere || files.length > 0) there.add(name);
    else print(`${name}: left out, no clone has ${revision.slice(0, 12)}`);
  }
  const queries = await readQueries(FOLDER.pathname, "queries.jsonl") ?? [];
  const ofSet = (set: AnnotatedSet) =>
    queries.filter(({ id, repo }) => id.includes(`/${set}-`) && there.has(repo));
  return { plain: ofSet("plain"), particular: ofSet("particular") };
}
