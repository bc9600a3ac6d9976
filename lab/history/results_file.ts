/** Measured commits, and the file in which a run keeps them, so that one that was ended can go on. */
import type { BenchmarkCommit, MeasuredCommit, PastCost } from "./measure.ts";

interface Result {
  readonly measured: MeasuredCommit;
  readonly cost: PastCost;
}

/** A line of the file: `localise`, `complete` and `must` are what scorers of others read. */
interface Line extends Result {
  readonly commit: string;
  /** The program and the machine that measured it. */
  readonly where: string;
  readonly localise?: readonly string[];
  readonly complete: readonly string[];
  readonly must: readonly string[];
}

/** What one program measured of some commits. */
export class ResultsFile {
  readonly #path: string | null;
  readonly #where: string;
  readonly #results: Map<string, Result>;

  /**
   * @param path The file; null to keep the results in memory alone.
   * @param where The program and the machine: lines of another one are not taken over.
   */
  constructor(path: string | null, where: string) {
    this.#path = path;
    this.#where = where;
    this.#results = path === null ? new Map() : readResults(path, where);
  }

  /** Whether a commit is measured. */
  has(commit: string): boolean {
    return this.#results.has(commit);
  }

  /** Keeps what was measured of a commit. */
  async add(measured: MeasuredCommit, cost: PastCost): Promise<void> {
    const { row: { commit }, localise, likely, must } = measured;
    this.#results.set(commit, { measured, cost });
    if (this.#path === null) return;
    const line: Line = {
      commit,
      where: this.#where,
      ...(localise === null ? {} : { localise: localise.map(({ path }) => path) }),
      complete: likely.map(({ path }) => path),
      must,
      measured,
      cost,
    };
    await Deno.writeTextFile(this.#path, `\n${JSON.stringify(line)}`, { append: true });
  }

  /** What is measured of the commits, in their order, and what the past of each repository cost. */
  read(commits: readonly BenchmarkCommit[]): {
    readonly measured: readonly MeasuredCommit[];
    readonly costs: readonly PastCost[];
  } {
    const found = commits.flatMap(({ commit }) => this.#results.get(commit) ?? []);
    const costs = new Map<string, PastCost>();
    for (const { cost } of found) if (!costs.has(cost.repo)) costs.set(cost.repo, cost);
    return { measured: found.map(({ measured }) => measured), costs: [...costs.values()] };
  }
}

/**
 * What any run measured of commits of other repositories, which a fit may learn from too.
 *
 * @param but Repositories that are scored: their commits are left out.
 */
export function readMore(path: string, but: ReadonlySet<string>): readonly MeasuredCommit[] {
  const found = readText(path).split("\n").flatMap((text) => {
    const measured = text === "" ? undefined : parseLine(text)?.measured;
    return measured === undefined || but.has(measured.row.repo) ? [] : [measured];
  });
  return [...new Map(found.map((one) => [one.row.commit, one])).values()];
}

function readResults(path: string, where: string): Map<string, Result> {
  const results = new Map<string, Result>();
  for (const text of readText(path).split("\n")) {
    const line = text === "" ? null : parseLine(text);
    if (line?.where === where) results.set(line.commit, line);
  }
  return results;
}

/** The file is this task's own; a line that an ended run left unfinished is none. */
function parseLine(text: string): Line | null {
  try {
    return JSON.parse(text) as Line;
  } catch {
    return null;
  }
}

function readText(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "";
    throw error;
  }
}
