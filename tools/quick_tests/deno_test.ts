/** Starts `deno test` over modules, one more at a time than there are cores: tests wait for the programs that they start. */
import { toInMemory } from "./temp_of_run.ts";

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
