/**
 * Makes the program that goes into an executable: the source and its packages as a few modules, so that a
 * start reads what it needs and not a folder of packages. Workers keep the names that the source gives them.
 */
import { createHash } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { FEATURES } from "../../src/features/features.ts";
import { run } from "../run.ts";

/** What the bundler adds to the names of modules that it made up or split off. */
const MADE_UP = /-[0-9A-Z]{8}(?=\.js$)/;
const HASH_CHARS = 8;

/**
 * The modules under names of their own, and named so where they import each other.
 *
 * A name is a hash of the text with the names of what it imports, which are such hashes too: all are made again as
 * long as that tells more of them apart. Modules may import each other in circles.
 *
 * @param modules text of each module by its name; all lie in one folder.
 * @throws {Error} when two modules cannot be told apart.
 */
export function toStableModules(
  modules: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const made = [...modules.keys()].filter((name) => MADE_UP.test(name));
  if (made.length === 0) return modules;
  const mentions = new RegExp(made.map((name) => RegExp.escape(name)).join("|"), "g");
  const rename = (text: string, names: ReadonlyMap<string, string>) =>
    text.replaceAll(mentions, (name) => names.get(name) ?? name);
  let names = new Map(made.map((name) => [name, name.replace(MADE_UP, "")]));
  for (let known = 0, found = new Set(names.values()).size; found > known;) {
    known = found;
    names = new Map(made.map((name) => {
      const hash = toHash(rename(modules.get(name) ?? "", names));
      return [name, name.replace(MADE_UP, `-${hash}`)];
    }));
    found = new Set(names.values()).size;
  }
  if (new Set(names.values()).size < made.length) {
    throw new Error("two modules of the bundle cannot be told apart");
  }
  return new Map(
    [...modules].map(([name, text]) => [names.get(name) ?? name, rename(text, names)]),
  );
}

function toHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, HASH_CHARS);
}

/** The modules that are started by themselves: the program, then its threads. */
export const ENTRIES: readonly string[] = [
  "src/main.ts",
  "src/backends/text_scan_worker.ts",
  "src/embedding/embedder_worker.ts",
  "src/analysis/analysis_worker.ts",
  ...FEATURES.flatMap(({ threads = [] }) => threads),
];

/** Where the bundle lies in the executable: two folders deep, as `src/base/program_files.ts` expects. */
export const BUNDLE_FOLDER = "src/app";

/**
 * Bundles the program into `folder`, flat.
 *
 * @param repository absolute path of the source.
 * @returns the names of the modules, sorted; the first entry is `main.js`.
 */
export async function bundleProgram(repository: string, folder: string): Promise<string[]> {
  return await bundleWith(bundle, repository, folder);
}

/** {@link bundleProgram} without the minifier, for programs that tests start. */
export async function bundlePlain(repository: string, folder: string): Promise<string[]> {
  const bundler: Bundler = (entries, options) => runBundler([], entries, options);
  return await bundleWith(bundler, repository, folder);
}

type Bundler = (entries: readonly string[], options: BundleOptions) => Promise<void>;

async function bundleWith(
  bundler: Bundler,
  repository: string,
  folder: string,
): Promise<string[]> {
  const source = await Deno.makeTempDir({ prefix: "code-intel-source-" });
  try {
    await copySources(repository, source);
    await bundler(ENTRIES, { cwd: source, folder });
  } finally {
    await Deno.remove(source, { recursive: true });
  }
  for (const entry of ENTRIES.slice(1)) await flatten(folder, entry);
  const modules = new Map<string, string>();
  for await (const { name, isFile } of Deno.readDir(folder)) {
    if (!isFile) {
      // The folders that the threads lay in.
      await Deno.remove(join(folder, name), { recursive: true });
      continue;
    }
    modules.set(name, giveRequire(await Deno.readTextFile(join(folder, name))));
    await Deno.remove(join(folder, name));
  }
  const stable = toStableModules(modules);
  for (const [name, text] of stable) await Deno.writeTextFile(join(folder, name), text);
  return [...stable.keys()].sort();
}

/** The files that tell the bundler where packages are. */
const SETTINGS = ["deno.json", "deno.lock"] as const;

/** Copies the source. */
async function copySources(repository: string, folder: string): Promise<void> {
  const texts = new Map<string, string>();
  await readSources(repository, "src", texts);
  for (const [path, text] of texts) {
    await Deno.mkdir(dirname(join(folder, path)), { recursive: true });
    await Deno.writeTextFile(join(folder, path), text);
  }
  for (const name of SETTINGS) await Deno.copyFile(join(repository, name), join(folder, name));
}

async function readSources(
  repository: string,
  below: string,
  texts: Map<string, string>,
): Promise<void> {
  for await (const { name, isDirectory, isFile } of Deno.readDir(join(repository, below))) {
    const path = `${below}/${name}`;
    if (isDirectory) await readSources(repository, path, texts);
    else if (isFile) texts.set(path, await Deno.readTextFile(join(repository, path)));
  }
}

/** How modules are bundled. */
export interface BundleOptions {
  readonly cwd: string;
  /** Where the bundle goes. */
  readonly folder: string;
}

/**
 * Bundles modules into a folder, minified. The minifier drops the `using` of a value that is used once, so that what
 * it names is never disposed of: each call of the program once left a file open. Such a bundle is refused.
 *
 * @throws {Error} when a `using` was lost.
 */
export async function bundle(entries: readonly string[], options: BundleOptions): Promise<void> {
  await runBundler(["--minify"], entries, options);
  const plain = await Deno.makeTempDir({ prefix: "code-intel-bundle-" });
  try {
    await runBundler([], entries, { ...options, folder: plain });
    const wanted = await countUsing(plain);
    const kept = await countUsing(options.folder);
    if (kept === wanted) return;
    throw new Error(
      `the minifier lost ${
        wanted - kept
      } of ${wanted} \`using\`: close what is used once in \`finally\``,
    );
  } finally {
    await Deno.remove(plain, { recursive: true });
  }
}

async function runBundler(
  more: readonly string[],
  entries: readonly string[],
  { cwd, folder }: BundleOptions,
): Promise<void> {
  const options = ["--quiet", "--platform=deno", "--code-splitting", ...more];
  await run(Deno.execPath(), ["bundle", ...options, `--outdir=${folder}`, ...entries], { cwd });
}

async function countUsing(folder: string): Promise<number> {
  let count = 0;
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = join(folder, name);
    if (isDirectory) count += await countUsing(path);
    else count += [...(await Deno.readTextFile(path)).matchAll(USING)].length;
  }
  return count;
}

/** A declaration with `using`; no text of the program reads like one. */
const USING = /\busing [\w$]+ ?=[^=>]/g;

/** Words of the bundler's stand-in for `require`, which fails where there is none. */
const STAND_IN = "Dynamic require of";
const REQUIRE = "var require=(name)=>globalThis.process.getBuiltinModule(name);";

/** Packages of the older module form ask for modules of the runtime by `require`; there are no others. */
function giveRequire(text: string): string {
  return text.includes(STAND_IN) ? `${REQUIRE}${text}` : text;
}

/** A thread is started as `./name.ts` beside the module that starts it: there is one folder only. */
async function flatten(folder: string, entry: string): Promise<void> {
  const below = entry.slice("src/".length, -".ts".length);
  const from = join(folder, `${below}.js`);
  const text = (await Deno.readTextFile(from)).replaceAll(/"(?:\.\/)?(?:\.\.\/)+/g, '"./');
  await Deno.writeTextFile(join(folder, basename(entry)), text);
}
