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
  CoveredResult,
  CoverInput,
  RunCover,
  RunCoverage,
} from "../../../evidence/runs/run_command.ts";
import { formatLines } from "./changed_lines_run.ts";
import type { RunFolder } from "./coverage_places.ts";
import { FileNames, listCoverageFiles, listNames } from "./coverage_places.ts";
import type { LineHits } from "./read_coverage.ts";
import { readCoverage } from "./read_coverage.ts";
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
const MOST_READ = 200;
const MAX_BYTES = LIMITS.wholeFileBytes.value;

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
  { command: { name, run: words }, checkout, folder }: CoverInput,
  run: Parameters<RunCover["cover"]>[1],
): Promise<CoveredResult> {
  const { project, worktree, files } = request;
  const root = checkout ?? worktree;
  const list = () => files.length === 0 ? [] : listCoverageFiles(root, { ...request, run: words });
  const readStamp = (path: string) => readStampText(join(root, path));
  const before = new Map(list().map((path) => [path, readStamp(path)]));
  const isAsked = folder !== null && request.asksNode.includes(name);
  const counts = join(folder ?? "", "node");
  const result = await run(isAsked ? { NODE_V8_COVERAGE: counts } : {});
  // The name of the folder says nothing to anybody: it is gone when the result is read.
  const told = isAsked ? { ...result, set: [...result.set ?? [], "NODE_V8_COVERAGE=…"] } : result;
  if (files.length === 0) return told;
  const reader = new Reader({ root, project }, files);
  for (const path of list()) {
    const stamp = readStamp(path);
    if (stamp !== null && stamp !== before.get(path)) reader.readFile(path);
  }
  if (isAsked) await reader.readNode(counts);
  const coverage = reader.toCoverage();
  return coverage === null ? told : { ...told, coverage };
}

class Reader {
  readonly #root: string;
  readonly #names: FileNames;
  readonly #lines = new Map<TreePath, Map<number, boolean>>();
  readonly #read: string[] = [];
  readonly #notes = new Set<string>();
  readonly #texts = new Map<TreePath, RanSource | null>();
  #isWhole = true;

  constructor(place: RunFolder, files: readonly TreePath[]) {
    this.#root = place.root;
    this.#names = new FileNames(place, files);
  }

  readFile(path: string): void {
    const bounds = { within: this.#root, maxBytes: MAX_BYTES };
    const reading = readRegularFile(join(this.#root, path), bounds);
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
      const bounds = { within: folder, maxBytes: Math.min(MAX_BYTES, leftBytes) };
      const text = readRegularText(join(folder, name), bounds);
      leftBytes -= text?.length ?? 0;
      if (text === undefined) this.#leaveOut("Node counted more than is read");
      if (text === undefined || !this.#names.isNamedIn(text)) continue;
      const report = readV8(text, (url) => this.#findSource(url));
      if (report?.isWhole !== true) this.#leaveOut("A process of Node wrote what cannot be read");
      if (report === null) continue;
      count++;
      for (const one of report.untold) untold.add(one);
      for (const [path, hits] of report.files) this.#add(path, hits);
    }
    if (count > 0) this.#read.push("NODE_V8_COVERAGE (V8)");
    const names = [...untold].filter((path) => !this.#lines.has(path)).map((path) =>
      basename(path)
    );
    if (names.length > 0) {
      this.#notes.add(`Node ran ${names.join(", ")} in a form whose lines cannot be traced`);
    }
  }

  #findSource(url: string): RanSource | null {
    const path = this.#names.fromUrl(url);
    if (path === null) return null;
    const known = this.#texts.get(path);
    if (known !== undefined) return known;
    const bounds = { within: this.#root, maxBytes: MAX_BYTES };
    const text = readRegularText(join(this.#root, path), bounds);
    const source = text === undefined ? null : { name: path, text };
    this.#texts.set(path, source);
    return source;
  }

  /** A line that ran anywhere ran. */
  #add(path: TreePath | null, hits: LineHits): void {
    if (path === null) return;
    const lines = this.#lines.get(path) ?? new Map<number, boolean>();
    this.#lines.set(path, lines);
    for (const [line, ran] of hits) lines.set(line, ran || lines.get(line) === true);
  }

  #leaveOut(note: string): void {
    this.#isWhole = false;
    this.#notes.add(`${note}.`);
  }

  /** What was found; null where there was nothing to read. */
  toCoverage(): RunCoverage | null {
    if (this.#read.length === 0 && this.#notes.size === 0) return null;
    const pick = (hits: LineHits, wanted: boolean) =>
      formatLines([...hits].flatMap(([line, ran]) => ran === wanted ? [line] : []));
    return {
      read: this.#read.slice(0, MOST_READ),
      notes: [...this.#notes].slice(0, MOST_NOTES),
      isWhole: this.#isWhole,
      files: Object.fromEntries(
        [...this.#lines].map((
          [path, hits],
        ) => [path, { ran: pick(hits, true), notRun: pick(hits, false) }]),
      ),
    };
  }
}
