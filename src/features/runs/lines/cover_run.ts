/**
 * Runs a command and reads the coverage that this very run wrote: in a known format at a declared or usual place, and
 * what Node's own engine counted, which needs no set-up. What somebody wrote before is not read.
 */
import { basename, join, posix } from "node:path";
import { readStampText } from "../../../base/files/file_stamp.ts";
import { decodeUtf8, readRegularFile, readRegularText } from "../../../base/files/regular_file.ts";
import type { TreePath } from "../../../base/paths.ts";
import { LIMITS } from "../../../base/settings/limits.ts";
import type {
  CommandResult,
  CoveredResult,
  CoverInput,
  RunCover,
  RunCoverage,
} from "../../../evidence/runs/run_command.ts";
import type { CoveragePlaces, RunFolder } from "./coverage_places.ts";
import { FileNames, listCoveragePlaces } from "./coverage_places.ts";
import type { LineHits } from "./read_coverage.ts";
import { HitTally, readCoverage } from "./read_coverage.ts";
import { formatLines } from "./changed_lines_run.ts";
import type { RanSource } from "./v8.ts";
import { readV8 } from "./v8.ts";

/** What is asked of the coverage of a run. */
export interface CoverageRequest {
  /** Absolute real path of the worktree. */
  readonly worktree: string;
  /** The project's folder relative to it; empty for the top level. */
  readonly project: string;
  /** Files whose lines are looked for, relative to the worktree; none for a run that only has the same variables. */
  readonly files: readonly TreePath[];
  /** Coverage files, or folders of them, that the settings name; relative to the project. */
  readonly declared: readonly string[];
  /** Names of the commands for which Node is asked to count. */
  readonly asksNode: readonly string[];
}

const MOST_ENTRIES = 2_000;
const MOST_NOTES = 5;
const MOST_LISTED = 200;

/** What a run asks around each of its commands. */
export function createRunCover(request: CoverageRequest): RunCover {
  return {
    needsFolder: ({ name }) => request.asksNode.includes(name),
    cover: (input, run) => coverRun(request, input, run),
  };
}

/** Without a folder of the run alone Node is not asked. */
async function coverRun(
  request: CoverageRequest,
  { command, checkout, folder }: CoverInput,
  run: Parameters<RunCover["cover"]>[1],
): Promise<CoveredResult> {
  const { project, worktree, files, declared } = request;
  const root = checkout ?? worktree;
  const reader = files.length > 0 ? new Reader({ root, project }, files) : null;
  const places = listCoveragePlaces({ project, files, declared, run: command.run });
  const before = reader === null ? new Map<string, string | null>() : readStamps(root, places);
  const counts = folder === null || !request.asksNode.includes(command.name)
    ? null
    : join(folder, "node");
  const result = await run(counts === null ? {} : { NODE_V8_COVERAGE: counts });
  reader?.readFiles(before, places);
  if (counts === null) return withCoverage(result, reader);
  await reader?.readNode(counts);
  // The name of the folder says nothing to anybody: it is gone when the result is read.
  return withCoverage({ ...result, set: [...result.set ?? [], "NODE_V8_COVERAGE=…"] }, reader);
}

function withCoverage(result: CommandResult, reader: Reader | null): CoveredResult {
  const coverage = reader?.toCoverage() ?? null;
  return coverage === null ? result : { ...result, coverage };
}

/** The stamps of what lies at the places now; null where nothing does. */
function readStamps(root: string, places: CoveragePlaces): Map<string, string | null> {
  return new Map(
    listFiles(root, places).map((path) => [path, readStampText(join(root, path))]),
  );
}

/** The files at the places, those of folders too, relative to the root. */
function listFiles(root: string, { files, folders }: CoveragePlaces): readonly string[] {
  const listed = folders.flatMap((folder) =>
    listNames(join(root, folder)).flatMap(({ name, isDirectory }) => {
      const path = posix.join(folder, name);
      if (!isDirectory) return [path];
      return listNames(join(root, path)).map((inner) => posix.join(path, inner.name));
    })
  );
  return [...new Set([...files, ...listed.slice(0, MOST_LISTED)])];
}

/** The first entries of a folder; none where there is no such folder, as most of the places are in no project. */
function listNames(folder: string, most = MOST_LISTED): readonly Deno.DirEntry[] {
  try {
    return [...Deno.readDirSync(folder)].slice(0, most);
  } catch {
    return [];
  }
}

class Reader {
  readonly #place: RunFolder;
  readonly #names: FileNames;
  readonly #tally = new HitTally();
  readonly #read: string[] = [];
  readonly #notes = new Set<string>();
  readonly #texts = new Map<TreePath, RanSource | null>();
  #isWhole = true;

