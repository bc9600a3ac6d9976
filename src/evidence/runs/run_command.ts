/**
 * Runs one verification command to its end, and keeps what a person or a judgement needs: the end of its output, the
 * report of its test runner, and the lines that ran.
 */
import { omitUndefined } from "../../base/text/json_record.ts";
import type { TreePath } from "../../base/paths.ts";
import type { Clock } from "../../base/clock.ts";
import { createHash } from "node:crypto";
import { delimiter } from "node:path";
import { CodeIntelError } from "../../base/errors.ts";
import type { StreamResult } from "../../base/processes/process.ts";
import { streamProcess } from "../../base/processes/process.ts";
import type { ServerRunMutants } from "../../phase/check_findings.ts";
import type { Checkout } from "../checkout/with_checkout.ts";
import { findProgram } from "../../base/processes/arguments.ts";
import { readReport, stripColours } from "../../runners/read_report.ts";
import type { TestReport } from "../../runners/report.ts";
import type { RunFolderOptions } from "./runner_reports.ts";
import {
  askForReport,
  isAskedForReport,
  watchWrittenReports,
  withRunFolder,
} from "./runner_reports.ts";
import type { VerifyCommand } from "./verify_commands.ts";

/** The result of a command. */
export interface CommandResult {
  readonly name: string;
  readonly run: readonly string[];
  /** The file that was started; null where none was found. Absent in results of older versions. */
  readonly program?: string | null;
  /** Variables that the server set for the command, as `NAME=value`. Absent in older results. */
  readonly set?: readonly string[];
  /** What a known test runner said in the output; null where none did. Absent in older results. */
  readonly report?: TestReport | null;
  /** Exit status; null when it could not be started or was killed. */
  readonly exitCode: number | null;
  /** ISO time of the start. */
  readonly startedAt: string;
  readonly durationMs: number;
  /** The last 64 KiB of standard output and error, in the order in which they came, without colours. */
  readonly outputTail: string;
  /** SHA-256 of the whole output. */
  readonly outputHash: string;
  readonly outputBytes: number;
  readonly timedOut: boolean;
  readonly cancelled: boolean;
  /** False when the program could not be started. */
  readonly isStarted: boolean;
  /** Why there is no exit status, in words; null where there is one. */
  readonly failure: string | null;
  /** How the command failed in the first of two runs on the same files; absent where it ran once. */
  readonly flaky?: string;
}

/** What the coverage of one command says of the files. */
export interface RunCoverage {
  /** What was read, such as `coverage/lcov.info (LCOV)`. */
  readonly read: readonly string[];
  /** Why something was not read or is not known, a sentence each. */
  readonly notes: readonly string[];
  /** False where something was left out, so that of no line is known that it did not run. */
  readonly isWhole: boolean;
  /** By path in the worktree the lines that ran and those that did not, as `1-3 7`. */
  readonly files: Readonly<Record<TreePath, { readonly ran: string; readonly notRun: string }>>;
}

/** A command's result with its coverage; absent where nothing was asked or nothing was found. */
export type CoveredResult = CommandResult & { readonly coverage?: RunCoverage };

/** Where one command runs. */
export interface CoverInput {
  readonly command: VerifyCommand;
  /** The checkout in which it runs; null for the worktree. */
  readonly checkout: string | null;
  /** A folder of the run alone; null for none. */
  readonly folder: string | null;
}

/** Reads which lines ran, around each command of a run. */
export interface RunCover {
  /** Whether a command writes coverage into a folder of the run alone. */
  readonly needsFolder: (command: VerifyCommand) => boolean;
  /** Runs a command, given the variables that it needs, and adds what its coverage says. */
  readonly cover: (
    input: CoverInput,
    run: (env: Readonly<Record<string, string>>) => Promise<CommandResult>,
  ) => Promise<CoveredResult>;
}

/** What a run in which nothing new fails gives to the trial of wrong versions. */
export interface MutantContext {
  /** The results of the run itself. */
  readonly results: readonly CommandResult[];
  /** Why no clean checkout is there for it, as the end of a sentence; null where there is one. */
  readonly hindrance: string | null;
  /** Runs commands in a checkout. */
  readonly runAll: (
    checkout: Checkout,
    commands: readonly VerifyCommand[],
  ) => Promise<readonly CommandResult[]>;
  /** Tells that the run was ended early. */
  readonly isEnded: () => boolean;
}

/** Tries small wrong versions of the changed lines; null where there is none. */
export type TryMutants = (context: MutantContext) => Promise<ServerRunMutants | null>;

/** How far a command is. */
export interface CommandProgress {
  readonly elapsedMs: number;
  /** The last line of output that is not empty, at most 200 characters. */
  readonly lastLine: string;
}

