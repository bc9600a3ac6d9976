/**
 * Watches `go test`: the tests of each package are built once with counters, and each test function is run alone. Packages
 * run side by side and the tests of one package in turn, as `go test` does it.
 */
import { join, relative } from "node:path";
import { readRegularText } from "../../../base/files/regular_file.ts";
import { LIMITS } from "../../../base/settings/limits.ts";
import { eachGoBlock } from "../lines/read_coverage.ts";
import type { ApartContext, ApartWay, Recording } from "../record/recording.ts";
import {
  BUILD_MS,
  MOST_PARTS,
  PART_MS,
  PartTally,
  readWritten,
  removeWritten,
  runAtOnce,
} from "./parts.ts";

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

const ALL = ["./..."];
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
  const found: { cwd: string; build: string[]; test: string[]; packages: string[] } = {
    ...{ cwd: root, build: [], test: [], packages: [] },
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
  return from < 0 || found.packages.length > 0
    ? { ...found, packages: from < 0 ? ALL : found.packages }
    : { ...found, packages: ["."] };
}

const TEST = /^(?:Test|Example|Fuzz)[\p{L}\p{N}_]*$/u;
const LISTED = "code-intel-package";
const FORMAT = [LISTED, "{{.ImportPath}}", "{{.Dir}}", '{{join .TestGoFiles "/"}}'].join("\t") +
  '/{{join .XTestGoFiles "/"}}';

async function listPackages(
  { execute }: ApartContext,
  { cwd, build }: GoCommand,
  patterns: readonly string[],
): Promise<readonly GoPackage[]> {
  const run = ["go", "list", "-e", ...build, "-f", FORMAT, ...patterns];
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
  readonly #tally = new PartTally();
  /** Folders of packages by their import paths. */
  readonly #folders = new Map<string, string>();
  #done = 0;
  #all = 0;

  constructor(context: ApartContext) {
    this.#context = context;
    this.#command = parseGoCommand(context.run, context.root);
  }

  async record(): Promise<Recording> {
    const own = await listPackages(this.#context, this.#command, this.#command.packages);
    const all = await listPackages(this.#context, this.#command, ALL);
    for (const { name, folder } of [...own, ...all]) this.#folders.set(name, folder);
    const tested = own.filter(({ tests }) => tests.length > 0);
    if (tested.length === 0) this.#tally.leaveOut("go list named no package with tests.");
    await runAtOnce(tested.map((pack, at) => ({ ...pack, at })), (pack) => this.#runPackage(pack));
    return this.#tally.toRecording("go test");
  }

  async #runPackage(pack: GoPackage & { readonly at: number }): Promise<void> {
    const { execute, folder, signal, onProgress } = this.#context;
    const { cwd, build, test } = this.#command;
    const binary = join(folder, `${pack.at}.test`);
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
    const run = (words: readonly string[]) =>
      execute({ run: [binary, ...test, ...words], cwd: pack.folder, timeoutMs: PART_MS });
    const listed = (await run(["-test.list", "."])).output.split("\n");
    const names = listed.filter((line) => TEST.test(line));
    const files = findTestFiles(pack);
    this.#all += names.length;
    const profile = join(folder, `${pack.at}.out`);
    const runOne = async (pattern: string) => {
      const words = ["-test.v", "-test.paniconexit0", `-test.coverprofile=${profile}`];
      const result = await run(["-test.run", pattern, ...words]);
      const text = readWritten(folder, profile);
      await removeWritten(profile);
      return { ...result, text };
    };
    // What runs with no test at all runs while the program starts.
    const loaded = this.#readCounts((await runOne("^$")).text ?? "");
    this.#tally.addLoaded(new Set(loaded.keys()));
    for (const name of names) {
      if (signal.aborted || this.#done >= MOST_PARTS) {
        this.#tally.leaveOut(`Only ${this.#done} tests were run.`);
        break;
      }
      const { exitCode, output, ms, text } = await runOne(`^${name}$`);
      onProgress(++this.#done, this.#all);
      const key = `${pack.name}.${name}`;
      if (text === null) this.#tally.leaveOut(`${key} ended without its counts.`);
      const counts = this.#readCounts(text ?? "");
      const ran = [...counts].filter(([id, count]) => count > (loaded.get(id) ?? 0));
      const said = new RegExp(`^--- (PASS|FAIL|SKIP): ${name} `, "m").exec(output)?.[1];
      const outcome = said === "SKIP" ? "skipped" : exitCode === 0 ? "passed" : "failed";
      const file = files.get(name);
      this.#tally.add({
        name: key,
        file: file === undefined ? "" : this.#toPath(join(pack.folder, file)),
        unit: "test",
        outcome: exitCode === null ? "unknown" : outcome,
        ms: Math.round(ms),
      }, new Set(ran.map(([id]) => id)));
    }
    await removeWritten(binary);
  }

  #toPath(path: string): string {
    return relative(this.#context.root, path).replaceAll("\\", "/");
  }

  /** How often the code of each line ran; lines that did not run are absent. */
  #readCounts(profile: string): ReadonlyMap<number, number> {
    const counts = new Map<number, number>();
    for (const { name, start, count } of eachGoBlock(profile)) {
      const at = name.lastIndexOf("/");
      const folder = this.#folders.get(name.slice(0, at));
      if (count === 0 || folder === undefined) continue;
      const path = this.#toPath(join(folder, name.slice(at + 1)));
      if (!this.#context.isSource(path)) continue;
      const id = this.#tally.find({ path, line: start, name: "" });
      counts.set(id, (counts.get(id) ?? 0) + count);
    }
    return counts;
  }
}

/** The file of each test function of a package. */
function findTestFiles({ folder, tests }: GoPackage): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const file of tests) {
    const bounds = { within: folder, maxBytes: LIMITS.wholeFileBytes.value };
    const text = readRegularText(join(folder, file), bounds) ?? "";
    for (
      const [, name = ""] of text.matchAll(/^func\s+((?:Test|Example|Fuzz)[\p{L}\p{N}_]*)\s*\(/gmu)
    ) {
      files.set(name, file);
    }
  }
  return files;
}
