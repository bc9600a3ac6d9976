/** Makes questions out of clones and lays the files out that they are asked of: `deno task retrieval --make`. */
import { join } from "node:path";
import { carryRange } from "../../src/evidence/carry.ts";
import { parseHunks } from "../../src/git/trees/changed_lines.ts";
import type { LineRange } from "../../src/git/trees/changed_lines.ts";
import { isText, languageOfPath } from "../../src/language/languages.ts";
import { parseTestName } from "../../src/language/test_names.ts";
import { shuffle } from "../harness/chance.ts";
import {
  findGitDir,
  findMissing,
  isOwnCode,
  listTree,
  readNames,
  readTexts,
  runGit,
  toFolder,
  writeTexts,
} from "../harness/clones.ts";
import { print } from "../harness/run.ts";
import { makeQuestions } from "./made_questions.ts";
import type { RightLines } from "./queries.ts";

const MAX_FILES = 1_500;
const MAX_FILE_BYTES = 150_000;
const COMMITS = 1_500;

/**
 * Makes all questions; answers how many. A repository without a clone is left out and named.
 *
 * @param clonesDir a folder with a clone a repository, named owner+name.
 * @param listPath a file with owner/name of each repository, one a line.
 * @param outDir gets `queries.jsonl`, and `repos/` with the files of each repository.
 */
export async function makeAll(
  { clonesDir, listPath, outDir }: {
    readonly clonesDir: string;
    readonly listPath: string;
    readonly outDir: string;
  },
): Promise<number> {
  const lines: string[] = [];
  await Deno.mkdir(outDir, { recursive: true });
  const names = await readNames(listPath);
  const missing = await findMissing(clonesDir, names);
  for (const full of names) {
    if (missing.includes(full)) {
      print(`${full}: left out, it has no clone`);
      continue;
    }
    const repo = full.replace("/", "+");
    const made = await makeOne(
      await findGitDir(toFolder(clonesDir, full)),
      join(outDir, "repos", repo),
    );
    made.forEach(({ kind, query, targets, lines: right }, at) => {
      const language = languageOfPath(targets[0] ?? "")?.name ?? "text";
      const answer = { category: kind, query, relevant: targets, lines: right };
      lines.push(JSON.stringify({ id: `${repo}-${at}`, repo, language, ...answer }));
    });
    print(`${full}: ${made.length} questions`);
    await Deno.writeTextFile(join(outDir, "queries.jsonl"), `${lines.join("\n")}\n`);
  }
  return lines.length;
}

async function makeOne(git: string, outDir: string) {
  const all = (await listTree(git)).filter(({ path, bytes }) => {
    const language = languageOfPath(path);
    const isRead = isOwnCode(path) || language !== undefined && isText(language);
    return isRead && bytes > 0 && bytes <= MAX_FILE_BYTES;
  });
  // Of large repositories sources come before tests, and tests before texts.
  const places = shuffle(all, ({ path }) => path).map((file) => ({ file, rank: toRank(file.path) }))
    .sort((a, b) => a.rank - b.rank).slice(0, MAX_FILES).map(({ file }) => file);
  const files = await readTexts(git, places);
  const form = ["--no-merges", "--no-renames", "--name-only", "--format=%x01%H%n%s"];
  const log = await runGit(git, ["log", ...form, "-n", String(COMMITS), "HEAD"]);
  const { questions, files: left } = await makeQuestions(files, new TextDecoder().decode(log));
  await writeTexts(outDir, left);
  return await Promise.all(questions.map(async ({ commit, ...question }) => {
    if (commit === undefined) return question;
    return { ...question, lines: await findCommitLines(git, commit, question.targets) };
  }));
}

/** The lines at the head that a commit wrote, as far as they are still there, by file. */
async function findCommitLines(
  git: string,
  commit: string,
  paths: readonly string[],
): Promise<RightLines> {
  const found: Record<string, readonly LineRange[]> = {};
  for (const path of paths) {
    const diff = async (from: string, to: string) => {
      const args = ["diff", "-U0", "--no-renames", "--no-ext-diff", from, to, "--", path];
      return parseHunks(new TextDecoder().decode(await runGit(git, args)));
    };
    const { ranges } = await diff(`${commit}^`, commit);
    const { hunks: since } = await diff(commit, "HEAD");
    found[path] = ranges.flatMap((range) => {
      const carried = carryRange(range, since);
      const isThere = carried.kind === "kept" || carried.kind === "changed";
      return isThere ? [{ start: carried.start, end: carried.end }] : [];
    });
  }
  return found;
}

function toRank(path: string): number {
  return !isOwnCode(path) ? 2 : parseTestName(path) === null ? 0 : 1;
}
