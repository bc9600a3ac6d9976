/** Runs many processes on one index, kills some of them, and compares what is left with a fresh index. */
import { deepStrictEqual as deepEqual, ok } from "node:assert/strict";
import { join } from "node:path";
import type { IndexView } from "../../src/index/read/view.ts";
import { createTempRepo } from "../support/temp_repo.ts";
import { makeFiles, openTestIndex } from "./support.ts";
import { killChild } from "../support/server/processes.ts";

/** How hard it is made. */
export interface ManyProcessesOptions {
  readonly writers: number;
  readonly readers: number;
  readonly seconds: number;
  /** How many processes are killed and replaced. */
  readonly kills: number;
  readonly files: number;
}

const CLIENT = new URL("./index_client.ts", import.meta.url);

/** Fails when an error reached a client, an answer was wrong, or the index differs from a fresh one. */
export async function checkManyProcesses(options: ManyProcessesOptions): Promise<void> {
  const { writers, readers, seconds, kills, files } = options;
  await using repo = await createTempRepo({ files: makeFiles(files) });
  const endsAt = Date.now() + seconds * 1000;
  let seed = 0;
  const start = (role: string) => startClient(repo.dir, role, (endsAt - Date.now()) / 1000, ++seed);
  const running = [
    ...Array.from({ length: writers }, () => start("writer")),
    ...Array.from({ length: readers }, () => start("reader")),
  ];
  for (let kill = 0; kill < kills; kill++) {
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000 / (kills + 1)));
    const at = kill % running.length;
    const victim = running[at];
    if (victim !== undefined) killChild(victim.child);
    await victim?.output;
    running[at] = start(victim?.role ?? "writer");
  }
  const outputs = await Promise.all(running.map(({ output }) => output));
  for (const { text, errors } of outputs) {
    deepEqual(text.split("\n").filter((line) => !/^done \d+$|^$/.test(line)), [], errors);
    ok(/^done \d+$/m.test(text), errors);
  }
  await using last = openTestIndex(repo.repo);
  await last.index.sync();
  await using fresh = openTestIndex(repo.repo, {
    options: { folder: join(repo.repo.gitDir, "fresh") },
  });
  await fresh.index.sync();
  deepEqual(await last.index.read(toDump), await fresh.index.read(toDump));
  deepEqual(last.notices, []);
}

function startClient(dir: string, role: string, seconds: number, seed: number) {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", CLIENT.href, dir, role, `${seconds}`, `${seed}`],
    stdout: "piped",
    stderr: "piped",
    stdin: "null",
  }).spawn();
  const output = child.output().then(({ stdout, stderr }) => ({
    text: new TextDecoder().decode(stdout),
    errors: new TextDecoder().decode(stderr),
  }));
  return { child, role, output };
}

/** Everything that the index says, without the numbers of this database. */
export function toDump(view: IndexView): unknown {
  const names = new Set<string>();
  const files = view.listFiles().map((file) => {
    view.listNames(file.path).forEach((name) => names.add(name));
    return {
      ...file,
      symbols: view.listSymbols(file.path),
      imports: view.listImports(file.path),
      chunks: view.listChunks(file.path).map(({ number: _, ...chunk }) => chunk),
    };
  });
  return {
    files,
    skipped: view.listSkipped(),
    occurrences: [...names].sort().map((name) => [name, view.findOccurrences(name)]),
    texts: [...names].sort().slice(0, 200).map((name) => [
      name,
      view.searchText({ text: name }).map(({ id }) => id).sort(),
    ]),
  };
}
