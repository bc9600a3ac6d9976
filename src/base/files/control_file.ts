/**
 * Files that steer the program or say something about a project: settings, contract, learned terms, logs, checkpoints,
 * rules, manifests of packages. Whoever made the clone decides what they are. So each is read
 * through `regular_file.ts`, with the bound of its kind. What cannot be used is reported in one
 * sentence with its cure.
 */
import { dirname, relative, sep } from "node:path";
import { CodeIntelError } from "../errors.ts";
import { LIMITS } from "../settings/limits.ts";
import { findOwnFolder } from "./own_folder.ts";
import type { Problem } from "../problem.ts";
import { makeProblem } from "../problem.ts";
import type { RefusedBecause, RefusedFile } from "./regular_file.ts";
import { decodeUtf8, isInFolder, readRegularFile } from "./regular_file.ts";

/** The bound of each kind of file, as a row of {@link LIMITS}. */
const BOUNDS = {
  config: "settingsBytes",
  context: "settingsBytes",
  contract: "settingsBytes",
  agreement: "agreementBytes",
  learning_log: "stateFileBytes",
  checkpoint: "checkpointBytes",
  records: "wholeFileBytes",
  /** Small files by which the program remembers something: marks, results, trust, the set-up. */
  memory: "stateFileBytes",
  /** Rules and documents that people write. */
  document: "fileBytes",
  /** Build files and lists of patterns: `package.json`, `go.mod`, `.gitignore`. */
  manifest: "settingsBytes",
  /** Files of the git folder. */
  git: "gitFileBytes",
} as const satisfies Readonly<Record<string, keyof typeof LIMITS>>;

/** What a file is for. */
export type ControlKind = keyof typeof BOUNDS;

/** Where the file may lie. */
export interface ControlOptions {
  /**
   * Folder that links of the file must not lead out of. Default: the folder that holds the program's own one, which is
   * the project for a file below `.code-intel`; for other files the folder that they lie in.
   */
  readonly within?: string;
}

/** The text of a file, its absence, or why it cannot be used. */
export type ControlReading =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "absent" }
  | {
    readonly kind: "unusable";
    readonly why: RefusedBecause;
    /** The end of the problem's sentence. */
    readonly reason: string;
    readonly problem: Problem;
  };

/** Reads a file of one kind. */
export function readControlFile(
  path: string,
  kind: ControlKind,
  options: ControlOptions = {},
): ControlReading {
  const within = options.within ?? findDefaultFolder(path);
  const maxBytes = LIMITS[BOUNDS[kind]].value;
  const reading = readRegularFile(path, { within, maxBytes });
  if (reading.kind === "read") return { kind: "text", text: decodeUtf8(reading.bytes) };
  if (reading.kind === "absent") return reading;
  const { why, reason } = reading;
  return { kind: "unusable", why, reason, problem: makeUnusableProblem(path, within, reading) };
}

/**
 * The text of a file, or undefined where there is none.
 *
 * @throws {CodeIntelError} `control_file_unusable`.
 */
export function readControlText(
  path: string,
  kind: ControlKind,
  options: ControlOptions = {},
): string | undefined {
  const reading = readControlFile(path, kind, options);
  if (reading.kind === "unusable") throw makeUnusableError(reading.problem);
  return reading.kind === "text" ? reading.text : undefined;
}

/** The same, with undefined also for a file that cannot be used: for what can be done without. */
export function readControlTextIfUsable(
  path: string,
  kind: ControlKind,
  options: ControlOptions = {},
): string | undefined {
  const reading = readControlFile(path, kind, options);
  return reading.kind === "text" ? reading.text : undefined;
}

/** The problem of a file as a failure, for what cannot be done without it. */
export function makeUnusableError({ code: _code, message, hint }: Problem): CodeIntelError {
  return new CodeIntelError(
    "control_file_unusable",
    String(message),
    hint === undefined ? {} : { hint },
  );
}

const CURES: Readonly<Record<RefusedBecause, string>> = {
  link_outside: "Put a regular file in its place, or remove it.",
  link_broken: "Remove the link, or restore what it leads to.",
  not_regular: "Remove it, or put a regular file in its place.",
  too_large: "Shorten the file, or remove it.",
  unreadable: "Let this account read the file, or remove it.",
};

function makeUnusableProblem(path: string, within: string, { why, reason }: RefusedFile): Problem {
  const way = relative(within, path);
  const shown = !isInFolder(path, within) ? path : way.replaceAll(sep, "/");
  return makeProblem("control_file_unusable", `Cannot use "${shown}": ${reason}`, {
    hint: CURES[why],
    path: shown,
  });
}

function findDefaultFolder(path: string): string {
  const own = findOwnFolder(path);
  return dirname(own ?? path);
}
