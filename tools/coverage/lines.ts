/** Reads what `deno coverage --lcov` prints. Pure. */

/** Why the tests run less than four fifths of some files. */

const HOOKS = "tests/cli/commands/hook_slow.ts runs the rest, in processes of their own";

/** Reasons by the path of the file. */
export const REASONS: Readonly<Record<string, string>> = {
  "src/hooks/hook_events.ts": HOOKS,
  "src/hooks/active_session.ts": HOOKS,
  "src/workflow/hook_door.ts": HOOKS,
  "src/index/vectors/sqlite_vec.ts": "the rest is the executable's: deno task prove",
};

/** How much of a file the tests ran. */
export interface FileLines {
  /** Path as the report has it. */
  readonly path: string;
  /** Lines that hold code. */
  readonly found: number;
  /** Lines that were run. */
  readonly hit: number;
}

/**
 * The files of a report in its order; a file without code is left out.
 *
 * @param lcov records of `SF:path`, `LF:lines`, `LH:lines run`, each ended by `end_of_record`.
 */
export function toFileLines(lcov: string): readonly FileLines[] {
  return lcov.split("end_of_record").flatMap((record) => {
    const read = (key: string) => new RegExp(`^${key}:(.*)$`, "m").exec(record)?.[1]?.trim();
    const [path, found, hit] = [read("SF"), Number(read("LF")), Number(read("LH"))];
    return path === undefined || !(found > 0) ? [] : [{ path, found, hit }];
  });
}

/** What is wrong with the reasons: files under the mark without one, and reasons that are needless. */
export interface Verdict {
  readonly withoutReason: readonly FileLines[];
  readonly needless: readonly string[];
}

/** Share of the lines that were run, 0 to 1. */
export function toShare({ found, hit }: Pick<FileLines, "found" | "hit">): number {
  return found === 0 ? 1 : hit / found;
}

/**
 * Judges the files against a mark.
 *
 * @param reasons why the tests run less of a file, by its path.
 */
export function toVerdict(
  files: readonly FileLines[],
  mark: number,
  reasons: Readonly<Record<string, string>>,
): Verdict {
  const low = files.filter((file) => toShare(file) < mark);
  const paths = new Set(low.map(({ path }) => path));
  return {
    withoutReason: low.filter(({ path }) => !Object.hasOwn(reasons, path)),
    needless: Object.keys(reasons).filter((path) => !paths.has(path)),
  };
}
