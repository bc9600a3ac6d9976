/** Tries mutants one after another in a clean checkout with the nearest tests, within a budget of time. */
import type { JudgedResult } from "../../evidence/runs/judge_run.ts";
import { hasTests, isPassed } from "../../evidence/runs/judge_run.ts";
import { join } from "node:path";
import { checkOwnFile } from "../../base/files/own_folder.ts";
import { isLink, readRegularText } from "../../base/files/regular_file.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import type { Checkout } from "../../evidence/checkout/with_checkout.ts";
import type { Mutant } from "./mutant_rules.ts";
import { applyMutant, toChange, WHOLE_KINDS } from "./mutant_rules.ts";
import type { TreePath } from "../../base/paths.ts";
import { clipLine } from "../../base/text/clip.ts";
import type { ServerRunMutants, Survivor } from "../../phase/check_findings.ts";
import type { TestReport } from "../../runners/report.ts";
import { countRan } from "../../runners/report.ts";
import type { CommandResult, MutantContext } from "../../evidence/runs/run_command.ts";
import { formatSummary } from "../../evidence/runs/run_formats.ts";
import type { VerifyCommand } from "../../evidence/runs/verify_commands.ts";
import type { NarrowCommand } from "../../prove/near_tests.ts";
import type { ChangedSource } from "./find_mutants.ts";
import { findMutants, isSound } from "./find_mutants.ts";
import { placeOf, spreadMutants } from "./spread_mutants.ts";

/** `broken`: it did not build or load, so that it says nothing of the tests. */
export type MutantOutcome = "killed" | "survived" | "broken";

/**
 * The outcome by the result of one command with the mutant. A run far above its usual time is a killed mutant; one in
 * which no test failed although its runner counts them never came to its tests.
 *
 * @param clean the same command without the mutant. Where it fails, only what fails beside that notices the mutant.
 */
export function judgeMutant(clean: JudgedResult, result: JudgedResult): MutantOutcome {
  if (result.timedOut) return "killed";
  if (isPassed(result)) return "survived";
  if (result.report && !isPassed(clean)) return judgeBesideRed(clean, result.report);
  if (result.report) return result.report.failed > 0 ? "killed" : "broken";
  return clean.report ? "broken" : "killed";
}

function judgeBesideRed({ report }: JudgedResult, now: TestReport): MutantOutcome {
  const known = new Set(report?.failures.map(({ name }) => name));
  const hasFresh = now.failures.some(({ name }) => !known.has(name));
  if (hasFresh) return now.failed > 0 ? "killed" : "broken";
  return now.errors > (report?.errors ?? 0) ? "broken" : "survived";
}

/** Whether a run without a mutant says which of its tests fail, so that others can be told from them. */
function isTold({ report, timedOut, cancelled }: JudgedResult): boolean {
  return !timedOut && !cancelled && report?.isComplete === true && report.errors === 0 &&
    report.unit === "tests" && report.passed > 0;
}

/** The changed files of one checkout. */
export class MutantFiles {
  readonly #checkout: Pick<Checkout, "root">;
  readonly #texts = new Map<string, string>();
  #stampS = 0;

  constructor(checkout: Pick<Checkout, "root">) {
    this.#checkout = checkout;
  }

  /** The text of a file; undefined where there is none that can be written back as it was. */
  read(path: string): string | undefined {
    const { root } = this.#checkout;
    const file = join(root, path);
    if (isLink(file)) return undefined;
    const text = readRegularText(file, { within: root, maxBytes: LIMITS.fileBytes.value });
    if (text === undefined || text.includes("\ufffd")) return undefined;
    this.#texts.set(path, text);
    return text;
  }

  /** Runs `action` while the file has the mutant. */
  async with<T>(mutant: Mutant, action: () => Promise<T>): Promise<T> {
    const text = this.#texts.get(mutant.path) ?? "";
    await this.#write(mutant.path, applyMutant(text, mutant));
    try {
      return await action();
    } finally {
      await this.#write(mutant.path, text);
    }
  }

