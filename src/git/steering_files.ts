/**
 * The guard against files that hang git: a pipe on which it waits for ever, a device that it reads until the memory is
 * full. Those that steer git are looked at before it starts; what it waits on in other folders is found while it waits.
 */
import { dirname, join, parse, resolve } from "node:path";
import { LIMITS } from "../base/settings/limits.ts";
import type { WaitedPipe } from "../base/files/waited_pipe.ts";
import { openWaitedPipe } from "../base/files/waited_pipe.ts";
import type { GitFolder } from "../place/git_folder.ts";
import { findGitFolder } from "../place/git_folder.ts";
import { CodeIntelError } from "../base/errors.ts";
import { describeFileKind, readRegularText } from "../base/files/regular_file.ts";
import { SAME_CALL, say } from "../base/text/words.ts";
import { parseConfig } from "../base/text/git_config.ts";

/** Files that git reads in folders of the worktree. */
const IN_WORKTREE: ReadonlySet<string> = new Set([".gitignore", ".gitattributes"]);
/** How many times longer each wait is than the one before. */
const WAIT_GROWTH = 4;
/** Folders searched before other work gets a turn. */
const FOLDERS_AT_ONCE = 50;

/** The watch over one command, until it is stopped. */
export interface PipeWatch {
  /** Fires once it is known what the command waits on. */
  readonly signal: AbortSignal;
  /** The pipe that was found; null for none so far. */
  found(): string | null;
  stop(): void;
}

/**
 * Watches a command that runs in `dir`; a command that ends soon costs only a timer.
 *
 * @param gitDir The git directory where git is told which one it is; default the one that git finds.
 */
export function watchForPipes(dir: string, gitDir: string | null = null): PipeWatch {
  const folder = () =>
    gitDir === null ? findGitFolder(dir) : { worktree: dir, gitDir, commonDir: gitDir };
  const ending = new AbortController();
  const look: WatchState = { isStopped: false };
  let path: string | null = null;
  let timer: ReturnType<typeof setTimeout>;
  const lookIn = (waitMs: number) => {
    timer = setTimeout(async () => {
      const pipe = await findWaitedPipe(folder(), look).catch(() => null);
      if (look.isStopped) return pipe?.close();
      if (pipe === null) return lookIn(waitMs * WAIT_GROWTH);
      path = pipe.path;
      ending.abort();
      // Closed only after the command was ended: git would take a pipe without a writer for an empty
      // file, and answer.
      pipe.close();
    }, waitMs);
  };
  lookIn(LIMITS.gitPipeLookMs.value);
  return {
    signal: ending.signal,
    found: () => path,
    stop: () => {
      look.isStopped = true;
      clearTimeout(timer);
    },
  };
}

interface WatchState {
  isStopped: boolean;
}

async function findWaitedPipe(
  folder: GitFolder | null,
  look: WatchState,
): Promise<WaitedPipe | null> {
  if (folder === null) return null;
  const { worktree, gitDir, commonDir } = folder;
  const skipped = new Set([join(worktree, ".git"), join(commonDir, "objects")]);
  const isOfWorktree = (name: string) => IN_WORKTREE.has(name);
  return await walk(gitDir, { look, skipped, isWanted: () => true }) ??
    (commonDir === gitDir
      ? null
      : await walk(commonDir, { look, skipped, isWanted: () => true })) ??
    await walk(worktree, { look, skipped, isWanted: isOfWorktree });
}

interface WalkOptions {
  readonly look: WatchState;
  /** Folders that are not entered. */
  readonly skipped: ReadonlySet<string>;
  readonly isWanted: (name: string) => boolean;
}

/** Searches folders, the upper ones first, without following links. */
async function walk(
  top: string,
  { look, skipped, isWanted }: WalkOptions,
): Promise<WaitedPipe | null> {
  const folders = [top];
  for (let at = 0; at < folders.length && !look.isStopped; at++) {
    if (at % FOLDERS_AT_ONCE === 0) await new Promise((resolve) => setTimeout(resolve, 0));
    const folder = folders[at] ?? top;
    for (const { name, isDirectory, isFile } of list(folder)) {
      const path = join(folder, name);
      if (isDirectory && !skipped.has(path)) folders.push(path);
      const pipe = !isDirectory && !isFile && isWanted(name) ? openWaitedPipe(path) : null;
      if (pipe !== null) return pipe;
    }
  }
  return null;
}

function list(folder: string): readonly Deno.DirEntry[] {
  try {
    return [...Deno.readDirSync(folder)];
  } catch {
    return [];
  }
}

/** Files below the worktree; git follows no link there. */
const OF_WORKTREE = [".gitignore", ".gitattributes", ".gitmodules"] as const;
/** Files that git reads in every folder that it enters. */
const OF_EACH_FOLDER = [".gitignore", ".gitattributes"] as const;
/** Files in the git folder of the worktree; git follows links in both git folders. */
const OF_GIT_DIR = ["HEAD", "index", "config.worktree", "info/sparse-checkout", "commondir"];
/** Files in the git folder that all worktrees share. */
const OF_COMMON_DIR = [
  "config",
  "packed-refs",
  "shallow",
  "info/exclude",
  "info/attributes",
  "info/grafts",
  "objects/info/alternates",
  "objects/info/commit-graph",
];
/** Settings of the repository that name a file which git reads. */
const NAMING_FILES: ReadonlySet<string> = new Set([
  "blame.ignorerevsfile",
  "commit.template",
  "core.attributesfile",
  "core.excludesfile",
  "diff.orderfile",
  "mailmap.file",
]);
/** How deeply git follows settings files that include others. */
const MOST_INCLUDES = 10;
/** Files that may be large, because git reads them in parts. */
const ANY_SIZE = /[\\/](?:index|packed-refs|commit-graph)$/;

