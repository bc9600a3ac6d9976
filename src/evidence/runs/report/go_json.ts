/** Reads `go test -json`. Pure. */
import type { ReportFormat } from "./report.ts";
import { Tally } from "./report.ts";

interface GoEvent {
  readonly Action?: string;
  readonly Package?: string;
  readonly ImportPath?: string;
  readonly Test?: string;
  readonly Output?: string;
  readonly FailedBuild?: string;
}

/** Each test by package and name; a package that failed without a failed test is an error. */
export const readGoJson: ReportFormat = (lines) => {
  const events = lines.flatMap(toEvent);
  if (!events.some(({ Action, Package }) => Action === "start" || Package !== undefined)) {
    return null;
  }
  const tally = new Tally("go test");
  const messages = new Map<string, string>();
  const failed = new Set<string>();
  const panicked = new Set<string>();
  for (const event of events) {
    const { Action: action, Package: pack = event.ImportPath ?? "", Test: test, Output = "" } =
      event;
    const key = test === undefined ? pack : `${pack}.${test}`;
    const isSaid = /^\s+\S+\.go:\d+:|^panic:|^\S+\.go:\d+:\d+:/.test(Output);
    if (isSaid && !messages.has(key)) messages.set(key, Output.trim());
    if (Output.startsWith("panic: ")) panicked.add(pack);
    if (test === undefined) {
      if (action === "fail" && panicked.has(pack)) tally.cut(`${pack} (panic)`);
      if (action !== "fail" || failed.has(pack)) continue;
      tally.error(pack, messages.get(event.FailedBuild ?? pack) ?? "");
    } else if (action === "pass") tally.pass(key);
    else if (action === "skip") tally.skip(key);
    else if (action === "fail") {
      failed.add(pack);
      tally.fail(key, messages.get(key) ?? "");
    }
  }
  return tally.toReport();
};

function toEvent(line: string): readonly GoEvent[] {
  if (!line.startsWith("{") || !line.includes('"Action"')) return [];
  try {
    return [JSON.parse(line) as GoEvent];
  } catch {
    return [];
  }
}