/** How a command is run. */
export interface RunCommandOptions {
  /** Folder of the project, absolute. */
  readonly cwd: string;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
  /** Called at most four times a second. */
  readonly onProgress?: (progress: CommandProgress) => void;
  /** A folder of the run alone, in which its test runner may be asked for a report; without it none is asked. */
  readonly folder?: string;
  /** Variables added to the environment, beside `CI`. */
  readonly env?: Readonly<Record<string, string>>;
  /** More variables, which are reported: those that lead to the checkout of the run. */
  readonly leads?: Readonly<Record<string, string>>;
  /** A folder that the output names, and how it is written in what is kept of it. */
  readonly shown?: { readonly from: string; readonly to: string };
  /** Called with the process id once the command runs. */
  readonly onStarted?: (pid: number) => void;
}

const MAX_TAIL_BYTES = 64 * 1024;
/** So much of the end of an output is read for what its test runner says (guessed; most have far less). */
const MAX_READ_BYTES = 8 * 1024 * 1024;
/**
 * Keeps runners from watching files for ever and from writing new snapshots. Nothing else of the
 * user's environment is changed: tests of a project may depend on any variable.
 */
const CI = { CI: "true" };
const MAX_LINE_CHARS = 200;
/** Four notices a second: enough to look alive, and few enough for a client's display. */
const PROGRESS_EVERY_MS = 250;

/** Runs a command without a shell. Every failure is a result; nothing is thrown. */
export async function runCommand(
  command: VerifyCommand,
  options: RunCommandOptions,
): Promise<CommandResult> {
  const { name, run, timeoutMs } = command;
  const [program = "", ...args] = run;
  const startedAt = options.clock.now().toISOString();
  const started = performance.now();
  const output = new OutputRecord(options.shown);
  const { onProgress } = options;
  const timer = onProgress === undefined ? undefined : setInterval(
    () => onProgress({ elapsedMs: elapsed(started), lastLine: output.lastLine() }),
    PROGRESS_EVERY_MS,
  );
  const { signal, onStarted } = options;
  const asked = options.folder === undefined ? null : askForReport(run, options.folder);
  const written = watchWrittenReports(run, options.cwd);
  const set = (Deno.env.get("CI") ?? "") === "" ? CI : {};
  const { shown, leads = {} } = options;
  const toTold = ([key, value]: [string, string]) =>
    `${key}=${shown === undefined ? value : value.replaceAll(shown.from, "(checkout)")}`;
  const told = Object.entries<string>({ ...set, ...leads }).map(toTold);
  const head = { name, run, set: [...told, ...asked?.set ?? []] };
  const place = { cwd: options.cwd, path: Deno.env.get("PATH") ?? "" };
  const file = await findProgram(program, place);
  const found = shown === undefined ? file : file?.replace(shown.from, shown.to) ?? null;
  try {
    const ended = await streamProcess(program, args, {
      cwd: options.cwd,
      env: { ...set, ...asked?.env, ...leads, ...options.env },
      timeoutMs,
      onPart: (part) => output.add(part),
      ...omitUndefined({ signal, onStarted }),
    });
    const times = { startedAt, durationMs: elapsed(started) };
    const result = buildResult({ ...head, ...times, program: found }, ended, output);
    const report = [asked, written].reduce(
      (all, one) => one?.add(all) ?? all,
      result.report ?? null,
    );
    return { ...result, report, outputTail: withoutFolder(result.outputTail, options.folder) };
  } catch (error) {
    if (!(error instanceof CodeIntelError)) throw error;
    const failure = `could not be started: ${formatReason(program, error)}`;
    const times = { startedAt, durationMs: elapsed(started) };
    return { ...buildResult({ ...head, ...times, program: null }, null, output), failure };
  } finally {
    clearInterval(timer);
  }
}

/** How a command is run whose report and coverage are read too. */
export interface RunWithReportOptions extends Omit<RunCommandOptions, "folder"> {
  readonly place: RunFolderOptions;
  /** Reads which lines ran; absent where nobody asks. */
  readonly coverage?: RunCover | undefined;
}

/** Runs a command without a shell. Every failure is a result; nothing is thrown. */
export async function runWithReport(
  command: VerifyCommand,
  { place, coverage, ...options }: RunWithReportOptions,
): Promise<CoveredResult> {
  const run = async (folder: string | null) => {
    const runWith = async (env: Readonly<Record<string, string>>) =>
      await runCommand(command, {
        ...options,
        ...(folder === null ? {} : { folder }),
        env: { ...joinPaths(env, options.leads), ...options.env },
      });
    return await coverage?.cover({ command, checkout: place.checkout, folder }, runWith) ??
      await runWith({});
  };
  return coverage?.needsFolder(command) === true || isAskedForReport(command.run)
    ? await withRunFolder(place, run)
    : await run(null);
}

