/** The index: cold, unchanged, one file, a branch switch, a second worktree; its size and memory. */
import { dirname, join } from "node:path";
import { runGit } from "../demo/sample_project.ts";
import { makeTempFolders, REPOSITORY } from "../demo/server.ts";
import type { IndexOnce } from "./index_once.ts";
import type { Figure } from "./measure.ts";
import { runProgram, toMedian } from "./measure.ts";
import { makeSampleFile } from "./sample_code.ts";

const FILES = 1_000;
const COLD_RUNS = 3;
/** One file in twenty differs on the other branch. */
const CHANGED_EVERY = 20;

/** Every figure of the index, over 1,000 files of about 8 KB in four languages. */
export async function measureIndex(): Promise<readonly Figure[]> {
  await using folders = await makeTempFolders();
  const { root, stateDir } = folders;
  await writeProject(root);
  const runs: IndexOnce[] = [];
  for (let run = 0; run < COLD_RUNS; run++) {
    // Each run edits another file, so that each starts with contents that it has not seen.
    runs.push(await runOnce(root, join(stateDir, `cold${run}`), makeSampleFile(run * 4).path));
  }
  const folder = join(stateDir, "shared");
  await runGit(root, ["checkout", "--quiet", "."]);
  await runOnce(root, folder, "");
  const branch = await switchBranch(root, folder);
  const second = await addWorktree(root, `${stateDir}/second`, folder);
  const take = (value: (run: IndexOnce) => number) => toMedian(runs.map(value));
  const ms = (name: string, value: number, note: string): Figure => ({
    name,
    value,
    unit: "ms",
    note,
  });
  return [
    ms("index, 1,000 files of 8 KB, cold", take(({ coldMs }) => coldMs), "aim: at most 4,000 ms"),
    ms("sync, nothing changed", take(({ quietMs }) => quietMs), "aim: at most 30 ms"),
    ms("freshness, nothing changed", take(({ freshMs }) => freshMs), "before every answer"),
    ms("one file changed, in the answer", take(({ oneFileMs }) => oneFileMs), "aim: at most 50 ms"),
    ms("branch switch, 5 % of the files", branch.coldMs, `${branch.parsed} contents analysed`),
    ms("second worktree", second.coldMs, `${second.parsed} contents analysed`),
    {
      name: "index size by source size",
      value: take(({ indexBytes, sourceBytes }) => indexBytes / sourceBytes),
      unit: "ratio",
      note: "aim: at most 3",
    },
    {
      name: "memory while indexing",
      value: Math.round(take(({ peakBytes }) => peakBytes)),
      unit: "bytes",
      note: "peak of the process",
    },
  ];
}

async function runOnce(root: string, folder: string, edited: string): Promise<IndexOnce> {
  const script = join(REPOSITORY, "tools/bench/index_once.ts");
  const args = ["run", "-A", "--no-check", script, root, folder, edited];
  return JSON.parse(await runProgram(Deno.execPath(), args, REPOSITORY));
}

async function writeProject(root: string): Promise<void> {
  await runGit(root, ["init", "--quiet", "--initial-branch=main"]);
  await runGit(root, ["config", "user.name", "Bench"]);
  await runGit(root, ["config", "user.email", "bench@example.org"]);
  await runGit(root, ["config", "commit.gpgsign", "false"]);
  for (let at = 0; at < FILES; at++) await writeSample(root, at, 0);
  await runGit(root, ["add", "--all"]);
  await runGit(root, ["commit", "--quiet", "--message", "Everything"]);
}

async function writeSample(root: string, at: number, turn: number): Promise<void> {
  const { path, text } = makeSampleFile(at, turn);
  await Deno.mkdir(dirname(join(root, path)), { recursive: true });
  await Deno.writeTextFile(join(root, path), text);
}

async function switchBranch(root: string, folder: string): Promise<IndexOnce> {
  await runGit(root, ["switch", "--quiet", "--create", "other"]);
  for (let at = 0; at < FILES; at += CHANGED_EVERY) await writeSample(root, at, 1);
  await runGit(root, ["commit", "--quiet", "--all", "--message", "Other"]);
  return await runOnce(root, folder, "");
}

async function addWorktree(root: string, path: string, folder: string): Promise<IndexOnce> {
  await runGit(root, ["worktree", "add", "--quiet", path, "main"]);
  return await runOnce(path, folder, "");
}
