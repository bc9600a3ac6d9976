/** Finds the changed lines that lie in functions which no recorded test runs. */
import { join } from "node:path";
import { readRegularText } from "../../base/files/regular_file.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import { isCallable } from "../../impact/symbol_shape.ts";
import { formatExtent } from "../../index/seen_runs.ts";
import { loadSeen } from "../../services/seen_tests.ts";
import type { Services } from "../../services/services_api.ts";
import { eachNewLine } from "./plain.ts";
import type { ReportFile } from "./report_schema.ts";

/** What the records of runs say of changed files. */
export interface IdleLines {
  /** How much of the tests was recorded. */
  readonly recorded: string;
  /** By file the numbers of its added lines that no recorded test runs; only of files that are as they were when recorded. */
  readonly files: ReadonlyMap<string, readonly number[]>;
}

/** Reads the records; null where no run was recorded. */
export async function findIdleLines(
  { openRuns, index, parts }: Pick<Services, "openRuns" | "index" | "parts">,
  files: readonly Pick<ReportFile, "path" | "diff">[],
): Promise<IdleLines | null> {
  const state = await loadSeen({ openRuns, index });
  if (state === null) return null;
  const paths = files.map(({ path }) => path);
  const symbols = await index.read((view) => view.listSymbolsOf(paths));
  const found = files.flatMap(({ path, diff }, at): readonly (readonly [string, number[]])[] => {
    const own = (symbols[at] ?? []).filter(isCallable);
    const added = listAdded(diff ?? "");
    if (own.length === 0 || !isPresent(parts.projectRoot, path, added)) return [];
    const names = own.map(({ qualifiedName: name }) => ({ path, name }));
    const seen = state.findTests(names).functions;
    const idle = [...added.keys()].filter((line) => {
      const around = own.map((hit, place) => ({ ...hit, seen: seen[place] }))
        .filter(({ startLine, endLine }) => startLine <= line && line <= endLine);
      const inner = around.toSorted((a, b) => a.endLine - a.startLine - b.endLine + b.startLine)[0];
      return inner?.seen?.seen === "not run" && inner.seen.isCurrent;
    });
    return idle.length === 0 ? [] : [[path, idle]];
  });
  return { recorded: formatExtent(state.extent), files: new Map(found) };
}

/** The added lines of hunks by their number in the new text. */
function listAdded(diff: string): ReadonlyMap<number, string> {
  const lines = new Map<number, string>();
  eachNewLine(diff, (line, text) => text.startsWith("+") && lines.set(line, text.slice(1)));
  return lines;
}

/** Whether the file has these lines now. */
function isPresent(root: string, path: string, lines: ReadonlyMap<number, string>): boolean {
  const text = readRegularText(join(root, path), {
    within: root,
    maxBytes: LIMITS.fileBytes.value,
  });
  const now = text?.split("\n") ?? [];
  return [...lines].every(([line, wanted]) =>
    now[line - 1]?.replace(/\r$/, "") === wanted.replace(/\r$/, "")
  );
}
