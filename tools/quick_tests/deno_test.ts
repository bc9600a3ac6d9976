/** Starts `deno test` over modules, with as many at a time as keep the cores busy. */

/**
 * Runs test modules.
 *
 * @param args flags and modules, as `deno test` takes them.
 * @returns the exit code.
 */
export async function runDenoTest(repository: string, args: readonly string[]): Promise<number> {
  const { code } = await new Deno.Command(Deno.execPath(), {
    args: ["test", "--no-check", "-P=test", "--parallel", ...args],
    cwd: repository,
    env: { DENO_JOBS: Deno.env.get("DENO_JOBS") ?? String(navigator.hardwareConcurrency + 1) },
  }).spawn().status;
  return code;
}
