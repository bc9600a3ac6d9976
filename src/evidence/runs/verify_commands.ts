/**
 * Checks the project's verification commands as configured rows, and selects those that apply to
 * changed files.
 */
import type { Problem } from "../../base/problem.ts";
import { makeProblem } from "../../base/problem.ts";
import { parseGlob } from "../../base/text/glob.ts";

/** A row of the key `verify`, as in the configuration. */
export interface VerifyRow {
  readonly name: string;
  readonly run: readonly string[];
  readonly paths?: readonly string[] | undefined;
  readonly writes?: readonly string[] | undefined;
  readonly timeout_s: number;
}

/** One command that proves something about the project. */
export interface VerifyCommand {
  /** Unique within the project. */
  readonly name: string;
  /** Program and arguments; no shell is used. */
  readonly run: readonly string[];
  /** Globs relative to the project; null for a command that always applies. */
  readonly paths: readonly string[] | null;
  /** Globs of the files that the command itself writes, such as reports. */
  readonly writes: readonly string[];
  readonly timeoutMs: number;
}

/** The rows that can be run, and what is wrong with the others. */
export interface CheckedCommands {
  readonly commands: readonly VerifyCommand[];
  readonly problems: readonly Problem[];
}

/**
 * Checks the rows of the key `verify`. Of two rows with one name the first counts and the second is
 * refused; a glob that cannot be read is reported, and a row without a readable glob in `paths`
 * always applies.
 */
export function parseVerifyCommands(rows: readonly VerifyRow[]): CheckedCommands {
  const problems: Problem[] = [];
  const commands = new Map<string, VerifyCommand>();
  rows.forEach((row, index) => {
    const at = `verify.${index}`;
    if (commands.has(row.name)) {
      problems.push(makeFault(`The name "${row.name}" comes twice in verify`, `${at}.name`));
      return;
    }
    const check = (globs: readonly string[], key: string) =>
      globs.filter((glob, position) => {
        const parsed = parseGlob(glob);
        if (parsed.kind === "glob") return true;
        const message = `The glob "${glob}" of "${row.name}" cannot be read: ${parsed.reason}`;
        problems.push(makeFault(message, `${at}.${key}.${position}`));
        return false;
      });
    const paths = check(row.paths ?? [], "paths");
    commands.set(row.name, {
      name: row.name,
      run: row.run,
      paths: paths.length > 0 ? paths : null,
      writes: check(row.writes ?? [], "writes"),
      timeoutMs: row.timeout_s * 1000,
    });
  });
  return { commands: [...commands.values()], problems };
}

/** The commands that apply to the changed paths (relative to the project), in their own order. */
export function selectCommands(
  commands: readonly VerifyCommand[],
  changedPaths: readonly string[],
): readonly VerifyCommand[] {
  return commands.filter(({ paths }) => {
    if (paths === null) return true;
    const tests = paths.map(compileGlob);
    return changedPaths.some((path) => tests.some((test) => test(path)));
  });
}

/** Whether a command declares that it writes this path (relative to the project). */
export function isWrittenBy(command: Pick<VerifyCommand, "writes">, path: string): boolean {
  return command.writes.some((glob) => compileGlob(glob)(path));
}

function compileGlob(glob: string): (path: string) => boolean {
  const parsed = parseGlob(glob);
  return parsed.kind === "glob" ? parsed.test : () => false;
}

function makeFault(message: string, at: string): Problem {
  const path = ".code-intel/config.json";
  return makeProblem("config_invalid", `${message} (${path})`, {
    at,
    path,
    hint: "Correct the file; it is read again at the next session.",
  });
}
