/** Runs a project of Node with and without the tracer. */
import type { Recording } from "../../../../src/features/runs/record/recording.ts";
import { NODE_WAY } from "../../../../src/features/runs/ways/node.ts";
import { makeProject } from "./apart_run.ts";

/** What both runs printed, without times and places in memory, and what the tracer saw. */
export interface WatchedNode {
  /** Exit code and output; empty where no plain run was asked for. */
  readonly plain: string;
  readonly watched: string;
  readonly recording: Recording;
  /** The notes of the recording in one text. */
  readonly notes: string;
}

/** Runs the command in a project with these files. */
export async function watchNode(
  files: Readonly<Record<string, string>>,
  run: readonly string[],
  { isPlain = true, env: more = {}, root: given }: {
    readonly isPlain?: boolean;
    readonly env?: Readonly<Record<string, string>>;
    /** A folder that is there; the files are not written then. */
    readonly root?: string;
  } = {},
): Promise<WatchedNode> {
  const root = given ?? await makeProject(files);
  const context = {
    ...{ root, run, isSource: (path: string) => /\.[cm]?[jt]s$/.test(path) },
    folder: await Deno.realPath(await Deno.makeTempDir()),
    signal: new AbortController().signal,
    listSources: () => [],
  };
  const start = async (env: Readonly<Record<string, string>>) => {
    const [program = "", ...args] = run;
    const command = new Deno.Command(program, { args, cwd: root, env });
    const { code, stdout, stderr } = await command.output();
    const text = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
    return `${code}\n${
      text.replaceAll(/\d+(?:\.\d+)?(?= ?m?s\b)|(?<=duration_ms:? )[\d.]+/g, "0")
    }`;
  };
  const plain = isPlain ? await start(more) : "";
  const watched = await start({ ...more, ...await NODE_WAY.prepare(context) });
  const recording = await NODE_WAY.read(context);
  return { plain, watched, recording, notes: recording.notes.join(" ") };
}
