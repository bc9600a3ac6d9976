/**
 * One process of many on an index: `index_client.ts ROOT ROLE SECONDS SEED`. It prints one line for each
 * answer that is wrong and each error that reaches it, and `done` with the number of its answers.
 */
import { join } from "node:path";
import { openRepository } from "../../src/git/repository.ts";
import { openTestIndex } from "./support.ts";

const [root = "", role = "", seconds = "1", seed = "1"] = Deno.args;
let state = Number(seed) * 2654435761 % 2 ** 32;

/** Repeatable chance. */
function pick(below: number): number {
  state = (state * 1664525 + 1013904223) % 2 ** 32;
  return Math.floor(state / 2 ** 32 * below);
}

function say(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}

const repo = await openRepository(root);
if (repo === null) throw new Error(`No repository at ${root}`);
const test = openTestIndex(repo);
const endsAt = Date.now() + Number(seconds) * 1000;
let answers = 0;

/** Edits a file of its own and expects to find the edit. */
async function write(): Promise<void> {
  const name = `w${seed}x${pick(1e9)}`;
  const path = `own/${seed}_${pick(5)}.ts`;
  await Deno.mkdir(join(root, "own"), { recursive: true });
  if (pick(8) === 0) await Deno.remove(join(root, path)).catch(() => {});
  else await Deno.writeTextFile(join(root, path), `class ${name} {\n  function f${name}() {}\n}\n`);
  const fresh = pick(5) === 0 ? await test.index.sync() : await test.index.ensureFresh();
  if (fresh.pending.includes(path)) return;
  const text = await Deno.readTextFile(join(root, path)).catch(() => "");
  const found = await test.index.read((view) => view.listSymbols(path).map((one) => one.name));
  const expected = [...text.matchAll(/(?:class|function) (\w+)/g)].map((one) => one[1]);
  if (found.join() !== expected.join()) say(`wrong: ${path} ${found} is ${expected}`);
}

/** Asks, and looks whether what it gets fits together. */
async function read(): Promise<void> {
  await test.index.ensureFresh({ budgetMs: pick(100) });
  await test.index.read((view) => {
    const symbols = view.listSymbols("own");
    for (const { path, name } of symbols) {
      const { hits } = view.findOccurrences(name);
      if (!hits.some((hit) => hit.path === path)) say(`wrong: ${name} of ${path} is torn`);
      if (view.listChunks(path).length === 0) say(`wrong: ${path} has no chunks`);
    }
    if (view.searchText({ text: "helper" }).length === 0 && view.count().files > 50) {
      say("wrong: no text found");
    }
  });
}

const ROLES: Readonly<Record<string, () => Promise<unknown>>> = {
  writer: write,
  reader: read,
  builder: () => test.index.sync(),
};

while (Date.now() < endsAt) {
  try {
    await (ROLES[role] ?? read)();
    answers++;
  } catch (error) {
    say(`error: ${error instanceof Error ? error.stack : error}`);
  }
}
await test.index.close();
say(`done ${answers}`);
