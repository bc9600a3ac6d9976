/**
 * `deno task trial`: replays the recorded session of an agent against the real server on the project of the demo, and
 * prints calls, bytes and server time by step, with the sizes of what a model reads before. `--separate` sends each
 * payload by a call of its own; `--ways` compares the steps by hand with the default way of three clients, as they were
 * before in brackets, and `--keep` keeps them as those of before; `--docs` writes the figures for the README.
 */
import { parseWords, print } from "../task.ts";
import { loadFigures, measureReading, saveFigures } from "./figures.ts";
import type { ReplayedCall } from "./replay.ts";
import { loadDefaultSession } from "./replay.ts";
import { formatWays, measureWays, runWay } from "./ways.ts";

const USAGE = "deno task trial [--separate] [--ways [--keep]] [--docs]";

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
    keep: { type: "boolean" },
    docs: { type: "boolean" },
  },
});

if (wanted.ways === true) {
  const now = await measureWays();
  print(formatWays(now, (await loadFigures()).ways));
  if (wanted.keep === true) await saveFigures({ ways: now });
  Deno.exit(0);
}
const recording = await loadDefaultSession();
const isJoined = wanted.separate !== true;
const { replayed: calls } = await runWay({ recording, isJoined, hooks: null });

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
