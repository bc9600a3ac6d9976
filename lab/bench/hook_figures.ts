/** The hooks as a client runs them: a process an event, beside a process that does nothing. */
import { createSampleProject } from "../../tools/demo/sample_project.ts";
import { makeTempFolders, startServer, toProgram } from "../../tools/demo/server.ts";
import type { Figure } from "../../tools/measure.ts";
import { measurePairMs } from "../../tools/measure.ts";
import { runHook } from "./run_hook.ts";

/** Times of hooks outside a session and in one, from source. */
export async function measureHooks(): Promise<readonly Figure[]> {
  await using folders = await makeTempFolders();
  await createSampleProject(folders.root);
  const outside = await measurePairMs(
    () => runHook(toProgram(), folders, "pre-tool-use"),
    runEmpty,
  );
  const { client } = await startServer(folders);
  const query = "Let members renew a loan";
  await client.request("tools/call", {
    name: "start_session",
    arguments: { intent: "MODIFY", query },
  });
  const inside = await measurePairMs(
    () => runHook(toProgram(), folders, "pre-tool-use"),
    () => runHook(toProgram(), folders, "post-tool-use"),
  );
  await client.close();
  return [
    { name: "hook outside a session", value: outside.ours, unit: "ms", note: "from source" },
    { name: "a Deno process that does nothing", value: outside.theirs, unit: "ms", note: "" },
    { name: "hook before a shell command", value: inside.ours, unit: "ms", note: "in a session" },
    { name: "hook after it: ledger check", value: inside.theirs, unit: "ms", note: "in a session" },
  ];
}

async function runEmpty(): Promise<void> {
  await new Deno.Command(Deno.execPath(), { args: ["eval", ""] }).output();
}
