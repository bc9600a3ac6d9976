/** Searches, snapshots and the map on a repository of 10,000 files, beside the bare programs. */
import { join } from "node:path";
import { writeWorktreeTree } from "../../src/git/index/private_index.ts";
import { takeSnapshot } from "../../src/git/snapshots/snapshots.ts";
import { openRepository } from "../../src/git/repository.ts";
import { makeTempFolders, startServer, toProgram } from "../../tools/demo/server.ts";
import { run } from "../../tools/run.ts";
import type { Figure } from "../harness/measure.ts";
import { figure, measurePairMs } from "../harness/measure.ts";
import { commitAll } from "../harness/sample_code.ts";

const FOLDERS = 100;
const FILES_PER_FOLDER = 100;
const DIRTY_FILES = 20;
const PATTERN = "needle_[0-9]+";

/** `search_text` beside `rg`, a snapshot beside `git status`, the map beside the start of a command. */
export async function measureRepository(): Promise<readonly Figure[]> {
  await using folders = await makeTempFolders();
  await writeRepository(folders.root);
  return [
    ...await measureSearch(folders),
    ...await measureSnapshot(folders.root),
    ...await measureMap(folders.root),
  ];
}

async function measureSearch(
  folders: { readonly root: string; readonly stateDir: string },
): Promise<readonly Figure[]> {
  const { client } = await startServer(folders);
  const { ours, theirs } = await measurePairMs(async () => {
    const { reply, durationMs } = await client.callTool("search_text", { pattern: PATTERN });
    if (reply.total !== FOLDERS) throw new Error(`search_text found ${reply.total}`);
    return durationMs;
  }, async () => {
    await run("rg", ["--json", "-e", PATTERN, "."], { cwd: folders.root });
  });
  await client.close();
  return [
    figure("search_text, 10,000 files", ours, "ms", `${FOLDERS} matches`),
    figure("the same, bare rg", theirs, "ms", "aim: at most 5 ms more"),
  ];
}

async function measureSnapshot(root: string): Promise<readonly Figure[]> {
  const repo = await openRepository(root);
  if (repo === null) throw new Error("the repository of the benchmark is gone");
  let turn = 0;
  const dirty = async () => {
    turn++;
    for (let file = 0; file < DIRTY_FILES; file++) {
      await Deno.writeTextFile(toPath(root, file, 0), `export const turn = ${turn} + ${file};\n`);
    }
  };
  const sessionId = "session_20260101_000000_0000";
  const actions = {
    "ledger check": () => writeWorktreeTree(repo, { sessionId }),
    snapshot: () => takeSnapshot(repo, { sessionId, label: "bench", at: new Date() }),
  };
  const figures: Figure[] = [];
  await dirty();
  for (const [name, action] of Object.entries(actions)) {
    for (const isChanged of [false, true]) {
      const timed = (work: () => Promise<unknown>) => async () => {
        if (isChanged) await dirty();
        const startedAt = performance.now();
        await work();
        return performance.now() - startedAt;
      };
      const { ours, theirs } = await measurePairMs(
        timed(action),
        timed(() => run("git", ["status", "--short"], { cwd: root })),
      );
      const files = isChanged ? "20 changed since the last" : "20 dirty as before";
      figures.push(
        figure(`${name}, 10,000 files, ${files}`, ours, "ms", "in the process"),
        figure("git status of the same", theirs),
        figure("ratio of the two", ours / theirs, "ratio", "aim: at most 2"),
      );
    }
  }
  return figures;
}

/** From an index and a past that are there, as a person starts it. */
async function measureMap(root: string): Promise<readonly Figure[]> {
  const [command, ...args] = toProgram();
  const start = async (...words: readonly string[]) => {
    await run(command, [...args, ...words], { cwd: root });
  };
  await start("index");
  const { ours, theirs } = await measurePairMs(
    () => start("map", "--json"),
    () => start("--version"),
  );
  return [
    figure("map, 10,000 files", ours, "ms", "aim: under 2,000 ms"),
    figure("the start of a command", theirs, "ms", "from source"),
  ];
}

async function writeRepository(root: string): Promise<void> {
  for (let folder = 0; folder < FOLDERS; folder++) {
    await Deno.mkdir(join(root, `f${folder}`));
    for (let file = 0; file < FILES_PER_FOLDER; file++) {
      await Deno.writeTextFile(toPath(root, folder, file), toText(folder, file));
    }
  }
  await commitAll(root);
}

function toPath(root: string, folder: number, file: number): string {
  return join(root, `f${folder}`, `m${file}.ts`);
}

/** About 1 KB; one file a folder has a line to find, and it is none of those that become dirty. */
function toText(folder: number, file: number): string {
  const lines = Array.from(
    { length: 24 },
    (_, line) => `export const v${line} = ${folder * line};`,
  );
  if (file === 1) lines.push(`export const needle_${folder} = ${file};`);
  return `${lines.join("\n")}\n`;
}
