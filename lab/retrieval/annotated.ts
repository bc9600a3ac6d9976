/**
 * Questions that were written by readers of repositories of the training list, each with the files that answer it: what
 * weights learn from beside the benchmark. The questions lie beside this file, the repositories are laid out from clones.
 */
import { dirname, join } from "node:path";
import { languageOfPath } from "../../src/language/languages.ts";
import { findGitDir, listTree, readTexts } from "./clone.ts";
import type { BenchmarkQuery } from "./queries.ts";
import { readQueries } from "./queries.ts";

/**
 * How a question was written. `plain`: by readers who had lines of the benchmark for a style and no other advice.
 * `particular`: by readers who were asked for less obvious files too, and for words of their own.
 */
export type AnnotatedSet = "plain" | "particular";

/** Questions of both sets, by their set. */
export type AnnotatedQueries = Readonly<Record<AnnotatedSet, readonly BenchmarkQuery[]>>;

/** A repository of the questions. */
interface AnnotatedRepository {
  /** owner+name, as clones and questions call it. */
  readonly name: string;
  /** The folder whose files are searched; `.` is the whole repository. */
  readonly root: string;
  /** The commit that the questions were written for. */
  readonly revision: string;
}

const FOLDER = new URL("annotated/", import.meta.url);
const MAX_FILE_BYTES = 1_000_000;

/** All questions. */
export async function readAnnotated(): Promise<AnnotatedQueries> {
  const queries = await readQueries(FOLDER.pathname, "queries.jsonl") ?? [];
  const ofSet = (set: AnnotatedSet) => queries.filter(({ id }) => id.includes(`/${set}-`));
  return { plain: ofSet("plain"), particular: ofSet("particular") };
}

/**
 * Lays the files out that the questions are asked of, a folder a repository, unless they are there.
 *
 * @param clonesDir a folder with a clone a repository, named owner+name.
 * @returns the names of those that are there; one without a clone that has the commit is left out and told.
 */
export async function layOutAnnotated(
  clonesDir: string,
  outDir: string,
  print: (line: string) => void,
): Promise<ReadonlySet<string>> {
  const text = await Deno.readTextFile(new URL("repositories.json", FOLDER));
  const there = new Set<string>();
  for (const repository of JSON.parse(text) as readonly AnnotatedRepository[]) {
    const target = join(outDir, repository.name);
    const isThere = await Deno.stat(target).catch(() => null) !== null;
    if (isThere || await layOut(join(clonesDir, repository.name), repository, target)) {
      there.add(repository.name);
    } else print(`${repository.name}: left out, no clone has ${repository.revision.slice(0, 12)}`);
  }
  return there;
}

async function layOut(
  clone: string,
  { root, revision }: AnnotatedRepository,
  target: string,
): Promise<boolean> {
  const git = await findGitDir(clone);
  const files = (await listTree(git, revision)).filter(({ path, bytes }) =>
    (root === "." || path.startsWith(`${root}/`)) && bytes <= MAX_FILE_BYTES &&
    languageOfPath(path) !== undefined
  );
  for (const { path, text } of await readTexts(git, files)) {
    await Deno.mkdir(dirname(join(target, path)), { recursive: true });
    await Deno.writeTextFile(join(target, path), text);
  }
  return files.length > 0;
}