  constructor(place: RunFolder, files: readonly TreePath[]) {
    this.#place = place;
    this.#names = new FileNames(place, files);
  }

  /** Reads the coverage files that were written since the stamps were taken. */
  readFiles(before: ReadonlyMap<string, string | null>, places: CoveragePlaces): void {
    const { root } = this.#place;
    for (const path of listFiles(root, places)) {
      const stamp = readStampText(join(root, path));
      if (stamp === null || stamp === (before.get(path) ?? null)) continue;
      this.#readFile(path);
    }
  }

  #readFile(path: string): void {
    const { root } = this.#place;
    const reading = readRegularFile(join(root, path), {
      within: root,
      maxBytes: LIMITS.wholeFileBytes.value,
    });
    if (reading.kind === "absent") return;
    if (reading.kind === "refused") {
      return this.#leaveOut(`${path} was not read: ${reading.reason}`);
    }
    const report = readCoverage(decodeUtf8(reading.bytes), (name) => this.#names.isLikely(name));
    if (report === null) return;
    this.#read.push(`${path} (${report.format})`);
    if (!report.isWhole) this.#leaveOut(`${path} names more lines than are read`);
    const at = { from: posix.dirname(path), sources: report.sources };
    for (const [name, hits] of report.files) this.#add(this.#names.fromReport(name, at), hits);
  }

  /** Reads what each process of Node wrote into a folder. */
  async readNode(folder: string): Promise<void> {
    let leftBytes = LIMITS.heldBytes.value;
    const untold = new Set<string>();
    let count = 0;
    const entries = listNames(folder, MOST_ENTRIES);
    if (entries.length >= MOST_ENTRIES) this.#leaveOut("More processes of Node ran than are read");
    for (const { name } of entries) {
      // A pause between two files, in which the server answers others.
      await new Promise((resolve) => setTimeout(resolve, 0));
      const bounds = { within: folder, maxBytes: LIMITS.wholeFileBytes.value };
      const text = readRegularText(join(folder, name), bounds);
      leftBytes -= text?.length ?? 0;
      if (text === undefined || leftBytes < 0) {
        this.#leaveOut("Node counted more than is read");
        if (leftBytes < 0) break;
        continue;
      }
      if (!this.#names.isNamedIn(text)) continue;
      const report = readV8(text, (url) => this.#findSource(url));
      if (report === null || !report.isWhole) {
        this.#leaveOut("A process of Node wrote what cannot be read");
      }
      if (report === null) continue;
      count++;
      for (const one of report.untold) untold.add(one);
      for (const [path, hits] of report.files) this.#add(path, hits);
    }
    if (count > 0) this.#read.push("NODE_V8_COVERAGE (V8)");
    const { files } = this.#tally.toReport("");
    const names = [...untold].filter((path) => !files.has(path)).map((path) => basename(path));
    if (names.length > 0) {
      this.#notes.add(`Node ran ${names.join(", ")} in a form whose lines cannot be traced`);
    }
  }

  #findSource(url: string): RanSource | null {
    const path = this.#names.fromUrl(url);
    if (path === null) return null;
    let source = this.#texts.get(path);
    if (source === undefined) {
      const { root } = this.#place;
      const bounds = { within: root, maxBytes: LIMITS.wholeFileBytes.value };
      const text = readRegularText(join(root, path), bounds);
      this.#texts.set(path, source = text === undefined ? null : { name: path, text });
    }
    return source;
  }

  #add(path: TreePath | null, hits: LineHits): void {
    if (path !== null) this.#tally.addAll(path, hits);
  }

  #leaveOut(note: string): void {
    this.#isWhole = false;
    this.#notes.add(`${note}.`);
  }

  /** What was found; null where there was nothing to read. */
  toCoverage(): RunCoverage | null {
    const { files, isWhole } = this.#tally.toReport("");
    if (this.#read.length === 0 && this.#notes.size === 0) return null;
    return {
      read: this.#read.slice(0, MOST_LISTED),
      notes: [...this.#notes].slice(0, MOST_NOTES),
      isWhole: this.#isWhole && isWhole,
      files: Object.fromEntries(
        [...files].map(([path, hits]) => [path, {
          ran: formatLines(pick(hits, true)),
          notRun: formatLines(pick(hits, false)),
        }]),
      ),
    };
  }
}

function pick(hits: LineHits, wanted: boolean): readonly number[] {
  return [...hits].flatMap(([line, ran]) => ran === wanted ? [line] : []);
}
