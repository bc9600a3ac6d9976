/** Starts a program of the compile task and shows what it said when it failed. */

/** How a program is run. */
export interface RunOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Runs a program to its end.
 *
 * @returns its standard output.
 * @throws {Error} with its words when it fails or is not there.
 */
export async function run(
  command: string,
  args: readonly string[],
  { cwd, env = {} }: RunOptions,
): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(command, {
    args: [...args],
    cwd,
    env: { NO_COLOR: "1", ...env },
  }).output();
  const decoder = new TextDecoder();
  if (success) return decoder.decode(stdout);
  throw new Error(`${command} ${args[0] ?? ""} failed: ${decoder.decode(stderr).trim()}`);
}
