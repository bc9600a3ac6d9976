/** The index of one project: cold, unchanged, one file, a branch switch, a second worktree, questions. */
import { dirname, join } from "node:path";
import { V8_FLAGS } from "../../tools/compile/v8_flags.ts";
import { runGit } from "../../tools/demo/sample_project.ts";
import { makeTempFolders, REPOSITORY, startServer } from "../../tools/demo/server.ts";
import type { IndexOnce } from "./index_once.ts";
import type { Figure } from "../../tools/measure.ts";
import { measurePairMs, runProgram, toMedian } from "../../tools/measure.ts";
import { makeSampleFile } from "./sample_code.ts";

/** A project to measure. */
export interface BenchProject {
  /** How its figures are called. */
  readonly name: string;
  /** Writes its files into an empty folder. */
  readonly write: (root: string) => Promise<void>;
  /** Runs from nothing; the middle one counts. */
  readonly coldRuns: number;
  /** What the cold run should take, in words. */
  readonly coldAim: string;
  /** A pattern with some hits. */
  readonly pattern: string;
}

/** One file in twenty differs on the other branch. */
const CHANGED_EVERY = 20;

/** A project of generated files of about 8 KB in four languages. */
export function toGenerated(files: number): BenchProject {
  const seconds = files === 50_000 ? 300 : files * 4 / 1_000;
  return {
    name: `${files.toLocaleString("en")} files of 8 KB`,
    write: async (root) => {
      for (let at = 0; at < files; at++) await writeSample(root, at);
    },
    coldRuns: files > 5_000 ? 1 : 3,
    coldAim: `aim: at most ${seconds} s`,
    pattern: "createUserAccount",
  };
}

/** The files of a folder, without its history. */
export function toCopied(folder: string): BenchProject {
  const name = folder.replace(/\/+$/, "").split("/").at(-1) ?? folder;
  const write = async (root: string) => {
    await runProgram("cp", ["-R", `${folder}/.`, root], REPOSITORY);
    await Deno.remove(join(root, ".git"), { recursive: true }).catch(() => {});
  };
  return { name, write, coldRuns: 3, coldAim: "", pattern: "[Rr]ead[A-Z]\\w+" };
}

async function writeSample(root: string, at: number): Promise<void> {
  const { path, text } = makeSampleFile(at);
  await Deno.mkdir(dirname(join(root, path)), { recursive: true });
  await Deno.writeTextFile(join(root, path), text);
}

/** Every figure of the index over one project. */
export async function measureIndex(project: BenchProject): Promise<readonly Figure[]> {
  await using folders = await makeTempFolders();
  const { root, stateDir } = folders;
  await project.write(root);
  const files = await commitAll(root);
  const edited = files.find((path) => path.endsWith(".ts")) ?? "bench_edit.ts";
  const runs: IndexOnce[] = [];
  for (let run = 1; run < project.coldRuns; run++) {
    runs.push(await runOnce(root, join(stateDir, `cold${run}`), edited));
    await restore(root);
  }
  // The server's own place, so that it finds this index below.
  const folder = join(root, ".git", "code-intel");
  runs.push(await runOnce(root, folder, edited));
  await restore(root);
  await runOnce(root, folder, "");
  const branch = await switchBranch(root, folder, files);
  const second = await addWorktree(root, `${stateDir}/second`, folder);
  const take = (value: (run: IndexOnce) => number) => toMedian(runs.map(value));
  const figure = (
    name: string,
    value: number,
    note: string,
    unit: Figure["unit"] = "ms",
  ): Figure => ({
    name: `${project.name}: ${name}`,
    value,
    unit,
    note,
  });
  return [
    figure("index, cold", take(({ coldMs }) => coldMs), project.coldAim),
    figure("sync, nothing changed", take(({ quietMs }) => quietMs), "aim: at most 30 ms"),
    figure("freshness, nothing changed", take(({ freshMs }) => freshMs), "before every answer"),
    figure("one file changed, in the answer", take((run) => run.oneFileMs), "aim: at most 50 ms"),
    figure("branch switch, 5 % of the files", branch.coldMs, `${branch.parsed} analysed`),
    figure("second worktree", second.coldMs, `${second.parsed} analysed`),
    figure("find_definitions, engine", take((run) => run.definitionsMs), "aim: at most 5 ms"),
    figure("find_references, engine", take((run) => run.referencesMs), "aim: at most 5 ms"),
    figure("ranking of words, engine", take(({ rankingMs }) => rankingMs), "aim: at most 8 ms"),
    figure(
      "index by source",
      take((run) => run.indexBytes / run.sourceBytes),
      "aim: at most 3",
      "ratio",
    ),
    figure(
      "peak memory of indexing",
      Math.round(take((run) => run.peakBytes)),
      "aim: at most 500 MB",
      "bytes",
    ),
    ...await measureServer(folders, { ...project, edited }, figure),
  ];
}

