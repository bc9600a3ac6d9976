/**
 * Makes one executable: bundles the program, lays it out with its files in a folder of its own, compiles
 * that folder, and puts the pack in. What goes in is named file by file.
 */
import { dirname, join } from "node:path";
import type { BuildInfo } from "../../src/base/program_files.ts";
import { BUNDLE_FOLDER, bundleProgram } from "./bundle.ts";
import { guardPresentFolder } from "./gone_folder.ts";
import type { Packed } from "./pack.ts";
import { insertPack, packFiles } from "./pack.ts";
import type { Part } from "./parts.ts";
import { findRuntimeFile, listParts, MODEL_PART } from "./parts.ts";
import { run } from "../run.ts";
import { V8_FLAGS } from "./v8_flags.ts";
import type { Runtime } from "./runtime.ts";
import type { Target } from "./targets.ts";

/** What an executable is made from. */
export interface BuildOptions {
  /** Absolute path of the source. */
  readonly repository: string;
  readonly target: Target;
  readonly runtime: Runtime;
  /** Absolute path of the executable. */
  readonly output: string;
  /** Whether the embedding model stays outside: a wheel brings it in a package of its own. Default: it goes in. */
  readonly isWithoutModel?: boolean;
  /** The rights of the executable; default {@link PERMISSIONS}. */
  readonly permissions?: readonly string[];
}

/** A row of the table of sizes. */
export interface PartSize {
  readonly title: string;
  readonly files: number;
  readonly sizeBytes: number;
}

/**
 * The rights of the executable. Reading, writing and starting programs are its work, on any path; the network is
 * this machine alone, and no code comes from elsewhere. SQLite asks for the whole of `ffi` to load an extension.
 */
export const PERMISSIONS = [
  "--allow-read",
  "--allow-write",
  "--allow-run",
  "--allow-env",
  "--allow-sys=hostname,uid,osRelease",
  "--allow-net=127.0.0.1",
  "--allow-ffi",
  "--deny-import",
  "--no-prompt",
] as const;

/**
 * The rights of the executable of a hub, which is a file of its own: its store and its clients are other machines, whose
 * names are known where it runs. Nothing else differs.
 */
export const HUB_PERMISSIONS: readonly string[] = PERMISSIONS.map((word) =>
  word.startsWith("--allow-net") ? "--allow-net" : word
);

/** The target whose instructions the guard is written in; elsewhere the runtime ends with a panic in a folder that is gone. */
const GUARDED = "x86_64-unknown-linux-gnu";

/** The module of onnxruntime-web that its bundle imports at run time, by this name. */
const RUNTIME_MODULE = "ort-wasm-simd-threaded.mjs";

/** Makes the executable and says what is in it. */
export async function buildExecutable(options: BuildOptions): Promise<readonly PartSize[]> {
  const { repository, target, output } = options;
  const stage = await Deno.makeTempDir({ prefix: "code-intel-stage-" });
  try {
    const modules = await stageProgram(repository, stage);
    const parts = (await listParts(repository, target))
      .filter(({ title }) => options.isWithoutModel !== true || title !== MODEL_PART);
    const packed = target.placement === "pack"
      ? await packFiles(parts.flatMap(({ files }) => files))
      : null;
    const embedded = packed === null ? await stageFiles(parts, stage) : [];
    await writeBuildInfo(options, { stage, packed });
    const includes = [...modules, ...embedded, "build.json"];
    await setTimes(includes.map((name) => join(stage, name)));
    await Deno.mkdir(dirname(output), { recursive: true });
    await compile(options, { stage, includes });
    if (target.name === GUARDED) {
      await Deno.writeFile(output, guardPresentFolder(await Deno.readFile(output)));
    }
    if (packed !== null) {
      await Deno.writeFile(output, insertPack(await Deno.readFile(output), packed.bytes));
    }
    return await measure(parts, { stage, modules, output });
  } finally {
    await Deno.remove(stage, { recursive: true });
  }
}

async function stageProgram(repository: string, stage: string): Promise<readonly string[]> {
  const folder = join(stage, BUNDLE_FOLDER);
  const names = await bundleProgram(repository, folder);
  await Deno.copyFile(findRuntimeFile("mjs"), join(folder, RUNTIME_MODULE));
  return [...names, RUNTIME_MODULE].sort().map((name) => `${BUNDLE_FOLDER}/${name}`);
}

async function stageFiles(parts: readonly Part[], stage: string): Promise<readonly string[]> {
  const files = parts.flatMap((part) => part.files);
  for (const { name, path } of files) {
    await Deno.mkdir(dirname(join(stage, name)), { recursive: true });
    await Deno.copyFile(path, join(stage, name));
  }
  return files.map(({ name }) => name);
}

async function writeBuildInfo(
  { repository, target }: BuildOptions,
  { stage, packed }: { readonly stage: string; readonly packed: Packed | null },
): Promise<void> {
  const git = (...words: string[]) => run("git", words, { cwd: repository });
  const commit = (await git("rev-parse", "HEAD").catch(() => "unknown")).trim();
  const changes = (await git("status", "--porcelain").catch(() => "")).trim();
  const info: BuildInfo = {
    commit: changes === "" ? commit : `${commit} with changes`,
    target: target.name,
    pack: packed?.list ?? null,
  };
  await Deno.writeTextFile(join(stage, "build.json"), JSON.stringify(info));
}

/** Deno writes the times of the files down: with one for all, the same commit gives the same bytes. */
async function setTimes(paths: readonly string[]): Promise<void> {
  const at = new Date("2026-01-01T00:00:00Z");
  for (const path of paths) await Deno.utime(path, at, at);
}

async function compile(
  { target, runtime, output, permissions = PERMISSIONS }: BuildOptions,
  { stage, includes }: { readonly stage: string; readonly includes: readonly string[] },
): Promise<void> {
  const main = `${BUNDLE_FOLDER}/main.js`;
  const others = includes.filter((name) => name !== main);
  await run(runtime.deno, [
    ...["compile", "--quiet", "--no-config", "--no-check", "--no-remote", "--no-npm"],
    // Without this every start would leave a file in the folder for temporary files.
    "--no-code-cache",
    `--v8-flags=${V8_FLAGS}`,
    ...permissions,
    ...others.flatMap((name) => ["--include", name]),
    ...["--target", target.name, "--output", output],
    main,
  ], { cwd: stage, env: runtime.denort === null ? {} : { DENORT_BIN: runtime.denort } });
}

async function measure(
  parts: readonly Part[],
  made: { readonly stage: string; readonly modules: readonly string[]; readonly output: string },
): Promise<readonly PartSize[]> {
  const program = made.modules.map((name) => ({ name, path: join(made.stage, name) }));
  const rows: PartSize[] = [];
  for (const { title, files } of [{ title: "program", files: program }, ...parts]) {
    rows.push({ title, files: files.length, sizeBytes: await sumSizes(files) });
  }
  const whole = (await Deno.stat(made.output)).size;
  const rest = whole - rows.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return [{ title: "runtime", files: 1, sizeBytes: rest }, ...rows, {
    title: "executable",
    files: 1,
    sizeBytes: whole,
  }];
}

async function sumSizes(files: readonly { readonly path: string }[]): Promise<number> {
  const infos = await Promise.all(files.map(({ path }) => Deno.stat(path)));
  return infos.reduce((sum, { size }) => sum + size, 0);
}
