/** Runs a small project with and without a tracer inside of its processes: what every test of such a way needs. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import type { InsideWay, Recording } from "../../../../src/features/runs/record/recording.ts";
import { listFiles, makeProject } from "./apart_run.ts";

/** Runs the command with and without the tracer, and gives what both printed and what the tracer saw. */
export async function watch(
  way: InsideWay,
  files: Readonly<Record<string, string>>,
  run: readonly string[],
  { isPlain = true }: { readonly isPlain?: boolean } = {},
) {
  const root = await makeProject(files);
  const folder = await Deno.realPath(await Deno.makeTempDir());
  const context = {
    ...{ root, folder, run, isSource: (path: string) => /\.(?:py|[cm]?[jt]s)$/.test(path) },
    signal: new AbortController().signal,
    listSources: () => [],
  };
  const start = async (env: Readonly<Record<string, string>>) => {
    const [program = "", ...args] = run;
    const command = new Deno.Command(program, { args, cwd: root, env });
    const { code, stdout, stderr } = await command.output();
    const text = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
    return { code, text: text.replaceAll(/\d+\.\d+s/g, "0s") };
  };
  const plain = isPlain ? await start({ PYTHONDONTWRITEBYTECODE: "1" }) : null;
  const before = await listFiles(root);
  const env = await way.prepare(context);
  const watched = await start({ PYTHONDONTWRITEBYTECODE: "1", ...env });
  deepEqual(await listFiles(root), before, "the tracer leaves no file in the project");
  return { ...{ root, folder, plain, watched }, recording: await way.read(context) };
}

/** Each test with its outcome and file, and the names of what it ran. */
export function showNames({ functions, tests, loaded }: Recording) {
  const show = (ids: readonly number[]) => ids.map((id) => functions[id]?.name).sort().join(" ");
  return {
    ...Object.fromEntries(
      tests.map(({ name, file, outcome, ran }) => [`${name} ${outcome} ${file}`, show(ran)]),
    ),
    loaded: show(loaded),
  };
}

/** Calls between files as `path:line caller > callee`. */
export function showCalls({ functions, calls }: Recording): readonly string[] {
  return calls.map(([caller, callee, line]) =>
    `${functions[caller]?.path}:${line} ${functions[caller]?.name} > ${functions[callee]?.name}`
  ).sort();
}