/** Questions over MCP, as a client asks them. */
async function measureServer(
  folders: { readonly root: string; readonly stateDir: string },
  { pattern, edited }: BenchProject & { readonly edited: string },
  figure: (name: string, value: number, note: string) => Figure,
): Promise<readonly Figure[]> {
  const { root } = folders;
  await Deno.mkdir(join(root, ".code-intel"), { recursive: true });
  // Vectors that are made behind the answers would be measured with them.
  const config = JSON.stringify({ embedding_model: "none", sync_on_start: false });
  await Deno.writeTextFile(join(root, ".code-intel/config.json"), config);
  const { client } = await startServer(folders);
  await client.callTool("sync_index", {});
  const ask = (tool: string, input: unknown) => async () =>
    (await client.callTool(tool, input)).durationMs;
  const bare = async () => {
    await runProgram("rg", ["--json", "-e", pattern, "."], root);
  };
  const { ours, theirs } = await measurePairMs(ask("search_text", { pattern }), bare);
  const symbol = { symbol: pattern.match(/^\w+$/)?.[0] ?? "Read" };
  const defined = await measurePairMs(ask("find_definitions", symbol), async () => {});
  const used = await measurePairMs(ask("find_references", symbol), async () => {});
  const impact = ask("analyze_impact", { target_files: [edited], depth: 2 });
  const firstMs = await impact();
  const impacts = await measurePairMs(impact, async () => {});
  await client.close();
  return [
    figure("analyze_impact over MCP, one file, depth 2", impacts.ours, "aim: at most 100 ms"),
    figure("the same, first after the start", firstMs, edited),
    figure("search_text over MCP", ours, ""),
    figure("the same, bare rg", theirs, "aim: at most 5 ms more"),
    figure("find_definitions over MCP", defined.ours, symbol.symbol),
    figure("find_references over MCP", used.ours, symbol.symbol),
  ];
}

async function runOnce(root: string, folder: string, edited: string): Promise<IndexOnce> {
  const script = join(REPOSITORY, "lab/bench/index_once.ts");
  const config = join(REPOSITORY, "deno.json");
  const flags = `--v8-flags=${V8_FLAGS}`;
  const args = ["run", "-A", "--quiet", "--no-check", flags, "--config", config, script];
  return JSON.parse(await runProgram(Deno.execPath(), [...args, root, folder, edited], REPOSITORY));
}

/** Makes a repository of the folder; answers its files. */
async function commitAll(root: string): Promise<readonly string[]> {
  await runGit(root, ["init", "--quiet", "--initial-branch=main"]);
  await runGit(root, ["config", "user.name", "Bench"]);
  await runGit(root, ["config", "user.email", "bench@example.org"]);
  await runGit(root, ["config", "commit.gpgsign", "false"]);
  await runGit(root, ["add", "--all", "--force"]);
  await runGit(root, ["commit", "--quiet", "--message", "Everything"]);
  const listed = await runProgram("git", ["ls-files", "-z"], root);
  return listed.split("\0").filter((path) => path !== "");
}

async function restore(root: string): Promise<void> {
  await runGit(root, ["checkout", "--quiet", "."]);
  await runGit(root, ["clean", "--quiet", "-fd"]);
}

async function switchBranch(
  root: string,
  folder: string,
  files: readonly string[],
): Promise<IndexOnce> {
  await runGit(root, ["switch", "--quiet", "--create", "other"]);
  for (const path of files.filter((_, at) => at % CHANGED_EVERY === 0)) {
    // One more line end is another content in every language.
    await Deno.writeTextFile(join(root, path), "\n", { append: true });
  }
  await runGit(root, ["commit", "--quiet", "--all", "--message", "Other"]);
  return await runOnce(root, folder, "");
}

async function addWorktree(root: string, path: string, folder: string): Promise<IndexOnce> {
  await runGit(root, ["worktree", "add", "--quiet", path, "main"]);
  return await runOnce(path, folder, "");
}
