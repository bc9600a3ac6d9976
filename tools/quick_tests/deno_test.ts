/** Starts `deno test` over modules, one a core at a time. */

/**
 * Runs test modules.
 *
 * @param args flags and modules, as `deno test` takes them.
 * @param env variables beside those of this process.
 * @returns the exit code.
 */
export async function runDenoTest(
  repository: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<number> {
  const { code } = await new Deno.Command(Deno.execPath(), {
    args: ["test", "--no-check", "-P=test", "--parallel", ...args],
    cwd: repository,
    env,
  }).spawn().status;
  return code;
}
