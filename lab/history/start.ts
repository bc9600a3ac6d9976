/** Starts a session at the parent of each commit, and holds the files that its reply names against those of the commit. */
import { join } from "node:path";
import { SILENT_LOGGER } from "../../src/base/logger.ts";
import { isRecord } from "../../src/base/text/json_record.ts";
import { createServices } from "../../src/services/services.ts";
import { callTool } from "../../src/tools/call.ts";
import { TOOLS } from "../../src/tools/tools.ts";
import { run } from "../../tools/run.ts";
import { toFolder } from "../harness/clones.ts";
import { computeMean, toTable } from "../harness/figures.ts";
import type { BenchmarkCommit } from "./measure.ts";
import { checkOut, openClone, readRequest } from "./measure.ts";

/** What the reply to one start says. */
export interface StartFigures {
  readonly repo: string;
  /** Share of the commit's files that it names: as places and tests, and with the files that it names beside them. */
  readonly near: number;
  readonly named: number;
  /** Whether it names the file with most changed lines. */
  readonly isPrimary: boolean;
  readonly files: number;
  readonly bytes: number;
}

/** Measures the start of a session for one commit. */
export async function measureStart(
  row: BenchmarkCommit,
  { reposDir, scratchDir }: { readonly reposDir: string; readonly scratchDir: string },
): Promise<StartFigures> {
  const source = toFolder(reposDir, row.repo);
  const dir = await openClone(row.repo, { reposDir, scratchDir });
  await run("git", ["switch", "-q", "--detach"], { cwd: dir }).catch(() => {});
  await checkOut(dir, row.parent);
  // A session begins on a branch.
  await run("git", ["switch", "-q", "-C", "measured"], { cwd: dir });
  await Deno.remove(join(dir, ".git/code-intel/history.jsonl")).catch(() => {});
  const offered = TOOLS.map(({ name }) => name);
  const services = await createServices({ projectDir: dir, logger: SILENT_LOGGER, offered });
  const call = async (tool: string, input: unknown) =>
    await callTool(tool, input, {
      loadServices: () => Promise.resolve(services),
      signal: new AbortController().signal,
      via: "mcp",
      logger: SILENT_LOGGER,
    });
  try {
    await services.index.sync();
    await services.history.refresh();
    const query = await readRequest(source, row.commit);
    const reply = await call("start_session", { intent: "MODIFY", query });
    if (!reply.ok) throw new Error(`${row.repo} ${row.commit}: ${JSON.stringify(reply)}`);
    await call("submit_phase", { data: { abandon: true, reason: "measured" } });
    return score(row, reply);
  } finally {
    await services.close();
  }
}

function score({ repo, files, primary }: BenchmarkCommit, reply: object): StartFigures {
  const { orientation } = reply as { readonly orientation?: unknown };
  const { places = [], tests = [], also = [] } = (isRecord(orientation) ? orientation : {}) as {
    readonly places?: readonly { readonly at: string }[];
    readonly tests?: readonly string[];
    readonly also?: readonly string[];
  };
  const shown = new Set([...places.map(({ at }) => at), ...tests].map(toFile));
  const all = new Set([...shown, ...also]);
  const share = (named: ReadonlySet<string>) =>
    files.filter((path) => named.has(path)).length / files.length;
  const bytes = new TextEncoder().encode(JSON.stringify(reply)).length;
  const counts = { files: all.size, bytes, isPrimary: all.has(primary) };
  return { repo, near: share(shown), named: share(all), ...counts };
}

function toFile(at: string): string {
  return /^(.+?):\d/.exec(at)?.[1] ?? at;
}

/** A row a repository, and one for all. */
export function toStartTable(figures: readonly StartFigures[]): string {
  const groups = [...Map.groupBy(figures, ({ repo }) => repo), ["all", figures] as const];
  const mean = (rows: readonly StartFigures[], read: (row: StartFigures) => number, digits = 3) =>
    computeMean(rows.map(read)).toFixed(digits);
  return toTable(
    [
      "repository",
      "commits",
      "places and tests",
      "with files beside",
      "main file",
      "files",
      "bytes",
    ],
    groups.map(([repo, rows]) => [
      repo,
      `${rows.length}`,
      mean(rows, ({ near }) => near),
      mean(rows, ({ named }) => named),
      mean(rows, ({ isPrimary }) => Number(isPrimary)),
      mean(rows, ({ files }) => files, 1),
      mean(rows, ({ bytes }) => bytes, 0),
    ]),
  );
}
