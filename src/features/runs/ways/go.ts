/**
 * Watches `go test`: the tests of each package are built once with counters, and each test function is run alone. Packages
 * run side by side and the tests of one package in turn, as `go test` does it.
 */
import { join } from "node:path";
import { readRegularText } from "../../../base/files/regular_file.ts";
import { LIMITS } from "../../../base/settings/limits.ts";
import { eachGoBlock } from "../lines/read_coverage.ts";
import type { ApartContext, ApartWay, Recording } from "../record/recording.ts";
import type { Counts } from "./parts.ts";
import { BUILD_MS, listGrown, MOST_PARTS, PART_MS, PartTally, runAtOnce } from "./parts.ts";
import { takeWritten } from "./parts.ts";

/** What the command of the project says. */
interface GoCommand {
  /** Absolute folder of the module. */
  readonly cwd: string;
  /** Flags of the build. */
  readonly build: readonly string[];
  /** Flags of the tests. */
  readonly test: readonly string[];
  readonly packages: readonly string[];
}

interface GoPackage {
  readonly name: string;
  readonly folder: string;
  /** Names of its test files. */
  readonly tests: readonly string[];
}

const ALL = "./...";
/** Flags that change which code is built. */
const BUILD = /^--?(?:tags|mod|modfile|overlay|ldflags|gcflags)(?:=|$)/;
/** Flags whose value is the next word. */
const VALUED =
  /^--?(?:C|tags|mod|modfile|overlay|ldflags|gcflags|asmflags|run|skip|bench|benchtime|count|cpu|coverpkg|covermode|coverprofile|exec|fuzz|fuzztime|list|o|p|parallel|timeout|vet|shuffle|outputdir)$/;

/**
 * Reads a command such as `go -C sub test -tags x ./...`; one that is another program runs all packages of the root.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { parseGoCommand } from "./go.ts";
 * deepEqual(parseGoCommand(["go", "test", "-C", "sub", "-tags", "x", "-short", "-run=A", "./a"], "/r"), {
 *   cwd: "/r/sub",
 *   build: ["-tags", "x"],
 *   test: ["-test.short"],
 *   packages: ["./a"],
 * });
 * deepEqual(parseGoCommand(["make", "test"], "/r").packages, ["./..."]);
 * ```
 */
export function parseGoCommand(run: readonly string[], root: string): GoCommand {
  const found = {
    ...{ cwd: root, build: [] as string[], test: [] as string[], packages: [] as string[] },
  };
  const from = run.findIndex((word) => /(?:^|\/)go(?:\.exe)?$/.test(word));
  for (let at = from + 1; from >= 0 && at < run.length; at++) {
    const word = run[at] ?? "";
    if (/^--?args$/.test(word)) break;
    const isPair = VALUED.test(word);
    const value = isPair ? run[at + 1] ?? "" : word.replace(/^[^=]*=/, "");
    if (/^--?C(?:=|$)/.test(word)) found.cwd = join(root, value);
    else if (BUILD.test(word)) found.build.push(word, ...isPair ? [value] : []);
    else if (/^--?short$/.test(word)) found.test.push("-test.short");
    else if (!word.startsWith("-") && word !== "test") found.packages.push(word);
    if (isPair) at++;
  }
  if (found.packages.length === 0) found.packages.push(from < 0 ? ALL : ".");
  return found;
}

const TEST = /^(?:Test|Example|Fuzz)[\p{L}\p{N}_]*$/u;
const LISTED = "code-intel-package";
const FORMAT = [LISTED, "{{.ImportPath}}", "{{.Dir}}", '{{join .TestGoFiles "/"}}'].join("\t") +
  '/{{join .XTestGoFiles "/"}}';

async function listPackages(
  { execute }: ApartContext,
  { cwd, build }: GoCommand,
  packages: readonly string[],
): Promise<readonly GoPackage[]> {
  const run = ["go", "list", "-e", ...build, "-f", FORMAT, ...packages];
  const { output } = await execute({ run, cwd, timeoutMs: BUILD_MS });
  return output.split("\n").flatMap((line) => {
    const [mark, name = "", folder = "", tests = ""] = line.split("\t");
    if (mark !== LISTED || folder === "") return [];
    return [{ name, folder, tests: tests.split("/").filter((file) => file !== "") }];
  });
}

/** The way. */
export const GO_WAY: ApartWay = {
  kind: "apart",
  findHindrance: async ({ execute }) => {
    const { exitCode } = await execute({ run: ["go", "version"], timeoutMs: PART_MS });
    return exitCode === 0 ? null : "The program go cannot be started. Put it on the PATH.";
  },
  record: (context) => new GoRecord(context).record(),
};

