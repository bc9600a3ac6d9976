/** An event of a client around a shell command, handed to the hook command as the client does. */
import type { ServerOptions } from "../../tools/demo/server.ts";

/** What comes after `hook` on the command line. */
export type HookWord = "pre-tool-use" | "post-tool-use";

const SHELL = { tool_name: "Bash", tool_input: { command: "git status" } };

/** Runs it to its end; throws when it ends with anything but 0. */
export async function runHook(
  [command, ...args]: readonly [command: string, ...args: string[]],
  { root, stateDir }: ServerOptions,
  word: HookWord,
): Promise<void> {
  const child = new Deno.Command(command, {
    args: [...args, "hook", word, "--client", "claude"],
    cwd: root,
    env: { CODE_INTEL_STATE_DIR: stateDir },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  const event = JSON.stringify({ session_id: "bench", cwd: root, ...SHELL });
  await writer.write(new TextEncoder().encode(event));
  await writer.close();
  const { code, stderr } = await child.output();
  if (code !== 0) throw new Error(`hook ${word}: ${new TextDecoder().decode(stderr)}`);
}
