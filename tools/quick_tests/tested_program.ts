/**
 * The program that tests start, as a bundle of the source: a process loads a few modules instead of hundreds, which halves
 * the work until its first answer (0.64 s to 0.32 s of a core, measured). It is not minified, so that stacks can be read.
 */
import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import { bundlePlain } from "../compile/bundle.ts";
import { findRuntimeFile } from "../compile/parts.ts";

/** Names the module to start; without it tests start the source. `tests/support/server/mcp_client.ts` asks for it. */
export const TESTED_PROGRAM = "TESTS_PROGRAM";

const PREFIX = "tested-";
/** Other runs may use what an older source gave. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;

/**
 * Bundles the source below `dist`, once for the same files: two folders deep, as `src/base/program_files.ts` expects.
 *
 * @returns path of the module that is the program.
 */
export async function bundleTestedProgram(repository: string): Promise<string> {
  const dist = join(repository, "dist");
  await Deno.mkdir(dist, { recursive: true });
  const folder = join(dist, `${PREFIX}${await hashSource(repository)}`);
  const program = join(folder, "main.js");
  if (await Deno.stat(program).catch(() => null) !== null) return program;
  await removeOld(dist);
  const made = await Deno.makeTempDir({ dir: dist, prefix: "bundle-" });
  try {
    await bundlePlain(repository, made);
    const runtime = findRuntimeFile("mjs");
    await Deno.copyFile(runtime, join(made, basename(runtime)));
    // Where another run was first, its bundle is as good.
    await Deno.rename(made, folder).catch(() => {});
  } finally {
    await Deno.remove(made, { recursive: true }).catch(() => {});
  }
  return program;
}

/** What the bundle is made of, and what makes it. */
const SOURCES = ["src", "tools/compile", "deno.json", "deno.lock"];

async function hashSource(repository: string): Promise<string> {
  const hash = createHash("sha256").update(Deno.version.deno);
  for (const name of SOURCES) await hashFile(repository, name, hash);
  return hash.digest("hex").slice(0, 16);
}

async function hashFile(
  repository: string,
  name: string,
  hash: ReturnType<typeof createHash>,
): Promise<void> {
  const path = join(repository, name);
  if ((await Deno.stat(path)).isFile) {
    hash.update(`${name}\0`).update(await Deno.readFile(path)).update("\0");
    return;
  }
  const below = (await Array.fromAsync(Deno.readDir(path))).map((entry) => entry.name).sort();
  for (const entry of below) await hashFile(repository, `${name}/${entry}`, hash);
}

async function removeOld(dist: string): Promise<void> {
  for await (const { name } of Deno.readDir(dist)) {
    if (!name.startsWith(PREFIX)) continue;
    const path = join(dist, name);
    const { mtime } = await Deno.stat(path);
    if (Date.now() - (mtime?.getTime() ?? 0) < MAX_AGE_MS) continue;
    await Deno.remove(path, { recursive: true }).catch(() => {});
  }
}
