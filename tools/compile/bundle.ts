/**
 * Makes the program that goes into an executable: the source and its packages as a few modules, so that a
 * start reads what it needs and not a folder of packages. Workers keep the names that the source gives them.
 */
import { basename, join } from "node:path";
import { run } from "./run.ts";

/** The modules that are started by themselves: the program, then its threads. */
export const ENTRIES = [
  "src/main.ts",
  "src/backends/text_scan_worker.ts",
  "src/embedding/embedder_worker.ts",
  "src/index/index_worker.ts",
] as const;

/** Where the bundle lies in the executable: two folders deep, as `src/base/program_files.ts` expects. */
export const BUNDLE_FOLDER = "src/app";

/**
 * Bundles the program into `folder`, flat.
 *
 * @param repository absolute path of the source.
 * @returns the names of the modules, sorted; the first entry is `main.js`.
 */
export async function bundleProgram(repository: string, folder: string): Promise<string[]> {
  await run(Deno.execPath(), [
    "bundle",
    "--quiet",
    "--platform=deno",
    "--code-splitting",
    "--minify",
    `--outdir=${folder}`,
    ...ENTRIES,
  ], { cwd: repository });
  for (const entry of ENTRIES.slice(1)) await flatten(folder, entry);
  const names: string[] = [];
  for await (const { name, isFile } of Deno.readDir(folder)) if (isFile) names.push(name);
  for (const name of names) await giveRequire(join(folder, name));
  return names.sort();
}

/** Words of the bundler's stand-in for `require`, which fails where there is none. */
const STAND_IN = "Dynamic require of";
const REQUIRE = "var require=(name)=>globalThis.process.getBuiltinModule(name);";

/** Packages of the older module form ask for modules of the runtime by `require`; there are no others. */
async function giveRequire(path: string): Promise<void> {
  const text = await Deno.readTextFile(path);
  if (text.includes(STAND_IN)) await Deno.writeTextFile(path, `${REQUIRE}${text}`);
}

/** A thread is started as `./name.ts` beside the module that starts it: there is one folder only. */
async function flatten(folder: string, entry: string): Promise<void> {
  const below = entry.slice("src/".length, -".ts".length);
  const from = join(folder, `${below}.js`);
  const text = (await Deno.readTextFile(from)).replaceAll('"../', '"./');
  await Deno.writeTextFile(join(folder, basename(entry)), text);
  await Deno.remove(join(folder, below.slice(0, below.indexOf("/"))), { recursive: true });
}