/** The variables of a cover; where a checkout leads by one of them too, both are paths that are looked in. */
function joinPaths(
  env: Readonly<Record<string, string>>,
  leads: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const joined = ([name, value]: [string, string]) =>
    [name, Object.hasOwn(leads, name) ? `${value}${delimiter}${leads[name]}` : value] as const;
  return Object.fromEntries(Object.entries(env).map(joined));
}

/** The name of the run's folder differs from run to run and says nothing to anybody: it is gone when somebody reads it. */
function withoutFolder(text: string, folder: string | undefined): string {
  return folder === undefined ? text : text.replaceAll(folder, "…");
}

type Head = Pick<CommandResult, "name" | "run" | "program" | "set" | "startedAt" | "durationMs">;

function buildResult(head: Head, ended: StreamResult | null, output: OutputRecord): CommandResult {
  return {
    ...head,
    exitCode: ended?.kind === "exited" ? ended.code : null,
    outputTail: stripColours(output.tail()),
    report: output.report(),
    outputHash: output.hash(),
    outputBytes: output.sizeBytes,
    timedOut: ended?.kind === "timed_out",
    cancelled: ended?.kind === "cancelled",
    isStarted: ended !== null,
    failure: ended === null ? null : describeEnd(ended, head.durationMs),
  };
}

function describeEnd(ended: StreamResult, durationMs: number): string | null {
  if (ended.kind === "exited") return null;
  if (ended.kind === "signalled") return `was ended by ${ended.signal}`;
  const seconds = (durationMs / 1000).toFixed(1);
  return ended.kind === "cancelled"
    ? `was cancelled after ${seconds} s`
    : `reached its time limit after ${seconds} s`;
}

/**
 * The reason why a program could not be started, without the words that all such messages begin
 * with.
 */
function formatReason(program: string, { message }: CodeIntelError): string {
  const said = message.replace(/^Cannot start ".*?": /s, "").replace(/^it /, "");
  return `"${program}" ${said}`;
}

function elapsed(started: number): number {
  return Math.round(performance.now() - started);
}

/** Hashes an output of any size as it arrives, and keeps its end. */
class OutputRecord {
  sizeBytes = 0;
  readonly #hash = createHash("sha256");
  readonly #shown: RunCommandOptions["shown"];
  #parts: Uint8Array[] = [];
  #keptBytes = 0;

  constructor(shown: RunCommandOptions["shown"]) {
    this.#shown = shown;
  }

  add(part: Uint8Array): void {
    this.#hash.update(part);
    this.sizeBytes += part.length;
    this.#parts.push(part);
    this.#keptBytes += part.length;
    // The output is cut only at twice the size, so that not every small part copies the rest.
    if (this.#keptBytes > 2 * MAX_READ_BYTES) this.#cut();
  }

  tail(): string {
    this.#cut();
    const bytes = (this.#parts[0] ?? new Uint8Array()).subarray(-MAX_TAIL_BYTES);
    return this.#toText(bytes.subarray(findCharStart(bytes)));
  }

  /** What is said of tests; of an output whose beginning is lost, only counts and what failed. */
  report(): TestReport | null {
    this.#cut();
    const report = readReport(this.#toText(this.#parts[0] ?? new Uint8Array()));
    if (report === null || this.sizeBytes === this.#keptBytes) return report;
    const { names: _names, files: _files, ...counts } = report;
    return { ...counts, isComplete: false };
  }

  #toText(bytes: Uint8Array): string {
    const text = new TextDecoder().decode(bytes);
    return this.#shown === undefined ? text : text.replaceAll(this.#shown.from, this.#shown.to);
  }

  hash(): string {
    return this.#hash.copy().digest("hex");
  }

  lastLine(): string {
    let text = "";
    // The last part may be only a line break, so earlier parts are added until there is text.
    for (let at = this.#parts.length - 1; at >= 0 && text.trim().length < MAX_LINE_CHARS; at--) {
      const part = this.#parts[at]?.subarray(-4 * MAX_LINE_CHARS) ?? new Uint8Array();
      text = new TextDecoder().decode(part) + text;
    }
    return (text.trimEnd().split(/[\r\n]+/).at(-1) ?? "").slice(0, MAX_LINE_CHARS);
  }

  #cut(): void {
    const all = new Uint8Array(this.#keptBytes);
    let offset = 0;
    for (const part of this.#parts) {
      all.set(part, offset);
      offset += part.length;
    }
    this.#parts = [all.slice(-MAX_READ_BYTES)];
    this.#keptBytes = this.#parts[0]?.length ?? 0;
  }
}

/**
 * The tail may begin inside a character of several bytes; the rest of that character is left out.
 */
function findCharStart(bytes: Uint8Array): number {
  let start = 0;
  while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  return start;
}
