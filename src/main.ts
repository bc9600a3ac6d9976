/** The entry point: from the words of the process to its exit code. The only file that exits. */
import { runCli } from "./cli/run.ts";
import { createTerminal } from "./cli/terminal.ts";
import { FEATURES } from "./features/features.ts";

/** After a signal a command has this long to end by itself, unless it says that it needs longer. */
const GRACE_MS = 500;

/** What shells expect of a program that a signal ended: 128 and the signal's number. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

const interrupt = new AbortController();
let graceMs = GRACE_MS;
/** The exit code of the signal that came. */
let signalled: number | null = null;

function onSignal(exitCode: number): void {
  if (signalled !== null) Deno.exit(signalled);
  signalled = exitCode;
  interrupt.abort();
  setTimeout(() => Deno.exit(exitCode), graceMs);
}

for (const [name, exitCode] of Object.entries(SIGNALS)) {
  if (Deno.build.os === "windows" && name !== "SIGINT") continue;
  Deno.addSignalListener(name as keyof typeof SIGNALS, () => onSignal(exitCode));
}

const terminal = createTerminal({
  noColour: (Deno.env.get("NO_COLOR") ?? "") !== "",
  columns: Deno.env.get("COLUMNS"),
});
const exitCode = await runCli(Deno.args, {
  terminal,
  features: FEATURES,
  signal: interrupt.signal,
  extendGrace: (ms) => graceMs = Math.max(graceMs, ms),
});
Deno.exit(signalled ?? exitCode);