  /**
   * Each version gets a time of its own in whole seconds, later than the one before: what is kept by time and size, such
   * as compiled modules of Python, would else be taken for that of another version.
   */
  async #write(path: string, text: string): Promise<void> {
    const { root } = this.#checkout;
    const file = join(root, path);
    checkOwnFile(file, { below: root });
    await Deno.writeTextFile(file, text);
    const writtenMs = (await Deno.stat(file)).mtime?.getTime() ?? 0;
    this.#stampS = Math.max(this.#stampS + 1, Math.ceil(writtenMs / 1000) + 1);
    await Deno.utime(file, this.#stampS, this.#stampS);
  }
}

/** What is tried after a run that passes. */
export interface RunMutants {
  /** The changed source files with their changed lines, as they are in the checkout. */
  readonly sources: readonly Omit<ChangedSource, "text">[];
  readonly toProject: (path: TreePath) => string;
  /** With the names of the commands of the run. */
  readonly commands: readonly NarrowCommand[];
  /** The test files that narrowed commands run. */
  readonly tests: readonly string[];
  /** The commands for other test files. */
  readonly narrow: (tests: readonly string[]) => readonly NarrowCommand[];
  /** Of each line the test files that can notice it, where the records of runs tell all of them; else null or nothing. */
  readonly findSeen: (
    places: readonly Pick<Mutant, "path" | "line">[],
  ) => Promise<readonly (readonly string[] | null)[]>;
  readonly seconds: number;
  readonly isGate: boolean;
  /** Makes the checkout, without folders into which builds write: what a mutant leaves must not be found elsewhere. */
  readonly use: <T>(action: (checkout: Checkout | string) => Promise<T>) => Promise<T>;
}

/** What the run gives where it took place in a clean checkout. */
type TrialContext = Omit<MutantContext, "hindrance">;

/** Most mutants that are tried, however fast the tests are (guessed). */
const MOST_TRIED = 200;
/** A command that cannot be narrowed has to fit into the budget so often. */
const LEAST_RUNS = 2;
/** So many times its usual duration, and the pause beside it, a run may take before its mutant counts as killed: a busy machine is no test. */
const SLOWER = 5;
const PAUSE_MS = 10_000;

type Result = Omit<ServerRunMutants, "isGate">;

/** What the tests noticed; null where nothing in the changed lines can be made wrong. */
export async function tryMutants(
  request: RunMutants,
  context: TrialContext,
): Promise<ServerRunMutants | null> {
  const endsAtMs = performance.now() + request.seconds * 1000;
  const commands = pickCommands(request, context.results);
  const result = typeof commands === "string"
    ? giveUnknown(commands)
    : await request.use(async (made) =>
      typeof made === "string"
        ? giveUnknown(`no clean checkout could be made: ${made}`)
        : await new Trial(request, context, { checkout: made, commands, endsAtMs }).run()
    );
  return result === null ? null : { ...result, ...(request.isGate ? { isGate: true } : {}) };
}

/** What is said where nothing can be tried. */
export function giveUnknown(why: string): Result {
  const unknown = clipLine(why, 400);
  return { total: 0, killed: 0, broken: 0, survivors: [], tests: [], unknown };
}

/** The commands that ran tests, as far as there is time for them; a sentence where there is none. */
function pickCommands(
  { commands, seconds }: RunMutants,
  results: TrialContext["results"],
): readonly NarrowCommand[] | string {
  const tested = commands.flatMap((command) => {
    const result = results.find(({ name }) => name === command.name);
    if (result === undefined) return [];
    return hasTests(result) ? [{ command, durationMs: result.durationMs }] : [];
  });
  if (tested.length === 0) return "no command runs tests that are near to the changed lines";
  const fitting = tested.filter(({ command, durationMs }) =>
    !command.isWhole || durationMs * LEAST_RUNS <= seconds * 1000
  );
  const [slow] = tested;
  if (fitting.length > 0) return fitting.map(({ command }) => command);
  return `"${slow?.command.name}" runs all of its tests at once and takes ` +
    `${
      Math.round((slow?.durationMs ?? 0) / 1000)
    } s: ${seconds} s are not enough to run it several times`;
}

