/** Finds tests and writes the modules that run them in groups. */
import { toInMemory } from "./temp_of_run.ts";
import { join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { TestGroup } from "./groups.ts";

/**
 * Runs test modules.
 *
 * @param args flags and modules, as `deno test` takes them.
 * @param env variables beside those of this process; its `TMPDIR` is put into memory where that can be done.
 * @returns the exit code.
 */
export async function runDenoTest(
  repository: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<number> {
  const test = [Deno.execPath(), "test", "--no-check", "-P=test", "--parallel", ...args];
  const before = env.TMPDIR === undefined ? [] : await toInMemory(env.TMPDIR);
  const [program = "", ...words] = [...before, ...test];
  const jobs = Deno.env.get("DENO_JOBS") ?? String(navigator.hardwareConcurrency + 1);
  const variables = { ...env, DENO_JOBS: jobs };
  const { code } = await new Deno.Command(program, { args: words, cwd: repository, env: variables })
    .spawn().status;
  return code;
}

/** Names of files with quick tests. */
export const QUICK = /_test\.ts$/;
/** Names of files with slow tests. */
export const SLOW = /_slow\.ts$/;

/**
 * The test files at or below some paths.
 *
 * @param repository absolute path.
 * @param paths from there, or absolute; a file counts whatever its name is.
 * @param kind names of the files that are wanted.
 * @returns paths from the top of the repository, with `/`.
 * @throws {Error} when a path does not exist.
 */
export async function listTests(
  repository: string,
  paths: readonly string[],
  kind: RegExp = QUICK,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const path of paths) await collect(resolve(repository, path), kind, found);
  const names = found.map((path) => relative(repository, path).replaceAll("\\", "/"));
  return [...new Set(names)].sort();
}

async function collect(path: string, kind: RegExp, found: string[]): Promise<void> {
  if ((await Deno.stat(path)).isFile) {
    found.push(path);
    return;
  }
  for await (const { name, isDirectory } of Deno.readDir(path)) {
    if (isDirectory) await collect(join(path, name), kind, found);
    else if (kind.test(name)) found.push(join(path, name));
  }
}

/**
 * Writes a module for each group of test files, and removes them after `action`.
 *
 * @param action gets their paths, those that take long first, and the folder that they lie in, which takes more.
 */
export async function withGroups<T>(
  repository: string,
  groups: readonly TestGroup[],
  action: (modules: readonly string[], folder: string) => Promise<T>,
): Promise<T> {
  await Deno.mkdir(join(repository, "dist"), { recursive: true });
  const folder = await Deno.makeTempDir({ dir: join(repository, "dist"), prefix: "tests-" });
  try {
    const modules: string[] = [];
    for (const { name, files: members } of groups) {
      const path = join(folder, `${name}_test.ts`);
      const lines = members.map((file) =>
        `import ${JSON.stringify(pathToFileURL(join(repository, file)).href)};\n`
      );
      await Deno.writeTextFile(path, lines.join(""));
      modules.push(path);
    }
    return await action(modules, folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
