/** The hooks as a client runs them: a process an event, beside a process that does nothing. */
import { createSampleProject } from "../demo/sample_project.ts";
import type { ServerOptions } from "../demo/server.ts";
import { makeTempFolders, startServer, toProgram } from "../demo/server.ts";
import type { Figure } from "./measure.ts";
import { measurePairMs } from "./measure.ts";

const SHELL = { tool_name: "Bash", tool_input: { command: "git status" } };

/** Times of hooks outside a session and in one, from source. */
export async function measureHooks(): Promise<readonly Figure[]> {
  await using folders = await makeTempFolders();
  await createSampleProject(folders.root);
  const outside = await measurePairMs(() => runHook(folders, "pre-tool-use", SHELL), runEmpty);
  const { client } = await startServer(folders);
  const query = "Let members renew a loan";
  await client.request("tools/call", {
    name: "start_session",
    arguments: { intent: "MODIFY", query },
  });
  const inside = await measurePairMs(
    () => runHook(folders, "pre-tool-use", SHELL),
    () => runHook(folders, "post-tool-use", SHELL),
  );
  await client.close();
  return [
    { name: "hook outside a session", value: outside.ours, unit: "ms", note: "from source" },
    { name: "a Deno process that does nothing", value: outside.theirs, unit: "ms", note: "" },
    { name: "hook before a shell command", value: inside.ours, unit: "ms", note: "in a session" },
    { name: "hook after it: ledger check", value: inside.theirs, unit: "ms", note: "in a session" },
  ];
}

async function runHook(
  { root, stateDir }: ServerOptions,
  word: string,
  event: Readonly<Record<string, unknown>>,
): Promise<void> {
  const [command, ...args] = toProgram();
  const child = new Deno.Command(command, {
    args: [...args, "hook", word, "--client", "claude"],
    cwd: root,
    env: { CODE_INTEL_STATE_DIR: stateDir },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  const text = JSON.stringify({ session_id: "bench", cwd: root, ...event });
  await writer.write(new TextEncoder().encode(text));
  await writer.close();
  const { code, stderr } = await child.output();
  if (code !== 0) throw new Error(`hook ${word}: ${new TextDecoder().decode(stderr)}`);
}

async function runEmpty(): Promise<void> {
  await new Deno.Command(Deno.execPath(), { args: ["eval", ""] }).output();
}
