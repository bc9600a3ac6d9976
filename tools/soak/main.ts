/** `deno task soak [--minutes N]`: what one server holds after that long, as a table; the last line is the verdict. */
import { canReadProcesses } from "../run.ts";
import { endWrongUse, parseWords, print } from "../task.ts";
import type { Look } from "./soak.ts";
import { soak, toVerdict } from "./soak.ts";

const USAGE = "deno task soak [--minutes N]";

const DEFAULT_MINUTES = 60;
const MINUTE_MS = 60_000;
/** A line for the reader this often. */
const REPORT_MS = 30_000;

async function main(args: readonly string[]): Promise<number> {
  const { values } = parseWords(USAGE, {
    args: [...args],
    options: { minutes: { type: "string" } },
  });
  const minutes = Number(values.minutes ?? DEFAULT_MINUTES);
  if (!(minutes > 0)) endWrongUse("--minutes takes a number greater than 0", USAGE);
  if (!canReadProcesses()) {
    print("The soak cannot run: memory and handles of a process are read from /proc, on Linux.");
    return 1;
  }
  const endsAt = performance.now() + minutes * MINUTE_MS;
  let reportAt = 0;
  print("  time  rounds   memory  handles");
  const onLook = ({ elapsedMs, round, memoryBytes, handles }: Look) => {
    if (elapsedMs < reportAt) return;
    reportAt = elapsedMs + REPORT_MS;
    const time = `${(elapsedMs / 1000).toFixed(0)} s`.padStart(6);
    const memory = `${(memoryBytes / 1e6).toFixed(0)} MB`.padStart(8);
    print(`${time} ${String(round).padStart(7)} ${memory} ${String(handles).padStart(8)}`);
  };
  const run = await soak({ isOver: () => performance.now() > endsAt, onLook });
  const { growthBytes, slopeBytesAnHour, moreHandles, orphans } = toVerdict(run);
  print(`${run.calls} calls in ${run.looks.length} rounds.`);
  print(
    `Second half: memory ${(growthBytes / 1e6).toFixed(1)} MB more ` +
      `(${(slopeBytesAnHour / 1e3).toFixed(0)} KB an hour), ${moreHandles} handles more, ` +
      `${orphans} processes left behind.`,
  );
  return moreHandles > 0 || orphans > 0 ? 1 : 0;
}

Deno.exitCode = await main(Deno.args);
