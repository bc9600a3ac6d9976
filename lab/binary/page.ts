/** The page of the executable: what is in it, how long it takes, what it holds in memory. */
import type { PartSize } from "../../tools/compile/build.ts";
import { fillPage, toTable } from "../harness/figures.ts";
import type { LoadRow } from "./load_figures.ts";
import type { MemoryRow } from "./memory_figures.ts";
import type { TimeRow } from "./time_figures.ts";

/** Everything that the page shows. */
export interface PageFacts {
  readonly commit: string;
  readonly machine: string;
  /** What else it did when the measuring ended: programs that wanted to run. */
  readonly load: number;
  /** Versions of Deno. */
  readonly runtimes: { readonly executable: string; readonly source: string };
  readonly parts: readonly PartSize[];
  readonly loads: readonly LoadRow[];
  readonly times: readonly TimeRow[];
  readonly memory: readonly MemoryRow[];
}

/** The whole page. */
export function renderPage(template: string, facts: PageFacts): string {
  const { commit, machine, runtimes, load, parts, loads, times, memory } = facts;
  const bytes = (count: number) => count.toLocaleString("en-US");
  return fillPage(template, {
    commit,
    machine,
    executable_version: runtimes.executable,
    source_version: runtimes.source,
    load: load.toFixed(1),
    parts: toNumbers(
      ["part", "files", "bytes"],
      parts.map(({ title, files, sizeBytes }) => [title, String(files), bytes(sizeBytes)]),
    ),
    loads: toNumbers(
      ["start", "modules", "bytes"],
      loads.map(({ title, modules, sizeBytes }) => [title, String(modules), bytes(sizeBytes)]),
    ),
    times: toNumbers(
      ["what", "executable, median", "fastest", "source, median", "fastest"],
      times.map(({ title, executable, source }) => [
        title,
        ...[executable, source].flatMap(({ medianMs, fastestMs }) =>
          [medianMs, fastestMs].map((ms) => ms.toFixed(0))
        ),
      ]),
    ),
    memory: toNumbers(
      ["when", "executable", "source"],
      memory.map(({ title, executableBytes, sourceBytes }) => [
        title,
        ...[executableBytes, sourceBytes].map((one) => one === null ? "–" : (one / 1e6).toFixed(0)),
      ]),
    ),
  });
}

/** A table whose columns but the first are numbers. */
function toNumbers(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return toTable(head, rows).replace(/\|(?: --- \|)+/, `|---|${"---:|".repeat(head.length - 1)}`);
}
