/** The index of one project: cold, unchanged, one file, a branch switch, a second worktree, questions. */
import { basename, join } from "node:path";
import { V8_FLAGS } from "../../tools/compile/v8_flags.ts";
import { runGit } from "../../tools/demo/sample_project.ts";
import { makeTempFolders, startServer } from "../../tools/demo/server.ts";
import { run } from "../../tools/run.ts";
import type { Figure } from "../harness/measure.ts";
import { computeMedian, figure, measurePairMs } from "../harness/measure.ts";
import { runScript } from "../harness/run.ts";
import { commitAll, writeSamples } from "../harness/sample_code.ts";
import type { IndexOnce } from "./index_once.ts";

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
    write: (root) => writeSamples(root, files),
    coldRuns: files > 5_000 ? 1 : 3,
    coldAim: `aim: at most ${seconds} s`,
    pattern: "createUserAccount",
  };
}

/** The files of a folder, without its history. */
export function toCopied(folder: string): BenchProject {
  const write = async (root: string) => {
    await run("cp", ["-R", `${folder}/.`, root], { cwd: "/" });
    await Deno.remove(join(root, ".git"), { recursive: true }).catch(() => {});
  };
  return { name: basename(folder), write, coldRuns: 3, coldAim: "", pattern: "[Rr]ead[A-Z]\\w+" };
}

/** Every figure of the index over one project. */
export async function measureIndex(project: BenchProject): Promise<readonly Figure[]> {
  await using folders = await makeTempFolders();
  const { root, stateDir } = folders;
  await project.write(root);
  const files = await commitAll(root, "--force");
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
  const take = (value: (run: IndexOnce) => number) => computeMedian(runs.map(value));
  const index: readonly Row[] = [
    ["index, cold", take(({ coldMs }) => coldMs), project.coldAim],
    ["sync, nothing changed", take(({ quietMs }) => quietMs), "aim: at most 30 ms"],
    ["freshness, nothing changed", take(({ freshMs }) => freshMs), "before every answer"],
    ["one file changed, in the answer", take((one) => one.oneFileMs), "aim: at most 50 ms"],
    ["branch switch, 5 % of the files", branch.coldMs, `${branch.parsed} analysed`],
    ["second worktree", second.coldMs, `${second.parsed} analysed`],
    ["find_definitions, engine", take((one) => one.definitionsMs), "aim: at most 5 ms"],
    ["find_references, engine", take((one) => one.referencesMs), "aim: at most 5 ms"],
    ["ranking of words, engine", take(({ rankingMs }) => rankingMs), "aim: at most 8 ms"],
    ["index by source", take((one) => one.indexBytes / one.sourceBytes), "aim: at most 3", "ratio"],
    [
      "peak memory of indexing",
      Math.round(take((one) => one.peakBytes)),
      "aim: at most 500 MB",
      "bytes",
    ],
  ];
  const rows = [...index, ...await measureServer(folders, { ...project, edited })];
  return rows.map(([name, value, note, unit = "ms"]) =>
    figure(`${project.name}: ${name}`, value, unit, note)
  );
}

type Row = readonly [name: string, value: number, note: string, unit?: Figure["unit"]];

/** Questions over MCP, as a client asks them. */
async function measureServer(
  folders: { readonly root: string; readonly stateDir: string },
  { pattern, edited }: BenchProject & { readonly edited: string },
): Promise<readonly Row[]> {
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
    await run("rg", ["--json", "-e", pattern, "."], { cwd: root });
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
    ["analyze_impact over MCP, one file, depth 2", impacts.ours, "aim: at most 100 ms"],
    ["the same, first after the start", firstMs, edited],
    ["search_text over MCP", ours, ""],
    ["the same, bare rg", theirs, "aim: at most 5 ms more"],
    ["find_definitions over MCP", defined.ours, symbol.symbol],
    ["find_references over MCP", used.ours, symbol.symbol],
  ];
}

function runOnce(root: string, folder: string, edited: string): Promise<IndexOnce> {
  return runScript("bench/index_once.ts", [root, folder, edited], [`--v8-flags=${V8_FLAGS}`]);
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
