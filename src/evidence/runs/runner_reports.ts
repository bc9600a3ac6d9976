/**
 * What a test runner writes beside its output: the report that a variable asks it for, and those that builds write by
 * themselves. The user's command stays as it is, and what it prints too, save the line that names the file.
 */
import { dirname, join } from "node:path";
import { readStampText } from "../../base/files/file_stamp.ts";
import { makeOwnFolder } from "../../base/files/own_folder.ts";
import { readRegularText } from "../../base/files/regular_file.ts";
import type { TestReport } from "../../runners/report.ts";
import { isStartedBy, RUNNERS } from "../../runners/runners.ts";
import { withOwnFolder } from "../checkout/checkout_folder.ts";

/** Reports that a run may write. */
export interface ReportCollector {
  /** What was printed, with what the reports add; as printed where the run wrote none. */
  add(printed: TestReport | null): TestReport | null;
}

/** A report that a run was asked for. */
export interface RequestedReport extends ReportCollector {
  /** Variables of the command. */
  readonly env: Readonly<Record<string, string>>;
  /** The same in words for people, without the name of the file. */
  readonly set: readonly string[];
}

/** A report of some 100,000 tests (guessed); a larger one is not read. */
const MAX_ASKED_BYTES = 32 * 1024 * 1024;

/** What a command is asked for; nothing where its runner has no such variable, or it has a report of its own. */
function findRequest(run: readonly string[]) {
  const asked = RUNNERS.find((row) => row.asked !== undefined && isStartedBy(run, row))?.asked;
  if (asked === undefined) return undefined;
  const value = Deno.env.get(asked.variable) ?? "";
  return [...run, value].some((word) => asked.unless.test(word)) ? undefined : { asked, value };
}

/** Whether a command is asked for a report. */
export function isAskedForReport(run: readonly string[]): boolean {
  return findRequest(run) !== undefined;
}

/** Asks for a report in a folder that is the run's alone; null where {@link isAskedForReport} says so. */
export function askForReport(run: readonly string[], folder: string): RequestedReport | null {
  const found = findRequest(run);
  if (found === undefined) return null;
  const { asked: { variable, request, read }, value } = found;
  const path = join(folder, "report.xml");
  const added = (file: string) => `${value} ${request(file)}`.trim();
  return {
    env: { [variable]: added(path) },
    set: [`${variable}=${added("…")}`],
    add(printed) {
      const text = readRegularText(path, { within: folder, maxBytes: MAX_ASKED_BYTES });
      return text === undefined ? printed : read(printed, [text]);
    },
  };
}

/** Where a command runs. */
export interface RunFolderOptions {
  /** The checkout in which it runs; null for the worktree. */
  readonly checkout: string | null;
  /** Absolute path of the worktree. */
  readonly worktree: string;
  /** The user's state folder; null without a home folder. */
  readonly stateDir: string | null;
}

/**
 * Runs `action` with a folder for what the run is asked to write: beside the checkout, which nobody else uses, or in a
 * place of its own among the checkouts. What a killed server leaves is removed with theirs. Null where there is no such
 * place.
 */
export async function withRunFolder<T>(
  { checkout, worktree, stateDir }: RunFolderOptions,
  action: (folder: string | null) => Promise<T>,
): Promise<T> {
  if (checkout !== null) {
    const folder = await Deno.makeTempDir({ dir: dirname(checkout), prefix: "run-" });
    try {
      return await action(folder);
    } finally {
      await Deno.remove(folder, { recursive: true }).catch(() => {});
    }
  }
  if (stateDir === null) return await action(null);
  return await withOwnFolder({ stateDir, worktree, suffix: "-run" }, async (found) => {
    if ("hindrance" in found) return await action(null);
    await makeOwnFolder(found.folder, { below: stateDir, mode: 0o700 });
    return await action(found.folder);
  });
}

/** Folders that hold no modules. */
const OTHERS = /^(?:\..*|src|target|build|node_modules|docs?)$/;
// Bounds of what is looked at (guessed): large builds have some hundred modules and some thousand classes of tests.
const MOST_DEPTH = 4;
const MOST_FOLDERS = 2_000;
const MOST_FILES = 5_000;
const MAX_FILE_BYTES = 8 * 1024 * 1024;
const MAX_ALL_BYTES = 128 * 1024 * 1024;

/** Takes note of the reports that are there before a run; null for commands that write none. */
export function watchWrittenReports(run: readonly string[], cwd: string): ReportCollector | null {
  const row = RUNNERS.find((one) => one.written !== undefined && isStartedBy(run, one))?.written;
  if (row === undefined) return null;
  const list = () => listReports(cwd, row.folders);
  const before = new Map(list().map((path) => [path, readStampText(join(cwd, path))]));
  return {
    add(printed) {
      const texts: string[] = [];
      let leftBytes = MAX_ALL_BYTES;
      for (const path of list()) {
        const stamp = readStampText(join(cwd, path));
        if (stamp === null || stamp === before.get(path)) continue;
        const text = readRegularText(join(cwd, path), { within: cwd, maxBytes: MAX_FILE_BYTES });
        leftBytes -= text?.length ?? 0;
        // Of a part of the reports nobody knows which tests are not among them.
        if (text === undefined || leftBytes < 0) return printed;
        texts.push(text);
      }
      return texts.length === 0 ? printed : row.read(printed, texts);
    },
  };
}

/** The reports of all modules, relative to the folder. */
function listReports(cwd: string, folders: readonly string[]): readonly string[] {
  const found: string[] = [];
  let modules = [""];
  for (let depth = 0; depth <= MOST_DEPTH && modules.length <= MOST_FOLDERS; depth++) {
    const next: string[] = [];
    for (const module of modules) {
      for (const { name, isDirectory } of listFolder(join(cwd, module))) {
        if (isDirectory && !OTHERS.test(name)) next.push(join(module, name));
      }
      for (const own of folders) {
        const folder = join(module, own);
        for (const { name, isDirectory } of listFolder(join(cwd, folder))) {
          const inner = isDirectory ? listFolder(join(cwd, folder, name)) : [];
          if (!isDirectory) found.push(join(folder, name));
          found.push(...inner.map((entry) => join(folder, name, entry.name)));
        }
      }
    }
    modules = next;
  }
  return found.filter((path) => /[\\/]TEST-[^\\/]*\.xml$/.test(path)).slice(0, MOST_FILES).sort();
}

function listFolder(folder: string): readonly Deno.DirEntry[] {
  try {
    return [...Deno.readDirSync(folder)];
  } catch {
    return []; // Most modules have no such folder.
  }
}
