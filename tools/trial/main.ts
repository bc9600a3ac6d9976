/**
 * `deno task trial`: replays the recorded session of an agent against the real server on the project of the demo, and
 * prints calls, bytes and server time by step, with the sizes of what a model reads before. `--separate` sends each
 * payload by a call of its own; `--ways` compares the steps by hand with the default way; `--docs` writes the figures for the
 * README.
 */
import { createUser } from "../demo/person.ts";
import { createSampleProject } from "../demo/sample_project.ts";
import { makeTempFolders, startServer } from "../demo/server.ts";
import { parseWords, print } from "../task.ts";
import { measureReading, saveFigures, toBytes } from "./figures.ts";
import type { ReplayedCall } from "./replay.ts";
import type { Recording } from "./replay.ts";
import { loadDefaultSession, replay, toSmall, toWhole, WHOLE_SIZES } from "./replay.ts";

const USAGE = "deno task trial [--separate] [--ways] [--docs]";

function printRow(step: string, tool: string, sizeBytes: number, durationMs?: number): void {
  const time = durationMs === undefined ? "" : `${durationMs.toFixed(0).padStart(8)} ms`;
  print(`${step.padStart(4)}  ${tool.padEnd(24)} ${String(sizeBytes).padStart(8)} bytes${time}`);
}

function sum(calls: readonly ReplayedCall[], field: "sizeBytes" | "durationMs"): number {
  return calls.reduce((total, call) => total + call[field], 0);
}

const { values: wanted } = parseWords(USAGE, {
  options: {
    separate: { type: "boolean" },
    ways: { type: "boolean" },
    docs: { type: "boolean" },
  },
});

/** Replays a recording on a project and a server of its own. */
async function run(recording: Recording, isJoined = true) {
  await using folders = await makeTempFolders();
  await createSampleProject(folders.root);
  const { client } = await startServer({ ...folders, person: createUser(() => {}).answer });
  let sentBytes = 0;
  const replayed = await replay(recording, {
    call: (tool, args) => {
      sentBytes += toBytes(JSON.stringify(args));
      return client.callTool(tool, args);
    },
    root: folders.root,
    isJoined,
  });
  await client.close();
  return { replayed, sentBytes };
}

async function compareWays(): Promise<void> {
  const recorded = await loadDefaultSession();
  const rows: readonly (readonly [name: string, recording: Recording, isJoined: boolean])[] = [
    ["each step by hand", recorded, false],
    ["by hand, joined", recorded, true],
    ["by hand, joined, small", toSmall(recorded), true],
    ...WHOLE_SIZES.map((size) => [`default way, ${size}`, toWhole(recorded, size), true] as const),
  ];
  for (const [name, recording, isJoined] of rows) {
    const { replayed, sentBytes } = await run(recording, isJoined);
    const replies = sum(replayed, "sizeBytes");
    const ms = sum(replayed, "durationMs").toFixed(0);
    print(
      `${
        name.padEnd(24)
      } ${replayed.length} calls, ${sentBytes} bytes in, ${replies} out, ${ms} ms`,
    );
  }
}

if (wanted.ways === true) {
  await compareWays();
  Deno.exit(0);
}
const { replayed: calls } = await run(await loadDefaultSession(), wanted.separate !== true);

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
