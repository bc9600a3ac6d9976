/** Searches of the executable: every grammar, the threads, the model, and sqlite-vec. */
import { join } from "node:path";
import { Client } from "../demo/client.ts";
import type { Sandbox } from "./sandbox.ts";
import { expect } from "./sandbox.ts";
import { REPOSITORY } from "../task.ts";

/** Each sample of a language is read as the source reads it: the same chunks and symbols of each file. */
export async function proveGrammars(sandbox: Sandbox): Promise<void> {
  const samples = join(REPOSITORY, "tests", "fixtures", "languages");
  const cwd = await sandbox.makeRepository(await readFolder(samples));
  const counts = async (words: readonly string[], run: (words: string[]) => Promise<string>) => {
    const reply = JSON.parse(await run([...words, "--json"]));
    return JSON.stringify([
      reply.files,
      reply.contents,
      reply.chunks,
      reply.symbols,
      reply.pending,
    ]);
  };
  const own = await counts(["index", "--rebuild"], (words) => sandbox.must(words, { cwd }));
  const source = await counts(["index", "--rebuild"], (words) => runSource(words, cwd));
  expect(
    own === source && !own.startsWith("[0"),
    `files, …, symbols ${own}; from source ${source}`,
  );
  const { total } = JSON.parse(
    await sandbox.must(["text", "f.nc", "--json"], { cwd }),
  );
  expect(total > 0, "an expression is searched without rg, in a thread");
}

/** Of the bytes of all vectors of the reference; `tests/embedding/encoder_slow.ts` holds the source to it. */
const VECTORS_SHA256 = "636a700fba1b30245be14adfd8f717d40a16267710bcd2719c39a8d1293b0448";

/** The vectors of the executable are those of the source, bit for bit, and near the reference. */
export async function proveVectors(sandbox: Sandbox): Promise<void> {
  const file = join(REPOSITORY, "tests", "fixtures", "model", "vectors.jsonl");
  const words = ["doctor", "--vectors", file, "--json"];
  const own = JSON.parse(await sandbox.must(words, { cwd: sandbox.folder }));
  expect(own.texts === 35 && own.worst_cosine > 0.985, `lowest cosine ${own.worst_cosine}`);
  expect(own.vectors_sha256 === VECTORS_SHA256, "vectors are those of the source, bit for bit");
}

/** A server answers a question in another language by vectors, with sqlite-vec from the cache folder, and without network. */
export async function proveMeaning(sandbox: Sandbox): Promise<void> {
  const sample = join(REPOSITORY, "tools", "demo", "sample");
  const cwd = await sandbox.makeRepository(await readFolder(sample));
  const { client } = await Client.start({
    command: sandbox.program,
    args: ["serve", "--project", cwd],
    cwd,
    clearEnv: true,
    env: { ...sandbox.env },
  });
  try {
    const ask = async () => {
      const query = "сколько надо заплатить, если книгу вернули слишком поздно";
      return (await client.callTool("semantic_search", { query })).reply;
    };
    let reply = await ask();
    // The vectors are made behind the answers, which they rest for; the first of them need not be those of the file.
    const wanted = "src/fees.ts";
    for (let left = 60; left > 0 && !listPaths(reply).includes(wanted); left--) {
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      reply = await ask();
    }
    expect(hasVectors(reply), `it is answered with vectors: ${JSON.stringify(reply.source)}`);
    const paths = listPaths(reply);
    expect(paths.includes(wanted), `the answer names ${wanted}: ${paths.join(", ")}`);
  } finally {
    await client.close();
  }
}

function listPaths({ hits }: Readonly<Record<string, unknown>>): readonly string[] {
  return (hits as readonly { readonly path: string }[]).map(({ path }) => path);
}

function hasVectors({ source }: Readonly<Record<string, unknown>>): boolean {
  return String(source).includes("vectors");
}

/** Runs the program from source in a folder. */
async function runSource(words: readonly string[], cwd: string): Promise<string> {
  const config = join(REPOSITORY, "deno.json");
  const main = join(REPOSITORY, "src", "main.ts");
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-check", "--config", config, "-P", main, ...words],
    cwd,
  }).output();
  if (code !== 0) throw new Error(`${words.join(" ")}: ${new TextDecoder().decode(stderr)}`);
  return new TextDecoder().decode(stdout);
}

/** Every file below a folder by its path from there. */
async function readFolder(folder: string, below = ""): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for await (const { name, isDirectory } of Deno.readDir(join(folder, below))) {
    const path = below === "" ? name : `${below}/${name}`;
    if (isDirectory) Object.assign(files, await readFolder(folder, path));
    else files[path] = await Deno.readTextFile(join(folder, path));
  }
  return files;
}