interface TrialPlace {
  readonly checkout: Checkout;
  readonly commands: readonly NarrowCommand[];
  readonly endsAtMs: number;
}

class Trial {
  readonly #request: RunMutants;
  readonly #context: TrialContext;
  readonly #place: TrialPlace;
  readonly #files: MutantFiles;
  readonly #survivors: Survivor[] = [];
  /** Commands of lines whose tests are known, by place. */
  readonly #ofLine = new Map<string, readonly NarrowCommand[]>();
  #commands: readonly NarrowCommand[];
  #tests: readonly string[];
  #killed = 0;
  #broken = 0;

  constructor(request: RunMutants, context: TrialContext, place: TrialPlace) {
    this.#request = request;
    this.#context = context;
    this.#place = place;
    this.#files = new MutantFiles(place.checkout);
    this.#commands = place.commands;
    this.#tests = request.tests;
  }

  async run(): Promise<Result | null> {
    const mutants = await this.#find();
    if (mutants.length === 0) return null;
    await this.#useSeen(mutants);
    const clean = await this.#runClean();
    if (typeof clean === "string") return { ...giveUnknown(clean), total: mutants.length };
    const { total, unknown } = await this.#tryAll(mutants, clean);
    return {
      total,
      killed: this.#killed,
      broken: this.#broken,
      survivors: this.#survivors.toSorted((a, b) =>
        a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line
      ),
      tests: this.#commands.some(({ isWhole }) => isWhole) ? [] : this.#tests,
      unknown,
    };
  }

  async #find(): Promise<readonly Mutant[]> {
    const found: Mutant[] = [];
    for (const source of this.#request.sources) {
      const text = this.#files.read(source.path);
      if (text !== undefined) found.push(...await findMutants({ ...source, text }));
    }
    return spreadMutants(found);
  }

  /** Gives lines whose tests are known commands of their own, and the run without a mutant all of these tests. */
  async #useSeen(mutants: readonly Mutant[]): Promise<void> {
    const { findSeen, narrow, tests } = this.#request;
    const lines = [
      ...new Map(mutants.slice(0, MOST_TRIED).map((one) => [placeOf(one), one])).values(),
    ];
    const found = await findSeen(lines);
    const names = this.#commands.map(({ name }) => name);
    const narrowOwn = (files: readonly string[]) =>
      narrow(files).filter(({ name }) => names.includes(name));
    const seen = new Set<string>();
    for (const [at, line] of lines.entries()) {
      const own = found[at] ?? null;
      const commands = own === null ? [] : narrowOwn(own);
      if (own === null || commands.length === 0) continue;
      this.#ofLine.set(placeOf(line), commands);
      for (const test of own) seen.add(test);
    }
    if (seen.size === 0) return;
    const isAll = this.#ofLine.size === lines.length && mutants.length <= MOST_TRIED;
    this.#tests = [...new Set([...(isAll ? [] : tests), ...seen])];
    this.#commands = narrowOwn(this.#tests);
  }

  /** The tests without a mutant, which have to pass; a sentence where they say nothing. */
  async #runClean(): Promise<readonly CommandResult[] | string> {
    // What ran whole and clean on this tree needs no second run.
    const known = this.#context.results.filter((result) =>
      isPassed(result) &&
      this.#commands.some(({ name, isWhole }) => isWhole && name === result.name)
    );
    const rest = this.#commands.filter(({ name }) => known.every((one) => one.name !== name));
    const results = [
      ...known,
      ...await this.#runCommands(rest.map((command) => ({
        ...command,
        timeoutMs: Math.min(command.timeoutMs, this.#leftMs()),
      }))),
    ];
    const bad = results.find((result) => !isPassed(result) && !isTold(result));
    if (bad?.timedOut === true) {
      return `the nearest tests alone take longer than ${this.#request.seconds} s`;
    }
    if (bad !== undefined) {
      const last = bad.outputTail.trim().split("\n").at(-1) ?? "";
      return `the tests fail without any change: ${bad.name}: ${formatSummary(bad)} [${last}]`;
    }
    const isTested = results.some(({ report }) => !report || countRan(report) > 0);
    return isTested && results.length > 0 ? results : "no test ran";
  }

  async #tryAll(
    mutants: readonly Mutant[],
    clean: readonly CommandResult[],
  ): Promise<Pick<Result, "total" | "unknown">> {
    const usualMs = clean.reduce((sum, { durationMs }) => sum + durationMs, 0);
    let total = mutants.length;
    let tried = 0;
    for (const mutant of mutants) {
      if (this.#context.isEnded()) return { total, unknown: "the run was ended early" };
      if (tried >= MOST_TRIED) {
        return { total, unknown: `${MOST_TRIED} are the most that are tried` };
      }
      const isLate = this.#leftMs() < usualMs * 1.2;
      if (isLate) return { total, unknown: this.#toLate() };
      const text = this.#files.read(mutant.path);
      if (text === undefined || !await isSound({ path: mutant.path, text }, mutant)) {
        total--;
        continue;
      }
      const isTried = await this.#tryOne(mutant, clean);
      if (isTried === false) return { total, unknown: this.#toLate() };
      if (isTried === null) total--;
      tried++;
    }
    return { total, unknown: null };
  }

  /** Runs command by command until one notices; false where the budget ended the run, null for a version that is equal. */
  async #tryOne(mutant: Mutant, clean: readonly CommandResult[]): Promise<boolean | null> {
    let isBroken = false;
    for (const command of this.#ofLine.get(placeOf(mutant)) ?? this.#commands) {
      const usual = clean.find(({ name }) => name === command.name);
      if (usual === undefined) continue;
      const limitMs = usual.durationMs * SLOWER + PAUSE_MS;
      const timeoutMs = Math.min(limitMs, this.#leftMs());
      const [result] = await this.#files.with(
        mutant,
        () => this.#runCommands([{ ...command, timeoutMs }]),
      );
      if (result === undefined || result.cancelled) return false;
      if (result.timedOut && timeoutMs < limitMs) return false;
      const outcome = judgeMutant(usual, result);
      if (outcome === "killed") {
        this.#killed++;
        return true;
      }
      isBroken ||= outcome === "broken";
    }
    if (isBroken) this.#broken++;
    else {
      const { path, line } = mutant;
      const change = toChange(mutant);
      const met = await this.#askProbe(mutant, clean);
      // What is never changed may as well be a copy.
      if (mutant.kind === "argument" && met.isMet !== false) return null;
      const part = WHOLE_KINDS.has(mutant.kind) ? { isPart: true as const } : {};
      const place = { path: this.#request.toProject(path), line };
      this.#survivors.push({ ...place, change, ...met, ...part });
    }
    return true;
  }

  /** Whether a test meets the place where both versions differ; nothing where that is not known. */
  async #askProbe(
    mutant: Mutant,
    clean: readonly CommandResult[],
  ): Promise<Pick<Survivor, "isMet">> {
    const { probe, isSubtle } = mutant;
    if (isSubtle) return { isMet: false };
    if (probe === undefined) return {};
    for (const command of this.#ofLine.get(placeOf(mutant)) ?? this.#commands) {
      const usual = clean.find(({ name }) => name === command.name);
      const timeoutMs = Math.min(command.timeoutMs, this.#leftMs());
      const [result] = await this.#files.with(
        { ...mutant, ...probe },
        () => this.#runCommands([{ ...command, timeoutMs }]),
      );
      if (usual === undefined || result === undefined || result.cancelled) return {};
      const outcome = judgeMutant(usual, result);
      const isMet = outcome === "killed" ? probe.failing : null;
      if (outcome !== "survived") return isMet === null ? {} : { isMet };
    }
    return probe.passing === null ? {} : { isMet: probe.passing };
  }

  async #runCommands(commands: readonly VerifyCommand[]): Promise<readonly CommandResult[]> {
    return await this.#context.runAll(this.#place.checkout, commands);
  }

  #leftMs(): number {
    return Math.max(1, Math.floor(this.#place.endsAtMs - performance.now()));
  }

  #toLate(): string {
    return `the ${this.#request.seconds} s for it were over`;
  }
}