class GoRecord {
  readonly #context: ApartContext;
  readonly #command: GoCommand;
  readonly #tally: PartTally;
  /** Folders of packages by their import paths. */
  readonly #folders = new Map<string, string>();
  #done = 0;
  #all = 0;

  constructor(context: ApartContext) {
    this.#context = context;
    this.#command = parseGoCommand(context.run, context.cwd);
    this.#tally = new PartTally(context);
  }

  async record(): Promise<Recording> {
    const own = await listPackages(this.#context, this.#command, this.#command.packages);
    const all = await listPackages(this.#context, this.#command, [ALL]);
    for (const { name, folder } of [...own, ...all]) this.#folders.set(name, folder);
    const tested = own.filter(({ tests }) => tests.length > 0);
    if (tested.length === 0) this.#tally.leaveOut("go list named no package with tests.");
    await runAtOnce([...tested.entries()], ([at, pack]) => this.#runPackage(pack, `${at}`));
    return this.#tally.toRecording("go test");
  }

  async #runPackage(pack: GoPackage, at: string): Promise<void> {
    const { execute, folder, signal, onProgress } = this.#context;
    const { cwd, build, test } = this.#command;
    const [binary, profile] = [join(folder, `${at}.test`), join(folder, `${at}.out`)];
    const counters = ["-cover", "-covermode=count", "-coverpkg=./..."];
    const built = await execute({
      run: ["go", "test", "-c", ...build, ...counters, "-o", binary, pack.name],
      cwd,
      timeoutMs: BUILD_MS,
    });
    if (built.exitCode !== 0) {
      const line = built.output.split("\n").find((one) => /^\S+\.go:\d+/.test(one)) ?? "";
      return this.#tally.leaveOut(`The tests of ${pack.name} could not be built. ${line}`.trim());
    }
    const run = (...words: readonly string[]) =>
      execute({ run: [binary, ...test, ...words], cwd: pack.folder, timeoutMs: PART_MS });
    const runOne = async (pattern: string) => {
      const words = ["-test.v", "-test.paniconexit0", `-test.coverprofile=${profile}`];
      const result = await run("-test.run", pattern, ...words);
      const text = await takeWritten(folder, profile);
      return { ...result, isTold: text !== null, counts: this.#readCounts(text ?? "") };
    };
    const names = (await run("-test.list", ".")).output.split("\n").filter((one) => TEST.test(one));
    this.#all += names.length;
    const files = findTestFiles(pack);
    // What runs with no test at all runs while the program starts.
    const { counts: loaded } = await runOne("^$");
    this.#tally.addLoaded(loaded.keys());
    for (const own of names) {
      if (signal.aborted || this.#done >= MOST_PARTS) {
        this.#tally.leaveOut(`Only ${this.#done} tests were run.`);
        break;
      }
      const { exitCode, output, ms, counts, isTold } = await runOne(`^${own}$`);
      onProgress(++this.#done, this.#all);
      const name = `${pack.name}.${own}`;
      if (!isTold) this.#tally.leaveOut(`${name} ended without its counts.`);
      const isSkipped = new RegExp(`^--- SKIP: ${own} `, "m").test(output);
      const how = isSkipped ? "skipped" : exitCode === 0 ? "passed" : "failed";
      const outcome = exitCode === null ? "unknown" : how;
      const file = files.get(own) ?? "";
      const path = file === "" ? "" : this.#tally.toPath(join(pack.folder, file));
      const one = { name, file: path, unit: "test", outcome, ms: Math.round(ms) } as const;
      this.#tally.add(one, listGrown(counts, loaded));
    }
    await takeWritten(folder, binary);
  }

  /** How often the code of each line ran; lines that did not run are absent. */
  #readCounts(profile: string): Counts<number> {
    const counts = new Map<number, number>();
    for (const { name, start, count } of eachGoBlock(profile)) {
      const at = name.lastIndexOf("/");
      const folder = this.#folders.get(name.slice(0, at));
      if (count === 0 || folder === undefined) continue;
      const path = this.#tally.toPath(join(folder, name.slice(at + 1)));
      if (!this.#context.isSource(path)) continue;
      const id = this.#tally.find(path, start);
      counts.set(id, (counts.get(id) ?? 0) + count);
    }
    return counts;
  }
}

/** The file of each test function of a package. */
function findTestFiles({ folder, tests }: GoPackage): ReadonlyMap<string, string> {
  const declared = /^func\s+((?:Test|Example|Fuzz)[\p{L}\p{N}_]*)\s*\(/gmu;
  return new Map(tests.flatMap((file) => {
    const bounds = { within: folder, maxBytes: LIMITS.wholeFileBytes.value };
    const text = readRegularText(join(folder, file), bounds) ?? "";
    return [...text.matchAll(declared)].map(([, name = ""]) => [name, file] as const);
  }));
}
