/** One folder for everything that the tests of a run write outside of the repository. */
import { dirname, join } from "node:path";

/** Set where the run removes the temporary folders of its tests; `tests/support/temp_folder.ts` asks for it. */
export const TEMP_OF_RUN = "TESTS_TEMP_OF_RUN";

/** Where systems look for the place of temporary files. */
const PLACES = ["TMPDIR", "TMP", "TEMP"];
const AT_A_TIME = 4;
/** The quick tests fill 0.5 GB (measured), the slow ones less than 2. */
const SPARE_BYTES = 6 * 1024 ** 3;
/**
 * Puts a file system in memory onto the folder that is its first word, with what a stray folder is made of, and becomes the
 * program of the other words.
 */
const IN_MEMORY =
  'mount -t tmpfs -o mode=700 code-intel-tests "$0" && { cp -R "$0/../.code-intel" "$0" 2>/dev/null; exec "$@"; }';

/**
 * What lies in `.code-intel` above every folder of a test, since it once took the projects below it over: settings under
 * which nothing is found, an index that is none, and a session that cannot be read and so counts as under way.
 */
const STRAY: Readonly<Record<string, string>> = {
  "config.json": '{ "source_dirs": ["nowhere"], "verify": [] }\n',
  "context.yml": "project_rules:\n  summary: Of another project\n",
  "manifest.json": '{ "version": 1, "files": {}, "edits": {}, "folders": [] }\n',
  "index.db": "no database\n",
  "sessions/session_20260101_000000_0001.json": "{\n",
};

/**
 * The words that start a program for which a folder lies in memory: half of what a session's tests wait for is the disk,
 * since the program has it keep each checkpoint. The file system belongs to the program's own mount namespace, so that it
 * ends with it, however it ends.
 *
 * @returns the words before the program's own; none where this system or user cannot do it, or memory is short.
 */
export async function toInMemory(folder: string): Promise<readonly string[]> {
  if (Deno.build.os !== "linux" || Deno.systemMemoryInfo().available < SPARE_BYTES) return [];
  const words = ["unshare", "--mount", "sh", "-c", IN_MEMORY, folder];
  return await succeeds([...words, "true"]) ? words : [];
}

/** Whether a program ends well. One that is not there is reported before there is a promise, so that `catch` alone would miss it. */
async function succeeds([program = "", ...args]: readonly string[]): Promise<boolean> {
  try {
    const tried = new Deno.Command(program, { args, stdout: "null", stderr: "null" });
    return (await tried.output()).success;
  } catch {
    return false;
  }
}

/**
 * Makes the folder, with a stray `.code-intel` in it and above it, and removes it after `action` with what is left in it.
 *
 * @param action gets the variables that processes need, so that their temporary files are made in it.
 */
export async function withTempOfRun<T>(
  action: (env: Readonly<Record<string, string>>) => Promise<T>,
): Promise<T> {
  const above = await Deno.realPath(await Deno.makeTempDir({ prefix: "code-intel-tests-" }));
  const folder = join(above, "temp");
  for (const dir of [above, folder]) await makeStray(dir);
  const places = PLACES.filter((name) => name === "TMPDIR" || Deno.env.has(name));
  try {
    return await action(Object.fromEntries([...places, TEMP_OF_RUN].map((name) => [name, folder])));
  } finally {
    // One that cannot be removed must not keep the others. Some at a time: there are tens of thousands of files.
    const left = (await Array.fromAsync(Deno.readDir(folder))).values();
    await Promise.all(Array.from({ length: AT_A_TIME }, () => removeEach(folder, left)));
    await Deno.remove(above, { recursive: true }).catch(() => {});
  }
}

async function makeStray(dir: string): Promise<void> {
  for (const [name, text] of Object.entries(STRAY)) {
    const path = join(dir, ".code-intel", name);
    await Deno.mkdir(dirname(path), { recursive: true });
    await Deno.writeTextFile(path, text);
  }
}

/** Several of these share `left`. */
async function removeEach(folder: string, left: Iterable<Deno.DirEntry>): Promise<void> {
  for (const { name } of left) {
    await Deno.remove(join(folder, name), { recursive: true }).catch(() => {});
  }
}
