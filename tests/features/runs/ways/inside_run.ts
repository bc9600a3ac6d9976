/** Runs a small project with and without a tracer inside of its processes: what every test of such a way needs. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import type { InsideWay, Recording } from "../../../../src/features/runs/record/recording.ts";
import { listFiles, makeContext, makeProject, showTests } from "./apart_run.ts";

/**
 * Runs the command with and without the tracer, and gives what both printed and what the tracer saw.
 *
 * @param options `root` is a folder that is there, in which no files are written and none are missed.
 */
export async function watch(
  way: InsideWay,
  files: Readonly<Record<string, string>>,
  run: readonly string[],
  { isPlain = true, env: more = {}, root: given }: {
    readonly isPlain?: boolean;
    readonly env?: Readonly<Record<string, string>>;
    readonly root?: string;
  } = {},
) {
  const root = given ?? await makeProject(files);
  const context = await makeContext(root, run);
  const start = async (env: Readonly<Record<string, string>>) => {
    const [program = "", ...args] = run;
    const options = { args, cwd: root, env: { PYTHONDONTWRITEBYTECODE: "1", ...more, ...env } };
    const { code, stdout, stderr } = await new Deno.Command(program, options).output();
    const text = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
    return { code, text: text.replaceAll(/\d+\.\d+s/g, "0s") };
  };
  const plain = isPlain ? await start({}) : null;
  const before = given === undefined ? await listFiles(root) : [];
  const watched = await start(await way.prepare(context));
  const after = given === undefined ? await listFiles(root) : [];
  deepEqual(after, before, "the tracer leaves no file in the project");
  return { plain, watched, recording: await way.read(context) };
}

/** Each test with its outcome and file, and the names of what it ran. */
export function showNames(recording: Recording) {
  return showTests(recording, (one) => one?.name ?? "");
}

/** Calls between files as `path:line caller > callee`. */
export function showCalls({ functions, calls }: Recording): readonly string[] {
  return calls.map(([caller, callee, line]) =>
    `${functions[caller]?.path}:${line} ${functions[caller]?.name} > ${functions[callee]?.name}`
  ).sort();
}
