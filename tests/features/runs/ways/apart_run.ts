/** Records a small project by a way with runs of its own: what every test of such a way needs. */
import { join } from "node:path";
import type { OtherNeed } from "../../../support/needs.ts";
import { streamProcess } from "../../../../src/base/processes/process.ts";
import type {
  ApartContext,
  ApartWay,
  Recording,
} from "../../../../src/features/runs/record/recording.ts";

/** A project in a temporary folder with these files. */
export async function makeProject(files: Readonly<Record<string, string>>): Promise<string> {
  const root = await Deno.realPath(await Deno.makeTempDir());
  for (const [path, text] of Object.entries(files)) {
    await Deno.mkdir(join(root, path, ".."), { recursive: true });
    await Deno.writeTextFile(join(root, path), text);
  }
  return root;
}

/** The files in a folder, relative to it. */
export async function listFiles(folder: string): Promise<readonly string[]> {
  const entries = await Array.fromAsync(Deno.readDir(folder));
  const found = await Promise.all(
    entries.map(async ({ name, isDirectory }) =>
      isDirectory ? (await listFiles(join(folder, name))).map((path) => `${name}/${path}`) : [name]
    ),
  );
  return found.flat().sort();
}

/** What the way works with; programs run as they do in the program. */
export async function makeContext(root: string, run: readonly string[]): Promise<ApartContext> {
  const { signal } = new AbortController();
  const files = await listFiles(root);
  return {
    root,
    run,
    signal,
    folder: await Deno.realPath(await Deno.makeTempDir()),
    isSource: (path) => /\.(?:go|ts|js|java|kt|c|cpp|h|php|rb|rs)$/.test(path),
    listSources: () => files,
    onProgress: () => {},
    execute: async ({ run: [program = "", ...args], cwd = root, env = {}, timeoutMs = 60_000 }) => {
      const start = performance.now();
      const parts: string[] = [];
      const decoder = new TextDecoder();
      const result = await streamProcess(program, args, {
        ...{ cwd, env, timeoutMs, signal },
        onPart: (part) => parts.push(decoder.decode(part, { stream: true })),
      }).catch(() => null);
      const exitCode = result?.kind === "exited" ? result.code : null;
      return { exitCode, output: parts.join(""), ms: performance.now() - start };
    },
  };
}

/** Each test with the functions that it ran, as `path:line`; `loaded` are those that ran without a test. */
export function showTests(
  { functions, tests, loaded }: Recording,
): Readonly<Record<string, string>> {
  const show = (ids: readonly number[]) =>
    ids.map((id) => `${functions[id]?.path}:${functions[id]?.line}`).sort().join(" ");
  return {
    ...Object.fromEntries(
      tests.map(({ name, file, outcome, ran }) => [`${name} ${outcome} ${file}`, show(ran)]),
    ),
    loaded: show(loaded),
  };
}

/** Records a project with these files by the way. */
export async function recordProject(
  way: ApartWay,
  files: Readonly<Record<string, string>>,
  run: readonly string[],
): Promise<Recording> {
  return await way.record(await makeContext(await makeProject(files), run));
}

/** The need of a program that its version can be asked of. */
export function needProgram(program: string, word: string): OtherNeed {
  const isThere = () => {
    try {
      return new Deno.Command(program, { args: [word] }).outputSync().success;
    } catch {
      return false;
    }
  };
  return { what: program, hindrance: isThere() ? null : "not found" };
}
