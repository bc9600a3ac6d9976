/** Records a small project by a way with runs of its own: what every test of such a way needs. */
import { join } from "node:path";
import type { OtherNeed } from "../../../support/needs.ts";
import { streamProcess } from "../../../../src/base/processes/process.ts";
import type {
  ApartContext,
  ApartWay,
  RanFunction,
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
    cwd: root,
    run,
    signal,
    folder: await Deno.realPath(await Deno.makeTempDir()),
    isSource: (path) => /\.(?:go|py|[cm]?[jt]s|java|kt|php)$/.test(path),
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

/** Each test with its outcome, file and functions, by default as `path:line`; `loaded` are those that ran without a test. */
export function showTests(
  { functions, tests, loaded }: Recording,
  show = (one?: RanFunction) => `${one?.path}:${one?.line}`,
): Readonly<Record<string, string>> {
  const join = (ids: readonly number[]) => ids.map((id) => show(functions[id])).sort().join(" ");
  const rows = tests.map((
    { name, file, outcome, ran },
  ) => [`${name} ${outcome} ${file}`, join(ran)]);
  return { ...Object.fromEntries(rows), loaded: join(loaded) };
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