/**
 * Refuses a repository with a pipe, a device or a socket where git reads a file. A file of settings
 * that is too large is refused too. Folders below the root are not looked at: {@link watchForPipes}
 * finds what git waits on there.
 *
 * @throws {CodeIntelError} `control_file_unusable` with the file and the way out.
 */
export function checkSteeringFiles({ worktree, gitDir, commonDir }: GitFolder): void {
  for (const name of OF_WORKTREE) {
    const path = join(worktree, name);
    if (statOrNull(path, Deno.lstatSync)?.isSymlink !== true) checkFile(path);
  }
  checkFile(join(worktree, ".git"));
  for (const name of OF_GIT_DIR) checkFile(join(gitDir, name));
  for (const name of OF_COMMON_DIR) checkFile(join(commonDir, name));
  checkRefs(join(commonDir, "refs/"));
  const seen = new Set<string>();
  for (const path of [join(commonDir, "config"), join(gitDir, "config.worktree")]) {
    checkConfig(path, { worktree, seen, depth: 0 });
  }
}

/**
 * The same in every folder that holds one of `files`, which are relative to the worktree.
 *
 * @throws {CodeIntelError} `control_file_unusable` with the first such file.
 */
export function checkFolders(worktree: string, files: readonly string[]): void {
  const folders = new Set(files.map((file) => dirname(file)));
  for (const folder of folders) {
    for (const name of OF_EACH_FOLDER) {
      const path = join(worktree, folder, name);
      if (statOrNull(path, Deno.lstatSync)?.isSymlink !== true) checkFile(path);
    }
  }
}

interface ConfigWalk {
  readonly worktree: string;
  readonly seen: Set<string>;
  readonly depth: number;
  /** The setting that names this file. */
  readonly namedBy?: string;
}

/** Checks a settings file and every file that it names. */
function checkConfig(path: string, { worktree, seen, depth, namedBy }: ConfigWalk): void {
  if (depth > MOST_INCLUDES || seen.has(path)) return;
  seen.add(path);
  const maxBytes = LIMITS.stateFileBytes.value;
  checkFile(path, { maxBytes, ...(namedBy === undefined ? {} : { namedBy }) });
  const text = readRegularText(path, { within: parse(path).root, maxBytes }) ?? "";
  for (const { key, value } of parseConfig(text)) {
    if (isInclude(key)) {
      const included = resolveNamedPath(value, dirname(path));
      const by = `${key} in "${path}"`;
      if (included !== null) {
        checkConfig(included, { worktree, seen, depth: depth + 1, namedBy: by });
      }
    } else if (NAMING_FILES.has(key)) {
      const named = resolveNamedPath(value, worktree);
      if (named !== null) checkFile(named, { namedBy: `${key} in "${path}"` });
    }
  }
}

/** Whether a setting names another file of settings, whatever its condition. */
export function isInclude(key: string): boolean {
  return /^include(?:if\..*)?\.path$/s.test(key);
}

/**
 * The path that git understands in a setting; null for forms that only git can resolve (`~other/x`,
 * `%(prefix)/x`).
 */
export function resolveNamedPath(value: string, base: string): string | null {
  const path = value.replace(/^:\(optional\)/, "");
  if (path === "" || /^(?:~[^/]|%\()/.test(path)) return null;
  const home = Deno.env.get("HOME") ?? "";
  return resolve(base, path.replace(/^~(?=\/|$)/, home));
}

/** Each ref is a file; a ref that is a link is read at the link's target. */
function checkRefs(folder: string): void {
  let entries: readonly Deno.DirEntry[];
  try {
    entries = [...Deno.readDirSync(folder)];
  } catch {
    return;
  }
  for (const { name, isDirectory, isFile } of entries) {
    const path = join(folder, name);
    if (isDirectory) checkRefs(path);
    else if (!isFile) checkFile(path);
  }
}

interface FileRules {
  readonly maxBytes?: number;
  readonly namedBy?: string;
}

function checkFile(path: string, { maxBytes, namedBy }: FileRules = {}): void {
  const info = statOrNull(path, Deno.statSync);
  if (info === null || info.isDirectory) return;
  const most = maxBytes ?? LIMITS.wholeFileBytes.value;
  if (info.isFile) {
    if (info.size <= most || ANY_SIZE.test(path)) return;
    throw makeSteeringError(
      path,
      `it has ${info.size} bytes, and at most ${most} are read`,
      namedBy,
    );
  }
  if (info.isCharDevice && isNull(path)) return;
  throw makeSteeringError(
    path,
    `${describeFileKind(info)}, and git would never come to its end`,
    namedBy,
  );
}

/** The error for a file that is not what git expects there. */
export function makeSteeringError(path: string, reason: string, namedBy?: string): CodeIntelError {
  const by = namedBy === undefined ? "" : `, which is named by ${namedBy}`;
  const way = namedBy === undefined
    ? "Remove it, or put a regular file in its place"
    : "Change or unset the setting, or put a regular file in its place";
  return new CodeIntelError("control_file_unusable", `Cannot use "${path}"${by}: ${reason}`, {
    hint: say`${way}, then ${SAME_CALL} again.`,
  });
}

/** Whether a path is the usual way to name no file. */
function isNull(path: string): boolean {
  return Deno.realPathSync(path) === "/dev/null";
}

function statOrNull(path: string, ask: (path: string) => Deno.FileInfo): Deno.FileInfo | null {
  try {
    return ask(path);
  } catch {
    return null;
  }
}
