/** The entry point: from the words of the process to its exit code. The only file that exits. */
import { createTerminal, runCli } from "./cli/mod.ts";

/** After Ctrl-C a command has this long to end by itself, unless it says that it needs longer. */
const GRACE_MS = 500;
/** What shells expect of a program that Ctrl-C ended. */
const INTERRUPTED = 130;

const interrupt = new AbortController();
let graceMs = GRACE_MS;

function onInterrupt(): void {
  if (interrupt.signal.aborted) Deno.exit(INTERRUPTED);
  interrupt.abort();
  setTimeout(() => Deno.exit(INTERRUPTED), graceMs);
}

Deno.addSignalListener("SIGINT", onInterrupt);
if (Deno.build.os !== "windows") Deno.addSignalListener("SIGTERM", onInterrupt);

const terminal = createTerminal({
  noColour: (Deno.env.get("NO_COLOR") ?? "") !== "",
  columns: Deno.env.get("COLUMNS"),
});
const exitCode = await runCli(Deno.args, {
  terminal,
  signal: interrupt.signal,
  extendGrace: (ms) => graceMs = Math.max(graceMs, ms),
});
Deno.exit(interrupt.signal.aborted && exitCode !== 0 ? INTERRUPTED : exitCode);
