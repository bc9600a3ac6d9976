/** The server and the hooks as a client starts them, beside programs that do nothing; what a model reads after it lost its memory. */
import { join } from "node:path";
import { asRecord } from "../../src/base/text/json_record.ts";
import { Client } from "../../tools/demo/client.ts";
import { createUser } from "../../tools/demo/person.ts";
import { createSampleProject } from "../../tools/demo/sample_project.ts";
import type { ServerOptions } from "../../tools/demo/server.ts";
import { makeTempFolders, startServer, toProgram } from "../../tools/demo/server.ts";
import { run } from "../../tools/run.ts";
import type { Caller } from "../../tools/trial/replay.ts";
import { loadDefaultSession, replay } from "../../tools/trial/replay.ts";
import { toBytes } from "../../tools/trial/figures.ts";
import type { Figure } from "../harness/measure.ts";
import { figure, measurePairMs } from "../harness/measure.ts";
import { REPOSITORY } from "../../tools/task.ts";

/** From the start of the process to the answer to `initialize`, beside an empty server; the size of the listing. */
export async function measureStart(): Promise<readonly Figure[]> {
  await using folders = await makeTempFolders();
  const { ours, theirs } = await measurePairMs(
    () => startAndClose(() => startServer(folders)),
    () => startAndClose(() => startEmpty(folders.root)),
  );
  const { client } = await startServer(folders);
  const listing = await client.request("tools/list", {});
  await client.close();
  const { tools } = listing as { readonly tools: readonly unknown[] };
  return [
    figure("spawn to initialize, from source", ours),
    figure("the same, empty server on the SDK", theirs),
    figure("ratio of the two", ours / theirs, "ratio", "aim: at most 2"),
    figure("tools/list", toBytes(JSON.stringify(listing)), "bytes", `${tools.length} tools`),
  ];
}

async function startAndClose(start: () => ReturnType<typeof Client.start>): Promise<number> {
  const { client, durationMs } = await start();
  await client.close();
  return durationMs;
}

function startEmpty(cwd: string): ReturnType<typeof Client.start> {
  const script = join(REPOSITORY, "lab", "bench", "empty_server.ts");
  const config = join(REPOSITORY, "deno.json");
  const args = ["run", "--quiet", "--config", config, "-P", script];
  return Client.start({ command: Deno.execPath(), args, cwd });
}

/** Times of hooks outside a session and in one, from source. */
export async function measureHooks(): Promise<readonly Figure[]> {
  await using folders = await makeTempFolders();
  await createSampleProject(folders.root);
  const hook = (word: HookWord) => () => runHook(toProgram(), folders, word);
  const outside = await measurePairMs(hook("pre-tool-use"), async () => {
    await run(Deno.execPath(), ["eval", ""], { cwd: folders.root });
  });
  const { client } = await startServer(folders);
  await client.callTool("start_session", { intent: "MODIFY", query: "Let members renew a loan" });
  const inside = await measurePairMs(hook("pre-tool-use"), hook("post-tool-use"));
  await client.close();
  return [
    figure("hook outside a session", outside.ours, "ms", "from source"),
    figure("a Deno process that does nothing", outside.theirs),
    figure("hook before a shell command", inside.ours, "ms", "in a session"),
    figure("hook after it: ledger check", inside.theirs, "ms", "in a session"),
  ];
}

/** What comes after `hook` on the command line. */
export type HookWord = "pre-tool-use" | "post-tool-use";

const SHELL = { tool_name: "Bash", tool_input: { command: "git status" } };

/** Hands an event of a client around a shell command to the hook command; throws when it ends with anything but 0. */
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

/** The size of the brief where a session knows most; `deno task trial` prints all else that a model reads. */
export async function measureSizes(): Promise<readonly Figure[]> {
  await using folders = await makeTempFolders();
  await createSampleProject(folders.root);
  const { client } = await startServer({ ...folders, person: createUser(() => {}).answer });
  let briefBytes = 0;
  const call: Caller = async (tool, args) => {
    const answer = await client.callTool(tool, args);
    // The session knows most just before its review.
    if (asRecord(args.data).reviewed_files !== undefined) {
      const { reply } = await client.callTool("get_session_status", {});
      briefBytes = toBytes(JSON.stringify(reply.brief));
    }
    return answer;
  };
  await replay(await loadDefaultSession(), { call, root: folders.root, isJoined: false });
  await client.close();
  return [figure("brief at step 17", briefBytes, "bytes", "aim: at most 10240")];
}
