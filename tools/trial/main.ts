/**
 * `deno task trial`: replays the recorded session of an agent against the real server on the project of the demo, and
 * prints calls, bytes and server time by step, with the sizes of what a model reads before. `--separate` sends each
 * payload by a call of its own; `--docs` writes the figures for the README.
 */
import { createUser } from "../demo/person.ts";
import { createSampleProject } from "../demo/sample_project.ts";
import { makeTempFolders, startServer } from "../demo/server.ts";
import { parseWords, print } from "../task.ts";
import { measureReading, saveFigures } from "./figures.ts";
import type { ReplayedCall } from "./replay.ts";
import { loadDefaultSession, replay } from "./replay.ts";

const USAGE = "deno task trial [--separate] [--docs]";

function printRow(step: string, tool: string, sizeBytes: number, durationMs?: number): void {
  const time = durationMs === undefined ? "" : `${durationMs.toFixed(0).padStart(8)} ms`;
  print(`${step.padStart(4)}  ${tool.padEnd(24)} ${String(sizeBytes).padStart(8)} bytes${time}`);
}

function sum(calls: readonly ReplayedCall[], field: "sizeBytes" | "durationMs"): number {
  return calls.reduce((total, call) => total + call[field], 0);
}

const { values: wanted } = parseWords(USAGE, {
  options: { separate: { type: "boolean" }, docs: { type: "boolean" } },
});
await using folders = await makeTempFolders();
await createSampleProject(folders.root);
const { client } = await startServer({ ...folders, person: createUser(() => {}).answer });
const calls = await replay(await loadDefaultSession(), {
  call: (tool, args) => client.callTool(tool, args),
  root: folders.root,
  isJoined: wanted.separate !== true,
});
await client.close();

for (const { step, tool, sizeBytes, durationMs } of calls) {
  printRow(String(step), tool, sizeBytes, durationMs);
}
printRow("", `${calls.length} calls`, sum(calls, "sizeBytes"), sum(calls, "durationMs"));
const { listingBytes, instructionsBytes, skills } = await measureReading();
printRow("", "tools/list", listingBytes);
printRow("", "instructions", instructionsBytes);
for (const [name, sizeBytes] of skills) printRow("", `skill ${name}`, sizeBytes);
if (wanted.docs === true && wanted.separate !== true) {
  await saveFigures({ calls: calls.length, replyBytes: sum(calls, "sizeBytes") });
}
